"""Parts of the machine's state: the game, the lock, peeks, marks, service mode, and
house orders."""
