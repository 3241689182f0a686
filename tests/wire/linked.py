"""The Pi's end of the link and the tests' own controller, in virtual time."""

from peer import Colours, Peer

from pi_table.devices.wire.link import Event, Link
from pi_table.devices.wire.touches import Touches

TICK = 0.001
RED: Colours = (0xFF0000,) * 104
BLUE: Colours = (0x0000FF,) * 104
GREEN: Colours = (0x00FF00,) * 104
ASK, LIGHTS, STORE, HERE, RESTART = 0x12, 0x11, 0x13, 0x14, 0x15


def touches(*places: int) -> Touches:
    return Touches(frozenset(places))


class Wire:
    """A link, a controller, and a wire between them that takes a millisecond; ``to`` and ``from``
    the controller it can be cut."""

    def __init__(self, peer: Peer | None = None) -> None:
        self.link = Link()
        self.peer = peer or Peer()
        self.now = 0.0
        self.events: list[Event] = []
        self.to_peer = self.from_peer = True
        self.said: list[tuple[float, int]] = []
        """When what type of command was said."""

    def run(self, seconds: float) -> "Wire":
        """Let time pass."""
        for _ in range(round(seconds / TICK)):
            self.now += TICK
            self.events += self.link.tick(self.now)
            data = self.link.to_send(self.now)
            if data:
                self.said.append((self.now, data[1]))
                if self.to_peer:
                    self.peer.receive(data)
            for sent in self.peer.to_send(self.now):
                if self.from_peer:
                    self.events += self.link.receive(sent, self.now)
        return self

    def taken(self) -> list[Event]:
        """What was heard since the last time, without what is said twice in a row."""
        events, self.events = self.events, []
        return [event for at, event in enumerate(events) if at == 0 or event != events[at - 1]]

    def kinds(self) -> list[int]:
        """The types of the commands that the controller has applied."""
        return [kind for kind, _, _ in self.peer.applied]
