"""Links of phones, as they are kept: who has a place, by which key, and which phone owns it."""

from typing import Annotated, Final

import msgspec
from msgspec.structs import replace

from pi_table.ipc.sealed import PLACES_FOR_PHONES
from pi_table.rules.seat import Seat
from pi_table.sealing.frames import as_text
from pi_table.sealing.seal import KEY_BYTES

PAGES: Final = {Seat.OPERATOR: "/desk"}
"""The page of a link, where it is not that of phones."""

Key = Annotated[bytes, msgspec.Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)]


class Link(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A link for one phone, and the phone that owns it."""

    seat: Seat
    """Whose link it is. The operator's is that of a desk, and has no place among the phones."""
    link_key: Key
    """The link key, which stands in the QR code."""
    device: Key | None = None
    """The device key of the phone that opened the link first; None until one has."""

    def __repr__(self) -> str:
        return "Link(…)"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        return [("seat", self.seat.value), ("keys", "hidden")]

    @property
    def page(self) -> str:
        """What is opened to have the link: a page, and the key behind it, which no server is
        sent."""
        return f"{PAGES.get(self.seat, '/seat')}#{as_text(self.link_key)}"


class Links(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every link that there is."""

    game: int | None = None
    """The number of the game whose guests have the links; None where there are none."""
    places: tuple[Link | None, ...] = (None,) * PLACES_FOR_PHONES
    """The link in each place; None where the place is free."""
    desk: Link | None = None
    """The link of the operator's desk."""

    def __bool__(self) -> bool:
        """Is there a link for a phone?"""
        return any(self.places)

    def of(self, seat: Seat) -> Link | None:
        """The link of a seat; None where it has none."""
        if seat is Seat.OPERATOR:
            return self.desk
        return next((link for link in self.places if link and link.seat is seat), None)

    def has_room_for(self, seat: Seat) -> bool:
        """Is there a place for a link of this seat, be it in the stead of the one it has?"""
        return seat is Seat.OPERATOR or None in self.places or self.of(seat) is not None

    def made(self, seat: Seat, key: bytes, game: int | None) -> "Links":
        """With a link of this key for a seat, in the stead of the one it had. There must be
        room."""
        link = Link(seat, key)
        if seat is Seat.OPERATOR:
            return replace(self, desk=link)
        old = self.of(seat)
        return replace(self, game=game, places=_with(self.places, self.places.index(old), link))

    def claimed(self, seat: Seat, key: bytes, device: bytes) -> "Links":
        """With this phone as the owner of the seat's link, if the link has that key, and no owner
        yet."""
        link = self.of(seat)
        if link is None or link.link_key != key or link.device is not None:
            return self
        owned = replace(link, device=device)
        if seat is Seat.OPERATOR:
            return replace(self, desk=owned)
        return replace(self, places=_with(self.places, self.places.index(link), owned))

    def ended(self, seat: Seat) -> "Links":
        """Without the link of a seat."""
        link = self.of(seat)
        if link is None:
            return self
        if seat is Seat.OPERATOR:
            return replace(self, desk=None)
        places = _with(self.places, self.places.index(link), None)
        return replace(self, game=self.game if any(places) else None, places=places)

    def all_ended(self) -> "Links":
        """Without any link of a phone. The operator's stays: whoever runs the place has not
        gone."""
        return Links(desk=self.desk)

    def following(self, game: int) -> "Links":
        """The same links for the same guests, who play another game."""
        return replace(self, game=game) if self else self


def _with(places: tuple[Link | None, ...], at: int, link: Link | None) -> tuple[Link | None, ...]:
    return (*places[:at], link, *places[at + 1 :])
