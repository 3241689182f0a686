"""The table's web pages: a board for everybody, pages for phones with a seat, the operator's desk.

The pages run in their own process, which knows no secrets. It receives the messages of the public
socket. It also passes encrypted bytes between phones and the engine, and cannot decrypt them.
"""
