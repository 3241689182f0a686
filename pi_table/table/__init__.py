"""The table itself: the engine, its journal, and backups of it."""
