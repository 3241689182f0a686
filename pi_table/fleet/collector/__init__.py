"""The records of many tables: received from a broker, stored in a database, and shown in
reports."""
