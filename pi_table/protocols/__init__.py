"""What processes and phones say to each other, and how it is sealed."""
