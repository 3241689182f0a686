"""Set-up and maintenance of one table: bring-up, doctor, first boot."""
