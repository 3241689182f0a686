"""The program that makes the tables of kin, which are words of one word family (see README.md). The
referee itself does not need this program."""
