"""The program that makes the tables of kin: README.md. The referee itself does not need it."""
