"""The handshake of an encrypted link, as a value. It does no input or output.

Phones and the operator's desk greet the engine in the same way:

1. The engine draws a *link key* and shows it in a QR code. Everybody who scans the code has the
   link key.
2. The page draws a *device key* and a *hello*. It knocks: it sends both, sealed under the link key.
3. The first device key under a link key is a *claim* to the link. The engine stores the owner
   before it answers, so a restart cannot give the link to another device.
4. All later frames are sealed under the device key. A person who scans the code later can knock,
   but cannot open these frames.
5. Each further knock of the owner needs a new hello. So a recorded knock has no effect.
6. Each message of a page names the engine's *session*, drawn when the engine starts, and the
   page's last hello. So messages from before a restart, or from before the page was loaded again,
   are ignored.

Keys, hellos and sessions are compared only after a seal was opened. An attacker without a key
therefore learns nothing from the duration of the comparison.
"""

import enum
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from pi_table.protocols.sealing.frames import from_text
from pi_table.protocols.sealing.seal import KEY_BYTES, unseal

HELLO_BYTES: Final = 16
SESSION_BYTES: Final = 16
MAX_HELLOS: Final = 4096
"""Maximum number of hellos of one link in a session. A page that needs more needs a new link."""


class Knock(msgspec.Struct, frozen=True):
    """The JSON of a knock: a page's device key and its new hello."""

    k: str
    """The device key: 32 bytes, encoded by `frames.as_text`."""
    h: str
    """The hello: 16 random bytes. The page draws a new hello when it is loaded, and when it has
    received nothing for a while."""

    def __repr__(self) -> str:
        return "Knock(…)"


class Greeting(msgspec.Struct, frozen=True):
    """The decoded contents of a knock: device key and hello."""

    device: bytes
    hello: bytes

    def __repr__(self) -> str:
        return "Greeting(…)"


class Outcome(enum.Enum):
    """Results of a knock."""

    IGNORED = enum.auto()
    CLAIM = enum.auto()
    """The link has no owner yet: store this device as its owner."""
    STRANGER = enum.auto()
    """Another device owns the link."""
    GREETED = enum.auto()
    """The owner knocked with a new hello."""


class Handshake(msgspec.Struct, frozen=True):
    """The state of one link's handshake since the start of the engine."""

    hello: bytes = b""
    """The current hello; empty before the first knock was accepted."""
    hellos: frozenset[bytes] = frozenset()
    """All hellos that were used in this session."""
    claim: Greeting | None = None
    """The knock whose device is being stored as the link's owner; None if no device is being
    stored."""
    tried: bool = False
    """True if a device that does not own the link tried to open the link."""

    def __repr__(self) -> str:
        return "Handshake(…)"

    def knock(self, greeting: Greeting, owner: bytes | None) -> "tuple[Handshake, Outcome]":
        """Apply a knock that was sealed under the link key. ``owner`` is the stored device key, or
        None."""
        # 1. Without an owner, the first knock is a claim. While the claim is being stored, other
        #    knocks are ignored. Their pages knock again later, when step 2 applies.
        if owner is None:
            if self.claim is not None:
                return self, Outcome.IGNORED
            return replace(self, claim=greeting), Outcome.CLAIM
        # 2. A device that scanned the code later has the link key, but another device key. The
        #    owner is warned that somebody tried.
        if greeting.device != owner:
            return replace(self, tried=True), Outcome.STRANGER
        # 3. A hello counts once: a knock that was recorded on the network must not set an old
        #    hello again, under which old messages would count.
        if greeting.hello in self.hellos or len(self.hellos) >= MAX_HELLOS:
            return self, Outcome.IGNORED
        return self._accept(greeting), Outcome.GREETED

    def on_owner_stored(self, owner: bytes | None) -> "tuple[Handshake, Outcome]":
        """Accept or reject the claim after the links were stored. ``owner`` is the device key that
        is stored now."""
        if self.claim is None or owner is None:
            return self, Outcome.IGNORED  # there is no claim, or it is not stored yet
        # The stored owner may be another device than the one that claimed the link.
        if self.claim.device != owner:
            return replace(self, claim=None, tried=True), Outcome.STRANGER
        return self._accept(self.claim), Outcome.GREETED

    def drop_claim(self, greeting: Greeting) -> "Handshake":
        """Drop the claim ``greeting``, because it could not be stored. Keep any other claim."""
        return replace(self, claim=None) if self.claim == greeting else self

    def is_current(self, session: bytes, s: str, h: str) -> bool:
        """True if ``s`` is the engine's session and ``h`` is the current hello, both as text from
        JSON."""
        # Before the first hello ``self.hello`` is empty, and nothing is current.
        return (
            bool(self.hello)
            and from_text(s, SESSION_BYTES) == session
            and from_text(h, HELLO_BYTES) == self.hello
        )

    def _accept(self, greeting: Greeting) -> "Handshake":
        hello = greeting.hello
        return replace(self, hello=hello, hellos=self.hellos | {hello}, claim=None)


class Keys(Protocol):
    """The link key and the device key of a link."""

    @property
    def link_key(self) -> bytes: ...
    @property
    def device(self) -> bytes | None: ...


class OpenedFrame(NamedTuple):
    """A decrypted frame and its link."""

    place: int
    """Index of the link whose key opened the frame."""
    is_knock: bool
    plain: bytes


def open_frame(
    frame: bytes, up: bytes, knock: bytes, links: Sequence[Keys | None]
) -> OpenedFrame | None:
    """Find the link whose key opens a frame; return None if no key opens it. ``up`` is the kind of
    frame that device keys open, and ``knock`` the kind that link keys open.

    The device keys are tried first, because nearly every frame is from an owner.
    """
    # A frame does not name its link, so every key is tried. Only the right key opens the frame,
    # because the tag depends on the key and on the kind.
    for place, link in enumerate(links):
        if link is not None and link.device is not None:
            plain = unseal(frame, up, link.device)
            if plain is not None:
                return OpenedFrame(place, False, plain)
    # A link key opens knocks only: a person with just the QR code can claim a free link, no more.
    for place, link in enumerate(links):
        if link is not None:
            plain = unseal(frame, knock, link.link_key)
            if plain is not None:
                return OpenedFrame(place, True, plain)
    return None


def read_knock(text: bytes) -> Greeting | None:
    """Return the greeting in the JSON of a knock; None if the JSON is invalid."""
    try:
        knock = _KNOCK.decode(text)
    except (ValueError, RecursionError):  # RecursionError: JSON nested too deeply
        return None
    device, hello = from_text(knock.k, KEY_BYTES), from_text(knock.h, HELLO_BYTES)
    return None if device is None or hello is None else Greeting(device, hello)


_KNOCK: Final[msgspec.json.Decoder[Knock]] = msgspec.json.Decoder(Knock)
