"""Set-up and care of one table: bring-up, doctor, first boot."""
