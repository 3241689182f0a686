"""The table's web pages: a board for everybody, phones with a seat, the operator's desk.

They run in their own process, which knows no secrets. It follows the public socket, and relays
encrypted bytes between phones and the engine that it cannot decrypt.
"""
