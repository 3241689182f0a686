"""The pages of the table: a board for everybody, phones with a seat, the operator's desk.

A process of its own, which knows nothing hidden. It follows the public socket, and relays sealed
bytes between phones and the engine, which it cannot open.
"""
