"""The settings of the first boot: a small file on the card's boot partition, which the table takes
over."""
