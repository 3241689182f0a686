"""Code that finds the touches that people meant."""
