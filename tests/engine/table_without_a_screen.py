"""A table without a hidden screen, and its operator's phone, which has the link on the card."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from desk_page import PIN, DeskPage
from phone import Phone
from phones_at_a_table import Phones
from virtual_table import VirtualTable

from pi_table.protocols.sealing.frames import from_text
from pi_table.protocols.sealing.seal import KEY_BYTES
from pi_table.table.engine.storage.card_link import make_card_link
from pi_table.table.engine.storage.pin import hash_pin
from pi_table.table.store.sealed_file import write_sealed

MakeTable = Callable[..., VirtualTable]


def prepare(folder: Path) -> bytes:
    """Do what the settings on the card do before the first start: set the PIN, and make the desk's
    link. Return the link's key."""
    folder.mkdir(exist_ok=True)
    write_sealed(folder / "pin.json", msgspec.json.encode(hash_pin(PIN)))
    key = from_text(make_card_link(folder, None, is_new=False).key or "", KEY_BYTES)
    assert key is not None
    return key


class Evening(Phones):
    """A table at which everything is asked for at the desk, on phones and on the table itself."""

    def __init__(self, make_table: MakeTable, path: Path, **options: Any) -> None:
        link = prepare(path.parent)
        super().__init__(make_table(path, has_screen=False, **options))
        self.desk = DeskPage(self.table, link)
        assert self.desk.knock()
        self.do("unlock", pin=PIN)

    def do(self, act: str, **fields: Any) -> Any:
        """Ask for something at the desk that is done; return what is told."""
        answer = self.desk.ask(act, **fields)
        assert answer["ok"], (act, answer["sentence"])
        return answer["told"]

    def refused(self, act: str, **fields: Any) -> str:
        """Ask for something at the desk that is refused; return the reason."""
        answer = self.desk.ask(act, **fields)
        assert not answer["ok"], act
        return str(answer["reason"])

    def link(self, seat: str) -> str:
        told = self.do("phone", **{"for": seat})
        assert told["for"] == seat
        return str(told["link"])

    def play(self, seat: str, act: str, **fields: Any) -> None:
        """Ask for something on a phone that is done."""
        answer = self.ask(seat, act, **fields)
        assert answer["ok"], (seat, act, answer)

    def seen(self, seat: str) -> Any:
        """What a phone shows while a finger is held on it."""
        phone: Phone = self.phones[seat]
        phone.hold = True
        self.beats(12)
        shown, phone.hold = phone.message, False
        return shown
