"""Bring-up of a table: commands that check it (`doctor`), set its touch thresholds (`calibrate`),
and write its firmware (`flash`)."""
