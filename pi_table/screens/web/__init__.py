"""The table's web pages: a board for everybody, phones with a seat, the operator's desk.

The pages run in their own process, which knows no secrets. The process follows the public socket.
It relays encrypted bytes between phones and the engine, and cannot decrypt these bytes.
"""
