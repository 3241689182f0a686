"""How the table's state is shown: lights, sounds, messages, and the hidden screen."""
