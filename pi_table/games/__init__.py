"""The games and all texts about them, without clocks, files or hardware."""
