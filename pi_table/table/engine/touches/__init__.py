"""The meaning of touches."""
