"""What eyes of other kinds see: how far colours are apart for them, and pictures as they look."""
