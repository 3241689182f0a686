"""The engine as a process, and what it judges beside the table."""
