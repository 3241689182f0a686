"""Code that finds intended touches."""
