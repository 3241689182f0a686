"""Receives the games of many tables from a broker, stores them in a database, and makes reports."""
