"""Announcements to everybody, made from public information only."""
