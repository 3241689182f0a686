"""Backups of a table in one file, and restores that are complete or change nothing."""
