"""Hardware: contracts, drivers, the controller's line, light and sound."""
