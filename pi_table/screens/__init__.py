"""What people look at: the console and the web pages."""
