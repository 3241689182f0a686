"""The link's state machine: where everything that can happen leads, and what is drawn of it."""

from pathlib import Path

import pytest
from diagrams import diagram_in
from peer import Peer

import pi_table.devices.wire
from pi_table.devices.wire.codec import frame
from pi_table.devices.wire.link import TABLE, Event, Link, Sign, Standing
from pi_table.devices.wire.touches import NOTHING_READ

README = Path(pi_table.devices.wire.__file__).with_name("README.md")
ARROWS = {(start, sign, end) for sign, leads in TABLE.items() for start, end in leads.items()}
LINKED = {Standing.UP, Standing.BEHIND, Standing.DOUBTED}

REACHED = {
    Standing.CLOSED: "",
    Standing.GREETING: "open greet",
    Standing.OTHER_PROTOCOL: "open greet other-hello",
    Standing.MET: "open greet hello",
    Standing.UP: "open greet hello state",
    Standing.BEHIND: "open greet hello state stall",
    Standing.DOUBTED: "open greet hello state 0.2",
}
"""Events that bring the link to each standing."""

COURSE = """
                open            close   hello    other-hello     state           heard-us        0.2             0.6             gap             stall           new-hello  new-state
closed          greeting        closed  closed   closed          closed          closed          closed          closed          closed          closed          closed     closed
greeting        greeting        closed  met      other_protocol  greeting        greeting        greeting        greeting        greeting        greeting        met        greeting
other_protocol  other_protocol  closed  met      other_protocol  other_protocol  other_protocol  other_protocol  other_protocol  other_protocol  other_protocol  met        other_protocol
met             met             closed  met      other_protocol  up              up              met             met             up              met             met        met
up              up              closed  up       other_protocol  up              up              doubted         greeting        greeting        behind          met        greeting
behind          behind          closed  behind   other_protocol  behind          up              doubted         greeting        greeting        behind          met        greeting
doubted         doubted         closed  doubted  other_protocol  up              up              doubted         greeting        greeting        behind          met        greeting
"""  # noqa: E501
"""Where each thing that can happen leads from each standing. 0.2 and 0.6 are seconds in which the
controller says nothing; in a stall nobody looks. After a gap, states of a second are missing."""
GLANCE = 0.1
"""Seconds in which somebody looks at the port once."""


class Walked(Link):
    """A link that remembers its way, and a controller that speaks as it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: set[tuple[Standing, Sign, Standing]] = set()
        self.peer, self.other_start = Peer(boot=1), Peer(boot=2)
        self.now = 0.0

    def play(self, acts: str) -> list[Event]:
        events: list[Event] = []
        for act in acts.split():
            events += self._play(act)
        return events

    def _play(self, act: str) -> list[Event]:
        match act:
            case "open":
                self.on_open()
                return []
            case "close":
                return self.on_close()
            case "greet":
                self.peer.receive(self.to_send(self.now))
                return []
            case "hello":
                return self._hears(self.peer.hello())
            case "other-hello":
                return self._hears(Peer(protocol=1).hello())
            case "state":
                return self._hears(self.peer.state(self.now))
            case "heard-us":
                self.peer.receive(self.to_send(self.now))
                return self._hears(self.peer.state(self.now))
            case "gap":
                self.peer.state(self.now)
                return self._hears(self.peer.state(self.now + 1.0))
            case "stall":
                self.now += 1.0
                return self.tick(self.now)
            case "new-hello":
                return self._hears(self.other_start.hello())
            case "new-state":
                return self._hears(self.other_start.state(self.now))
        events: list[Event] = []
        for _ in range(round(float(act) / GLANCE)):
            self.now += GLANCE
            events += self.tick(self.now)
        return events

    def _hears(self, message: bytes) -> list[Event]:
        return self.receive(frame(message), self.now)

    def _apply(self, sign: Sign) -> list[Event]:
        start = self.standing
        events = super()._apply(sign)
        if self.standing is not start:
            self.steps.add((start, sign, self.standing))
        return events


def course() -> dict[tuple[Standing, str], Standing]:
    acts, *rows = (line.split() for line in COURSE.strip().splitlines())
    return {
        (Standing(start), act): Standing(end)
        for start, *ends in rows
        for act, end in zip(acts, ends, strict=True)
    }


@pytest.mark.parametrize(
    ("start", "act", "end"),
    [(start, act, end) for (start, act), end in course().items()],
    ids=lambda part: part.value if isinstance(part, Standing) else part,
)
def test_what_happens_leads_where_the_course_says(start: Standing, act: str, end: Standing) -> None:
    link = Walked()
    link.play(REACHED[start])
    assert link.standing is start
    events = link.play(act)
    assert link.standing is end
    assert (events == [NOTHING_READ]) == (start in LINKED and end not in LINKED)
    assert link.is_up == (end in LINKED)
    assert (link.state is not None) == (end in LINKED)
    assert (link.hello is not None) == (end in LINKED or end is Standing.MET)
    assert (link.other_protocol is not None) == (end is Standing.OTHER_PROTOCOL)


def test_every_arrow_is_walked_and_nothing_else() -> None:
    walked = set()
    for start, act in course():
        link = Walked()
        link.play(f"{REACHED[start]} {act}")
        walked |= link.steps
    assert walked == ARROWS


def test_no_sign_is_without_a_row() -> None:
    assert [*TABLE] == [*Sign]


def test_the_readme_shows_every_arrow_of_the_table() -> None:
    arrows = {(start.value, sign.value, end.value) for start, sign, end in ARROWS}
    assert diagram_in(README) == ({Link().standing.value}, arrows)
