"""The machine's state besides the game: locks, peeks, marks, service, and orders in force."""
