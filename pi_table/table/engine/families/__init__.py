"""Code for the differences between the families of games, such as word games and Codex."""
