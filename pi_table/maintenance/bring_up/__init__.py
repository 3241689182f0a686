"""Bringing a table up: what works (`doctor`), how pads feel (`calibrate`), firmware (`flash`)."""
