"""Word cards to print: how they lie on a sheet of paper, and the sheets as a PDF."""
