"""Phones that have a seat at a table in virtual time."""

from typing import Any

from phone import Phone
from virtual_table import VirtualTable


class Phones:
    """The phones at a table, by their seats, each of which sends a frame at each beat."""

    def __init__(self, table: VirtualTable) -> None:
        self.table = table
        self.phones: dict[str, Phone] = {}
        self.beats()

    def beats(self, times: int = 1) -> None:
        """Let so many beats pass."""
        for _ in range(times):
            block = self.table.beat(*(phone.next() for phone in self.phones.values()))
            for phone in self.phones.values():
                phone.hear(block)

    def link(self, seat: str) -> str:
        """A new link for a seat, as its QR code has it."""
        verdict = self.table.ask("phone", **{"for": seat})
        assert verdict.ok, verdict.sentence
        assert verdict.told["for"] == seat
        link: str = verdict.told["link"]
        return link

    def join(self, seat: str) -> Phone:
        """A phone that has that seat, and was heard."""
        phone = self.phones[seat] = Phone(self.link(seat))
        self.beats(3)
        assert phone.session
        return phone

    def ask(self, seat: str, act: Any, /, **fields: Any) -> Any:
        """Ask for something on a phone, and have the answer."""
        phone = self.phones[seat]
        phone.ask(act, **fields)
        for _ in range(20):
            self.beats()
            if phone.answer is not None:
                return phone.answer
        raise AssertionError(f"Nobody answers {seat} about {act}.")
