"""Limits the size of incoming MQTT packets, even if the broker ignores the limit.

A client tells the broker its limit (`MaximumPacketSize`), but a faulty or hostile broker may still
send larger packets.
"""

from typing import Final

from paho.mqtt.client import Client

TOO_LARGE: Final = "a packet larger than"
"""Text in the error, and in paho's log, when a packet that is too large ends a connection."""


def limit_packets(client: Client, most: int) -> None:
    """Make a client close its connection when a packet of more than ``most`` bytes begins to
    arrive. The packet is not stored. paho has no setting for this limit.

    A packet begins with its length, and paho then asks the socket for the whole rest of the packet
    at once. So a read of more than ``most`` bytes means that the packet is too large.
    """
    receive = client._sock_recv

    def receive_within(bufsize: int) -> bytes:
        if bufsize > most:
            raise ConnectionAbortedError(f"{TOO_LARGE} {most} bytes")
        return receive(bufsize)

    client._sock_recv = receive_within  # type: ignore[method-assign]
