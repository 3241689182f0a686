"""First boot: copies settings from a small file on the card's boot partition into the system."""
