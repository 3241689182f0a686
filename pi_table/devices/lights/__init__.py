"""The table's lights: this package computes the colour of each LED over time."""
