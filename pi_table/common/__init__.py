"""Configuration, languages, files and errors: used by every part."""
