"""The credentials of tables and other users, and their rights at the broker."""
