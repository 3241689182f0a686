"""What is said to everybody, made of what everybody may see."""
