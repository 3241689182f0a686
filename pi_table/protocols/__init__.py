"""Messages between processes and phones, and their encryption."""
