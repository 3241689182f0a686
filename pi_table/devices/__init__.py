"""The table's hardware: contracts, drivers, the serial link to the controller, light and sound."""
