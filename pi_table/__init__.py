"""A café table that plays word-guessing games."""

__version__ = "0.7.0"
