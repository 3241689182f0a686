"""The table itself: the engine, the journal, and backups."""
