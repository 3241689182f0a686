"""Frames are replayed: at once, later, after a reload, after a restart."""

import os
from collections.abc import Iterator

import pytest
from attacked import Attacked, WithoutPages, ask, join, link, new_game, until
from sealed_phone import DOWN, UP, Phone, base64url, upward

pytestmark = pytest.mark.paced

CELLS = ("A1", "B2", "C3")


class Recorded(WithoutPages):
    """A phone of operatives, whose every frame has been recorded on its way."""

    def __init__(self, table: Attacked) -> None:
        super().__init__(table)
        self.up: list[bytes] = []
        self.down: list[bytes] = []
        self.turn = new_game(self.console)
        self.console.do("clue", f"{self.turn}-spymaster", word="again", number=3)
        self.phone = join(Phone(link(self.console, f"{self.turn}-operatives")), self.carry)
        for number, cell in enumerate((*CELLS, CELLS[0]), 1):  # the last takes its mark away
            assert ask(self.phone, self.carry, number, act="mark", cell=cell)["ok"]
        assert self.marks == self.expected

    @property
    def expected(self) -> dict[str, str]:
        return dict.fromkeys(CELLS[1:], self.turn)

    @property
    def marks(self) -> dict[str, str]:
        marks: dict[str, str] = self.public["marks"]
        return marks

    def carry(self, frame: bytes) -> bytes:
        block = self.relay.carry(frame)
        self.up.append(frame)
        self.down.append(block)
        return block

    def replay(self) -> None:
        """Send every recorded frame again, forwards and backwards."""
        frames = [*self.up, *reversed(self.up)]
        for start in range(0, len(frames), 16):
            self.relay.relay(*frames[start : start + 16])
        self.relay.block()
        self.relay.block()


@pytest.fixture
def recorded(running: Attacked) -> Iterator[Recorded]:
    """The same table for all of them, with a new game and a new phone each."""
    recorded = Recorded(running)
    yield recorded
    recorded.close()


def test_a_frame_that_was_taken_is_never_taken_again(recorded: Recorded) -> None:
    recorded.replay()
    recorded.replay()
    assert recorded.marks == recorded.expected
    assert ask(recorded.phone, recorded.carry, 9, act="mark", cell="E5")["ok"]  # not kicked out


def test_frames_of_before_a_reload_do_nothing(recorded: Recorded) -> None:
    again = Phone("/seat#" + base64url(recorded.phone.link_key), recorded.phone.device)
    join(again, recorded.relay.carry)
    recorded.replay()
    assert recorded.marks == recorded.expected
    # The old hello does not come back by an old knock: the page that is open is heard.
    assert again.hear(recorded.relay.carry(again.say())) is not None
    assert recorded.phone.hear(recorded.relay.carry(recorded.phone.say())) is None


def test_frames_of_before_a_restart_do_nothing(recorded: Recorded) -> None:
    recorded.close()
    recorded.table.engine.kill()
    recorded.table.start_engine()
    recorded.relay, recorded.console = recorded.table.relay(), recorded.table.console()
    assert recorded.marks == {}  # marks are no part of the journal
    recorded.replay()
    assert recorded.marks == {}
    # The phone is the same, and comes back by itself.
    again = Phone("/seat#" + base64url(recorded.phone.link_key), recorded.phone.device)
    join(again, recorded.relay.carry)
    recorded.replay()
    assert recorded.marks == {}
    assert ask(again, recorded.carry, 1, act="mark", cell="E5")["ok"]
    assert recorded.marks == {"E5": recorded.turn}


def test_a_frame_is_nothing_in_the_other_direction(recorded: Recorded) -> None:
    blocks = b"".join(recorded.down)
    frames = [blocks[start : start + DOWN] for start in range(0, len(blocks), DOWN)]
    halves = [frame[:UP] for frame in frames] + [frame[UP:] for frame in frames]
    for start in range(0, len(halves), 32):
        recorded.relay.relay(*halves[start : start + 32])
    phone = recorded.phone
    mark = {"s": phone.session, "h": phone.hello, "n": 10**6, "hold": True, "id": 77}
    mark["do"] = {"act": "mark", "cell": "E5"}
    hello = {"k": base64url(phone.device), "h": base64url(os.urandom(16))}
    recorded.relay.relay(
        upward(mark, b"pi-table/1 down", phone.device),
        upward(mark, b"pi-table/1 knock", phone.device),
        upward(mark, b"pi-table/1 knock", phone.link_key),
        upward(mark, b"pi-table/1 up", phone.link_key),
        upward(mark, b"pi-table/1 desk up", phone.device),
        upward(mark, b"", phone.device),
        upward(hello, b"pi-table/1 knock", phone.device),
        upward(hello, b"pi-table/1 up", phone.link_key),
        upward(hello, b"pi-table/1 desk knock", phone.link_key),
    )
    recorded.relay.block()
    assert recorded.marks == recorded.expected
    assert phone.hear(recorded.relay.carry(phone.say())) is not None


def test_frames_that_come_late_are_dropped_and_the_newest_counts(recorded: Recorded) -> None:
    phone = recorded.phone
    early = [phone.say(id=10 + n, do={"act": "mark", "cell": f"D{n}"}) for n in range(1, 4)]
    assert ask(phone, recorded.carry, 20, act="mark", cell="E5")["ok"]
    recorded.relay.relay(*early)
    recorded.relay.block()
    assert recorded.marks == recorded.expected | {"E5": recorded.turn}


def test_an_act_that_is_repeated_until_it_is_answered_is_done_once(recorded: Recorded) -> None:
    phone = recorded.phone
    frames = [phone.say(id=30, do={"act": "mark", "cell": "E5"}) for _ in range(9)]
    recorded.relay.relay(*frames)
    recorded.relay.block()
    assert recorded.marks == recorded.expected | {"E5": recorded.turn}


def test_every_block_is_new_and_of_one_length(recorded: Recorded) -> None:
    # What comes again could be told from what is drawn by chance.
    blocks = b"".join(recorded.down)
    frames = [blocks[start : start + DOWN] for start in range(0, len(blocks), DOWN)]
    assert {len(block) for block in recorded.down} == {6 * DOWN}
    assert len({frame[:24] for frame in frames}) == len(frames)
    assert until(recorded.phone, recorded.carry, lambda phone: True)
