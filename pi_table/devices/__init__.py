"""Hardware: contracts, drivers, the wire to the controller, light and sound."""
