"""Tools for developers, in a checkout. No package contains them; only the command line names
them."""
