"""The machine's state besides the game: locks, peeks, marks, service, orders in force."""
