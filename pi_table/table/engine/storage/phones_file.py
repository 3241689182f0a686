"""The file with the links of phones. New links get their keys here.

With this file, a restart does not require new QR codes.
"""

import os
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from pi_table.common.errors import StorageError
from pi_table.common.language import say
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.sealed import PLACES_FOR_PHONES
from pi_table.protocols.sealing.frames import from_text
from pi_table.protocols.sealing.seal import KEY_BYTES
from pi_table.table.engine.phones.links import Links
from pi_table.table.engine.storage.card_link import note_opened, read_card_link, remove_card_link
from pi_table.table.store.sealed_file import read_sealed, write_sealed

PHONES: Final = "phones.json"


class PhonesFile:
    """All links, in a file that only the engine's user can read. If the file is damaged, or of
    another version, there are no links, and everybody must scan a new QR code. The first new link
    replaces the file."""

    def __init__(self, folder: Path, chance: Callable[[int], bytes] = os.urandom) -> None:
        """``chance`` returns as many random bytes as its argument says. They are used as keys of
        links."""
        self._folder = folder
        self._path = folder / PHONES
        self._chance = chance
        self.links = Links()
        self.fault: str | None = None
        """The fault of the file as a sentence; None if there is none."""
        try:
            text = read_sealed(self._path)
            if text is not None:
                self.links = _links(text)
        except (StorageError, ValueError) as error:
            why = (
                error
                if isinstance(error, StorageError)
                else say(
                    "The file {path} holds links that this version of pi-table does not know.",
                    path=self._path,
                )
            )
            self.fault = say(
                "{why} Every phone with a seat, and the operator’s desk, needs a new code.",
                why=why,
            )
        card = read_card_link(folder)
        key = None if card is None or card.key is None else from_text(card.key, KEY_BYTES)
        if key is not None:
            self.links = self.links.with_waiting_desk(key)
        elif card is not None and self.links.desk is None:
            # The links have lost the device that opened the card's link, so nobody could open the
            # desk again.
            with suppress(OSError):
                remove_card_link(folder)

    def make(self, seat: Seat, game: int | None) -> str:
        """Make a new link for a seat; return the path of the page to open. Raises StorageError."""
        self._keep(self.links.with_link(seat, self._chance(KEY_BYTES), game))
        link = self.links.of(seat)
        assert link is not None
        return link.page

    def claim(self, seat: Seat, key: bytes, device: bytes) -> None:
        """Make a phone the owner of the seat's link, unless the link already has an owner. If this
        raises StorageError, nothing has changed."""
        self._keep(self.links.with_owner(seat, key, device))
        if seat is Seat.OPERATOR:
            self._note_on_card(note_opened)

    def end(self, seat: Seat | None) -> None:
        """End the link of a seat, or of all phones if ``seat`` is None. Raises StorageError if this
        cannot be stored; a restart would then bring the link back."""
        if seat is Seat.OPERATOR:
            self._note_on_card(remove_card_link)
        self._change(self.links.without_phones() if seat is None else self.links.without(seat))

    def _change(self, links: Links) -> None:
        """Change the links and store them. If they cannot be stored, they are still changed until
        the next restart."""
        try:
            self._keep(links)
        finally:
            self.links = links

    def follow(self, game: int, seats: Collection[Seat]) -> None:
        """Move these seats' phones to another game. Raises StorageError if the move cannot be
        stored; a restart would then undo the move."""
        self._change(self.links.following(game, seats))

    def _note_on_card(self, note: Callable[[Path], None]) -> None:
        """Note a change of the link that is on the table's card, if there is one. If this fails,
        the card shows a link for longer that opens nothing any more."""
        if read_card_link(self._folder) is not None:
            with suppress(OSError):
                note(self._folder)

    def _keep(self, links: Links) -> None:
        if links != self.links or self.fault is not None:
            write_sealed(self._path, msgspec.json.encode(links))
        self.links, self.fault = links, None


def _links(text: bytes) -> Links:
    kept = msgspec.json.decode(text, type=dict[str, Any])
    kept.pop("game", None)  # written up to version 0.8; now each link names its game
    found = msgspec.convert(kept, Links)
    seats = [link.seat for link in found.places if link is not None]
    if (
        len(found.places) != PLACES_FOR_PHONES
        or len({*seats}) != len(seats)
        or Seat.OPERATOR in seats
        or (found.desk is not None and found.desk.seat is not Seat.OPERATOR)
    ):
        raise ValueError
    return found
