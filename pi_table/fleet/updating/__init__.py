"""Updates of the table's own packages: at quiet hours or soon after the table is switched on, never
in a game, and back where the new version does not come up, or could not bring the next one."""
