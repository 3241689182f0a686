"""What differs from family to family of games."""
