"""The program that makes the tables of kin, words of one family: see README.md. The referee itself
does not need it."""
