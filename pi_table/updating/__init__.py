"""Updates of the table's own packages: at quiet hours, never in a game, and back where the new
version does not come up."""
