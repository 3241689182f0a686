"""Codes of agents and the operator's PIN, guessed by whoever has a phone, or many."""

from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Final

import pytest
from attacked import Attacked, WithoutPages, ask, join, link
from patience import PATIENCE
from sealed_phone import Json, Phone, base64url

pytestmark = pytest.mark.paced

SEATS: Final = tuple(f"agent-{number}" for number in range(1, 7))
RIGHT: Final = "4711"


class Round(WithoutPages):
    """A game of Codex whose six agents all have phones, of which an attack has one."""

    def __init__(self, table: Attacked) -> None:
        super().__init__(table)
        begun = self.console.ask("start", profile="codex", options={"screens": "phones"})
        assert begun["ok"], begun
        self.phones = {seat: Phone(link(self.console, seat)) for seat in SEATS}
        self.asked = 0
        self.beat(lambda phone: {}, lambda phone: "ready" in phone.message.get("may", ()))

    def beat(self, do: object, until: object) -> None:
        """Let all six speak at each beat until this is so of each."""
        assert callable(do)
        assert callable(until)
        end = monotonic() + PATIENCE
        while monotonic() < end:
            frames = []
            for phone in self.phones.values():
                more = do(phone) if phone.is_heard else {}
                frames.append(phone.next_frame(**more))
            self.relay.relay(*frames)
            block = self.relay.block()
            for phone in self.phones.values():
                phone.hear(block)
            if all(phone.is_heard and until(phone) for phone in self.phones.values()):
                return
        told = {seat: phone.message for seat, phone in self.phones.items()}
        raise AssertionError(f"The phones do not come so far: {told}")

    def all_ask(self, **do: object) -> None:
        """Let all six ask for the same, which must be done."""
        self.asked += 1

        def answered(phone: Phone) -> bool:
            answer = phone.message.get("answer")
            return bool(answer and answer["id"] == self.asked)

        self.beat(lambda phone: {"id": self.asked, "do": do}, answered)
        for seat, phone in self.phones.items():
            assert phone.message["answer"]["ok"], (seat, do, phone.message["answer"])

    def carry(self, frame: bytes) -> bytes:
        """The frame of one of them; the others go on beating."""
        return self.relay.carry(frame)


@pytest.fixture
def second_lap(tmp_path: Path) -> Iterator[Round]:
    """All six have chosen codes and sent something: each is asked for the code now."""
    table = Attacked(tmp_path, pages=False)
    try:
        codex = Round(table)
        codex.all_ask(act="ready")
        codex.all_ask(act="choose-code", code=RIGHT)
        codex.asked += 1
        send = {"act": "send", "facts": ["role"]}
        others = {seat: SEATS[number - 1] for number, seat in enumerate(SEATS)}
        asked = codex.asked

        def wish(phone: Phone) -> Json:
            return {"id": asked, "do": send | {"to": others[phone.message["seat"]]}}

        codex.beat(wish, lambda phone: bool(phone.message["answer"]))
        codex.all_ask(act="done")
        codex.beat(lambda phone: {}, lambda phone: "ready" in phone.message["may"])
        codex.all_ask(act="ready")
        yield codex
        codex.close()
    finally:
        table.close()


def test_a_code_of_an_agent_is_tried_three_times_whatever_a_phone_does(second_lap: Round) -> None:
    # CX-19
    seat = SEATS[0]
    thief = second_lap.phones[seat]
    number = 100
    left = []
    for code in ("0000", "0001"):
        number += 1
        answer = ask(thief, second_lap.carry, number, act="enter-code", code=code)
        left.append((answer["ok"], thief.message["door"]["tries_left"]))
    # A reload is no fresh start.
    again = Phone("/seat#" + base64url(thief.link_key), thief.device)
    join(again, second_lap.carry)
    assert again.message["door"]["tries_left"] == 1
    ask(again, second_lap.carry, 1, act="enter-code", code="0002")
    refused = ask(again, second_lap.carry, 2, act="enter-code", code=RIGHT)
    assert not refused["ok"]
    for _ in range(4):
        again.hear(second_lap.carry(again.say(hold=True)))
    assert again.message["agent"] is None


def test_a_code_is_not_guessed_in_one_burst(second_lap: Round) -> None:
    thief = second_lap.phones[SEATS[1]]
    guesses = [f"{number:04}" for number in range(28)] + [RIGHT]
    frames = [
        thief.say(id=200 + number, do={"act": "enter-code", "code": code})
        for number, code in enumerate(guesses)
    ]
    second_lap.relay.relay(*frames)
    for _ in range(6):
        thief.hear(second_lap.carry(thief.say(hold=True)))
    assert thief.message["agent"] is None
