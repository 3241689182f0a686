"""An MQTT client that floods a table with commands through the table's broker.

`python -m pi_table.lab.bench.flood PORT RATE`

The client writes the packets of MQTT 3.1.1 itself. So one core of a small machine can send ten
thousand commands per second.
"""

import socket
import sys
from time import monotonic, sleep
from typing import Final

TOPIC: Final = b"pi-table/bench/do/locate"
PAYLOAD: Final = b'{"seconds": 1}'
CONNECT: Final = b"\x10\x11\x00\x04MQTT\x04\x02\x00\x00\x00\x05flood"
"""MQTT 3.1.1 packet that begins a session as the client ``flood``, without keep-alive."""
STEP_SECONDS: Final = 0.01


def main(port: int, a_second: int) -> None:
    body = len(TOPIC).to_bytes(2, "big") + TOPIC + PAYLOAD
    batch = (bytes([0x30, len(body)]) + body) * round(a_second * STEP_SECONDS)
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(CONNECT)
        line.recv(4)
        due = monotonic()
        while True:
            line.sendall(batch)
            due += STEP_SECONDS
            sleep(max(0.0, due - monotonic()))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
