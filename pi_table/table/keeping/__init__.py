"""Keeping what a table has: a backup in one file, and a restore that is whole or not at all."""
