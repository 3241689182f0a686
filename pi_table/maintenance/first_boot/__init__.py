"""The settings of the first boot: a small file on the card's boot partition. The table copies the
settings into its system."""
