"""A limit for incoming MQTT packets that holds even if the broker ignores it.

The size that a client announces to its broker (`MaximumPacketSize`) binds only an honest broker.
"""

from typing import Final

from paho.mqtt.client import Client

TOO_LARGE: Final = "a packet larger than"
"""Part of the reason that paho logs when a connection ends because of a too large packet."""


def limit_packets(client: Client, most: int) -> None:
    """Make a client close the connection at a packet that announces more than ``most`` bytes,
    before any of it is stored. paho has no setting for that.

    A packet begins with its length, and paho then asks the socket for the whole rest of the packet
    at once. A read that asks for too much therefore belongs to a packet that is too large.
    """
    receive = client._sock_recv

    def receive_within(bufsize: int) -> bytes:
        if bufsize > most:
            raise ConnectionAbortedError(f"{TOO_LARGE} {most} bytes")
        return receive(bufsize)

    client._sock_recv = receive_within  # type: ignore[method-assign]
