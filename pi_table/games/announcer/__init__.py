"""Announcements to everybody at the table, made only from public information."""
