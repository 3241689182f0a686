"""Tools for developers, which only a checkout has. No package contains them, and of the other code
only the command line refers to them."""
