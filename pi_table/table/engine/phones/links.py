"""The stored links of phones.

Each link is for one seat in one game, and for the phone that opens it first.
"""

import enum
from collections.abc import Collection
from typing import Annotated, Final

import msgspec
from msgspec.structs import replace

from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.sealed import PLACES_FOR_PHONES
from pi_table.protocols.sealing.frames import as_text
from pi_table.protocols.sealing.seal import KEY_BYTES

PAGES: Final = {Seat.OPERATOR: "/desk"}
"""Paths of the pages that links open, by seat. Seats that are not listed use the page
for phones."""

KeyBytes = Annotated[bytes, msgspec.Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)]


class Keeps(enum.Enum):
    """Which phones keep their seats when another game begins."""

    NONE = enum.auto()
    ASKED = enum.auto()
    """A phone keeps its seat if its user confirms this by holding a finger on it."""
    ALL = enum.auto()
    """Every phone keeps its seat, because in this family a seat is a person."""


class Link(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    seat: Seat
    """The seat that the link is for. The operator's link is for a desk, which uses none of
    `Links.places`."""
    link_key: KeyBytes
    """Random bytes that are in the QR code."""
    device: KeyBytes | None = None
    """The device key of the owner, which is the phone that opened the link first; None until a
    phone has opened the link."""
    game: int | None = None
    """The game that the link is for; None for a desk."""
    waits: bool = False
    """True if the link waits for its first device without a time limit, even over a restart. The
    desk of a table without a hidden screen has such a link, in a file on the table's SD card."""

    def __repr__(self) -> str:
        return "Link(…)"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        return [("seat", self.seat.value), ("keys", "hidden")]

    @property
    def page(self) -> str:
        """The path of the page to open, ``#``, and the link key. Browsers never send the part after
        ``#`` to a server, so the server cannot learn the key."""
        return f"{PAGES.get(self.seat, '/seat')}#{as_text(self.link_key)}"


class Links(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    places: tuple[Link | None, ...] = (None,) * PLACES_FOR_PHONES
    """A link for each phone that can have a seat; None if the entry is free."""
    desk: Link | None = None

    def __bool__(self) -> bool:
        return any(self.places)

    def of(self, seat: Seat) -> Link | None:
        if seat is Seat.OPERATOR:
            return self.desk
        return next((link for link in self.places if link and link.seat is seat), None)

    def has_room_for(self, seat: Seat) -> bool:
        """True if this seat can have a new link, which may replace its old one."""
        return seat is Seat.OPERATOR or None in self.places or self.of(seat) is not None

    def with_link(self, seat: Seat, key: bytes, game: int | None) -> "Links":
        """Return the links with a new link for ``seat``, replacing its old one.
        `has_room_for(seat)` must be True."""
        link = Link(seat, key, game=game)
        if seat is Seat.OPERATOR:
            return replace(self, desk=link)
        return self._with(self.of(seat), link)

    def with_waiting_desk(self, key: bytes) -> "Links":
        """Return the links with a desk link that has this key and waits for its first device.
        Nothing changes if the desk's link has this key already."""
        if self.desk is not None and self.desk.link_key == key:
            return self
        return replace(self, desk=Link(Seat.OPERATOR, key, waits=True))

    def with_owner(self, seat: Seat, key: bytes, device: bytes) -> "Links":
        """Return the links with the device key ``device`` as the owner of the seat's link. Nothing
        changes if the seat has no link with the link key ``key``, or if that link already has an
        owner."""
        link = self.of(seat)
        if link is None or link.link_key != key or link.device is not None:
            return self
        owned = replace(link, device=device, waits=False)
        if seat is Seat.OPERATOR:
            return replace(self, desk=owned)
        return self._with(link, owned)

    def without(self, seat: Seat) -> "Links":
        link = self.of(seat)
        if link is None:
            return self
        if seat is Seat.OPERATOR:
            return replace(self, desk=None)
        return self._with(link, None)

    def without_phones(self) -> "Links":
        """Return only the desk's link, which does not end when the guests leave."""
        return Links(desk=self.desk)

    def following(self, game: int, seats: Collection[Seat]) -> "Links":
        """Return the links, with those of ``seats`` moved to the game with this number."""
        following = (
            replace(link, game=game) if link and link.seat in seats else link
            for link in self.places
        )
        return replace(self, places=tuple(following))

    def valid_for(self, game: int | None) -> "Links":
        """Return the links that stay valid after a restart: the desk's, and those that a phone has
        opened for this game. A QR code that was not scanned becomes invalid. A phone that has not
        yet confirmed its seat for this game loses its link."""
        holding = (
            link if link and link.device and link.game == game else None for link in self.places
        )
        return replace(self, places=tuple(holding))

    def _with(self, old: Link | None, new: Link | None) -> "Links":
        at = self.places.index(old)
        return replace(self, places=(*self.places[:at], new, *self.places[at + 1 :]))
