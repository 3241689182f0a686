"""Lights, sounds, messages and the hidden screen, which show the table's state."""
