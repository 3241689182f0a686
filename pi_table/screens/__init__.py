"""The user interfaces: the console and the web pages."""
