"""The presentation of the table's state: lights, sounds, messages, the hidden screen."""
