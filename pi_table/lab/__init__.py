"""Tools for developers, which only a checkout of the source has. No package contains them. Of the
other code, only the command line refers to them."""
