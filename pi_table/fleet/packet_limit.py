"""A limit for the packets of MQTT that are taken in, whatever their sender was asked for.

What a client announces to its broker (`MaximumPacketSize`) binds an honest broker alone.
"""

from typing import Final

from paho.mqtt.client import Client

TOO_LARGE: Final = "a packet larger than"
"""What the reason contains for which such a connection ends, as paho notes it."""


def limit_packets(client: Client, most: int) -> None:
    """Have a client hang up on a packet that announces more than ``most`` bytes, before it keeps
    any of them. paho has no setting for that.

    A packet begins with its length, and paho then asks the socket for all that is left of the
    packet at once. So a read that asks for too much belongs to a packet that announces too much.
    """
    receive = client._sock_recv

    def receive_within(bufsize: int) -> bytes:
        if bufsize > most:
            raise ConnectionAbortedError(f"{TOO_LARGE} {most} bytes")
        return receive(bufsize)

    client._sock_recv = receive_within  # type: ignore[method-assign]
