"""What only developers need: measurements. Packages do not carry it."""
