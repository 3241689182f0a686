"""The records of many tables: gathered from a broker, kept in a database, and reported."""
