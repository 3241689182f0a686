"""The games and everything said of them, without clocks, files or hardware."""
