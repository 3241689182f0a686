"""Setting up and looking after one table: bring-up, doctor, first boot."""
