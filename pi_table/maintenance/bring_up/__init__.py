"""Bring-up of a table: checks (`doctor`), pads (`calibrate`), firmware (`flash`)."""
