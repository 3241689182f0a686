"""The table's lights: light scenes over time, as the colour of each LED."""
