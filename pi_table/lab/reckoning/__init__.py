"""How the tables of kin are made: README.md. Nothing here is needed where the referee runs."""
