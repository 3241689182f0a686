"""A café table that plays word-guessing games."""

__version__ = "0.8.0"
