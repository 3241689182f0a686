"""Word cards to print: their layout on a sheet of paper, and the sheets as a PDF."""
