"""What the lights show: scenes over time, as the colour of each LED."""
