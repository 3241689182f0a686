"""What the machine knows besides the game: locks, peeks, marks, service, orders in force."""
