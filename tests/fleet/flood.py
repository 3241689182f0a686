"""Sends commands to a table as fast as it is told to, over a plain connection to a broker.

A process of its own: ``flood.py PORT TOPIC PAYLOAD A_SECOND SECONDS QOS``. It writes how many it
has sent, and in how many seconds.
"""

import socket
import struct
import sys
import time
from typing import Final

BATCHES_A_SECOND: Final = 100
CONNECT: Final = b"\x10\x11\x00\x04MQTT\x04\x02\x00\x00\x00\x05flood"


def publish(topic: bytes, payload: bytes, number: int, qos: int) -> bytes:
    """A packet of MQTT that publishes something."""
    identifier = struct.pack(">H", number % 65535 + 1) if qos else b""
    body = struct.pack(">H", len(topic)) + topic + identifier + payload
    length, left = b"", len(body)
    while True:
        left, digit = divmod(left, 128)
        length += bytes([digit | (128 if left else 0)])
        if not left:
            return bytes([0x30 | qos << 1]) + length + body


def main(port: str, topic: str, payload: str, a_second: str, seconds: str, qos: str) -> None:
    """Send commands for so long."""
    line = socket.create_connection(("127.0.0.1", int(port)))
    line.sendall(CONNECT)
    line.recv(4)
    line.setblocking(False)
    batch = int(a_second) // BATCHES_A_SECOND
    began, sent = time.monotonic(), 0
    for number in range(int(float(seconds) * BATCHES_A_SECOND)):
        text = b"".join(
            publish(topic.encode(), payload.encode(), sent + each, int(qos))
            for each in range(batch)
        )
        line.setblocking(True)
        line.sendall(text)
        line.setblocking(False)
        sent += batch
        try:
            while line.recv(1 << 16):
                pass
        except BlockingIOError:
            pass
        time.sleep(max(0.0, began + (number + 1) / BATCHES_A_SECOND - time.monotonic()))
    print(sent, round(time.monotonic() - began, 3))


if __name__ == "__main__":
    main(*sys.argv[1:])
