"""What only developers use, in a checkout. No package has it; only the command line names it."""
