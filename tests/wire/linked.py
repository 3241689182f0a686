"""The Pi's end of the link and the tests' own controller, in virtual time."""

from peer import Colours, Peer

from pi_table.devices.wire.link import Event, Link
from pi_table.devices.wire.touches import NOTHING_READ, Touches

TICK = 0.001
RED: Colours = (0xFF0000,) * 104
BLUE: Colours = (0x0000FF,) * 104
GREEN: Colours = (0x00FF00,) * 104
ASK, LIGHTS, STORE, HERE, RESTART = 0x12, 0x11, 0x13, 0x14, 0x15


def touches(*places: int) -> Touches:
    return Touches(frozenset(places))


def places(words: list[str]) -> tuple[int, ...]:
    return tuple(map(int, words))


def text_of(event: Event) -> str:
    """The places that are touched, and what else is told: ``3 4, heavy 4, deaf 8, blocked``."""
    if event == NOTHING_READ:
        return "nothing read"
    assert isinstance(event, Touches)
    named = {"heavy": event.heavy, "deaf": event.deaf, "noisy": event.noisy}
    told = [" ".join(map(str, sorted(event.touched))) or "nothing"]
    told += [f"{name} {' '.join(map(str, sorted(of)))}" for name, of in named.items() if of]
    return ", ".join(told + ["blocked"] * event.blocked)


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

    def show(self, colours: Colours, seconds: float) -> None:
        """Show these lights, and let so much time pass."""
        self.link.show(colours)
        self.run(seconds)

    def touch(self, *places: int) -> None:
        """Fingers come down, and the link hears of them."""
        self.peer.touch(*places)
        self.run(0.01)

    def play(self, script: str) -> str:
        """Do these things in turn, such as ``touch 3; 10 ms; cut from; 200 ms``; what is heard."""
        for step in script.split("; "):
            match step.split():
                case [milliseconds, "ms"]:
                    self.run(int(milliseconds) / 1000)
                case ["touch", *words]:
                    self.peer.touch(*places(words))
                case ["lift", *words]:
                    self.peer.lift(*places(words))
                case ["fail", *words]:
                    self.peer.fail(*places(words))
                case ["mend"]:
                    self.peer.mend()
                case ["heavy", *words]:
                    self.peer.heavy = frozenset(places(words))
                case ["noisy", *words]:
                    self.peer.noisy = frozenset(places(words))
                case ["flags", flags]:
                    self.peer.flags = int(flags)
                case ["cut", "from" | "to" as way] | ["join", "from" | "to" as way]:
                    setattr(self, f"{way}_peer", step.startswith("join"))
                case _:
                    raise ValueError(step)
        return " | ".join(map(text_of, self.taken()))

    def taken(self) -> list[Event]:
        """Return the events since the last call, without repetitions in a row."""
        events, self.events = self.events, []
        return [event for at, event in enumerate(events) if at == 0 or event != events[at - 1]]

    def kinds(self) -> list[int]:
        """The types of the commands that the controller has applied."""
        return [kind for kind, _, _ in self.peer.applied]
