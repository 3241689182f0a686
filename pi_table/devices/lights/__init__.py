"""The table's lights: scenes over time, as the colour of each LED."""
