"""Credentials of tables and users, and their rights at the broker."""
