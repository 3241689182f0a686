"""The differences between the families of games."""
