"""Stores the games of many tables, received from a broker, in a database, and makes reports."""
