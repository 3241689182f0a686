"""A limit for the size of incoming MQTT packets, which works even if the broker ignores it.

A client announces its limit to the broker (`MaximumPacketSize`), but only an honest broker obeys.
"""

from typing import Final

from paho.mqtt.client import Client

TOO_LARGE: Final = "a packet larger than"
"""Part of the reason that paho logs when a packet that is too large ends a connection."""


def limit_packets(client: Client, most: int) -> None:
    """Make a client close the connection if a packet announces more than ``most`` bytes, before any
    byte of the packet is stored. paho has no setting for this limit.

    A packet begins with its length, and paho then asks the socket for the whole rest of the packet
    at once. A read that asks for too many bytes therefore belongs to a packet that is too large.
    """
    receive = client._sock_recv

    def receive_within(bufsize: int) -> bytes:
        if bufsize > most:
            raise ConnectionAbortedError(f"{TOO_LARGE} {most} bytes")
        return receive(bufsize)

    client._sock_recv = receive_within  # type: ignore[method-assign]
