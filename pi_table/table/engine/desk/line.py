"""The sealed line of the operator's desk, as a value: what was heard of it, and what it is told.

A desk asks one thing at a time, by a count that rises. What was asked is done once: who asks the
same again, because an answer was lost, is given that answer again. Every answer is sealed with a
nonce that came with the question, and used for nothing else. ``now`` is in seconds of the table's
clock.
"""

from base64 import b64encode
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from pi_table.common.language import LANGUAGES, Lang, in_english, say, written
from pi_table.protocols.ipc.messages import PhoneState
from pi_table.protocols.ipc.phones import Count
from pi_table.protocols.ipc.sealed import CODE_SECONDS
from pi_table.protocols.sealing.frames import DESK_DOWN, DESK_KNOCK, DESK_UP, as_text, from_text
from pi_table.protocols.sealing.handshake import (
    HELLO_BYTES,
    Handshake,
    Outcome,
    open_frame,
    read_knock,
)
from pi_table.protocols.sealing.seal import sealed
from pi_table.table.engine.phones.links import Link
from pi_table.table.engine.phones.phones import Claim, claim_of
from pi_table.table.engine.storage.transfer import PIECE

AWAY_SECONDS: Final = 60.0
"""After so long without a word a desk is away."""
MOST_TOLD: Final = 4 << 20
"""Bytes of the longest answer, which goes in pieces; one that is longer is refused."""


class Question(msgspec.Struct, frozen=True):
    """What a desk asks: for an act, or for the rest of the last answer."""

    s: str
    """The session: 16 bytes that the engine drew when it was started."""
    h: str
    """The desk's present hello."""
    n: Count
    """The count of this question, greater than that of any before it under this hello."""
    do: dict[str, Any] | None = None
    """An act as JSON."""
    rest: int | None = None
    """From which byte on the rest of the last answer is wanted."""

    def __repr__(self) -> str:
        return "Question(…)"


class DeskAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a desk is answered, once it is opened."""

    s: str
    """The session."""
    h: str = ""
    """The hello under which it was asked."""
    n: int = 0
    """The count of the question; 0 for a knock."""
    anew: bool = False
    """Is the session another one, or the hello not the last? Then the desk knocks again."""
    wait: bool = False
    """Is what was asked for not done yet? Then the desk asks the same again."""
    of: int | None = None
    """How many bytes the whole answer has, where it goes in pieces."""
    piece: str | None = None
    """A piece of it, as base64."""


class DeskRequest(msgspec.Struct, frozen=True):
    """The name of what a desk asked for: the answer finds the desk by it, if it still listens."""

    link: int
    """The number of the link."""
    hello: bytes
    n: int
    lang: Lang
    """The language of whoever sits there."""

    def __repr__(self) -> str:
        return f"DeskRequest({self.n})"


class Call(msgspec.Struct, frozen=True):
    """A desk asks for an act."""

    to: DeskRequest
    do: dict[str, Any]

    def __repr__(self) -> str:
        return f"Call({self.to})"


class Reply(msgspec.Struct, frozen=True):
    """Somebody is to be answered; with nothing, where nobody could open what was asked."""

    to: object
    sealed: bytes = b""


class _Caller(msgspec.Struct, frozen=True):
    """Whoever waits for an answer."""

    to: object
    nonce: bytes

    def __repr__(self) -> str:
        return "_Caller(…)"


News = Claim | Call | Reply


class DeskLine(msgspec.Struct, frozen=True):
    """The line at one instant."""

    session: bytes
    """What the engine drew when it was started."""
    link: Link | None = None
    """The link; None where there is no desk."""
    number: int = 0
    """How many links there were."""
    handshake: Handshake = Handshake()
    count: int = 0
    """The count of the last question under this hello."""
    answer: bytes | None = None
    """The answer to the last question, as JSON; None while there is none."""
    whole: bytes = b""
    """The last answer that goes in pieces."""
    caller: _Caller | None = None
    """Who waits for the answer, or for the link to be kept."""
    heard: float | None = None
    """When the desk was heard last."""
    ends: float = 0.0
    """When the link ends if nobody has opened it by then: at once, where it is from before a
    restart."""

    def __repr__(self) -> str:
        return f"DeskLine({'none' if self.link is None else 'hidden'})"

    def state(self, now: float) -> PhoneState:
        """How it stands with the desk's device, for the hidden screen."""
        if self.link is None or self.link.device is None:
            return PhoneState.WAITING
        here = self.heard is not None and now < self.heard + AWAY_SECONDS
        return PhoneState.HERE if here else PhoneState.AWAY

    @property
    def is_unused(self) -> bool:
        """True while nobody has opened the link that there is."""
        link = self.link
        return link is not None and link.device is None and self.handshake.claim is None

    def wakes(self, now: float) -> float | None:
        """When the link ends unless somebody opens it, or the desk is taken to be away; None if
        neither is due."""
        if self.is_unused:
            return self.ends
        if self.heard is None or self.state(now) is not PhoneState.HERE:
            return None
        return self.heard + AWAY_SECONDS

    # The link

    def linked(self, link: Link | None, now: float) -> "tuple[DeskLine, tuple[Reply, ...]]":
        """The line after another link is kept, or the same one for a device."""
        old = self.link
        if link is None and old is None:
            return self, ()
        if link is None or old is None or link.link_key != old.link_key:
            ends = now + CODE_SECONDS
            return DeskLine(self.session, link, self.number + 1, ends=ends), self._unheard
        handshake, outcome = self.handshake.owner_stored(link.device)
        line = replace(self, link=link, handshake=handshake)
        match outcome:
            case Outcome.GREETED:
                assert self.caller is not None
                line = line._begun(now)
                return line, (line._sealed(self.caller, line._envelope()),)
            case Outcome.STRANGER:
                return replace(line, caller=None), self._unheard
        return line, ()

    def unclaimed(self, claim: Claim) -> "tuple[DeskLine, tuple[Reply, ...]]":
        """The line after a claim could not be kept: the desk will knock again."""
        handshake = self.handshake.drop_claim(claim.greeting)
        is_of_link = self.link is not None and self.link.link_key == claim.link_key
        if not is_of_link or handshake is self.handshake:
            return self, ()
        return replace(self, handshake=handshake, caller=None), self._unheard

    # What comes in

    def asked(
        self, to: object, frame: bytes, nonce: bytes, now: float
    ) -> "tuple[DeskLine, tuple[News, ...]]":
        """The line after somebody has asked, and what comes of it. Everybody who asks is answered,
        sooner or later; ``nonce`` is chance of which nothing else is sealed."""
        caller = _Caller(to, nonce)
        found = open_frame(frame, DESK_UP, DESK_KNOCK, (self.link,))
        if found is None:
            return self, (Reply(to),)
        return (self._knocked if found.is_knock else self._questioned)(caller, found.plain, now)

    def _knocked(
        self, caller: _Caller, plain: bytes, now: float
    ) -> "tuple[DeskLine, tuple[News, ...]]":
        assert self.link is not None
        greeting = read_knock(plain)
        if greeting is None:
            return self, (Reply(caller.to),)
        handshake, outcome = self.handshake.knock(greeting, self.link.device)
        line = replace(self, handshake=handshake)
        match outcome:
            case Outcome.CLAIM:
                return replace(line, caller=caller), (claim_of(self.link, greeting),)
            case Outcome.GREETED:
                line = line._begun(now)
                return line, (*self._unheard, line._sealed(caller, line._envelope()))
        return line, (Reply(caller.to),)

    def _questioned(
        self, caller: _Caller, plain: bytes, now: float
    ) -> "tuple[DeskLine, tuple[News, ...]]":
        try:
            said = msgspec.json.decode(plain, type=Question)
        except (ValueError, RecursionError):
            return self, (Reply(caller.to),)
        if not self.handshake.is_current(self.session, said.s, said.h):
            hello = from_text(said.h, HELLO_BYTES)
            if hello is None:
                return self, (Reply(caller.to),)
            # With the hello of the question: one of another start answers no other.
            anew = DeskAnswer(as_text(self.session), as_text(hello), said.n, anew=True)
            return self, (self._sealed(caller, msgspec.json.encode(anew, enc_hook=in_english)),)
        if said.n < self.count:
            return self, (Reply(caller.to),)
        line = replace(self, heard=now)
        if said.n == self.count:
            if line.answer is not None:
                return line, (line._sealed(caller, line.answer),)
            return line, (line._sealed(caller, line._envelope(wait=True)),)
        line = replace(line, count=said.n, answer=None)
        if said.do is not None:
            wanted = said.do.get("lang")
            lang: Lang = next((each for each in LANGUAGES if each == wanted), "en")
            call = Call(DeskRequest(line.number, line.handshake.hello, said.n, lang), said.do)
            return replace(line, caller=caller, whole=b""), (*self._unheard, call)
        answer = line._envelope_of_piece(said.rest or 0)
        return replace(line, answer=answer), (line._sealed(caller, answer),)

    # What goes out

    def answered(self, to: DeskRequest, told: dict[str, Any]) -> "tuple[DeskLine, Reply | None]":
        """The line after what was asked for is done, or refused; ``told`` is what comes of it."""
        if (to.link, to.hello, to.n) != (self.number, self.handshake.hello, self.count):
            return self, None
        head = {"s": as_text(self.session), "h": as_text(to.hello), "n": self.count}
        whole = msgspec.json.encode({**head, **told}, enc_hook=in_english)
        if len(whole) > MOST_TOLD:
            sentence = say("That is longer than a desk can be told at once: ask for less of it.")
            refused = {"ok": False, "reason": "too-long", "told": None}
            refused["sentence"] = written(sentence, to.lang)
            whole = msgspec.json.encode({**head, **told, **refused}, enc_hook=in_english)
        line = replace(self, answer=whole)
        if len(whole) > PIECE:
            line = replace(line, whole=whole)
            line = replace(line, answer=line._envelope_of_piece(0))
        assert line.answer is not None
        if line.caller is None:
            return line, None
        reply = line._sealed(line.caller, line.answer)
        return replace(line, caller=None), reply

    @property
    def _unheard(self) -> tuple[Reply, ...]:
        """The empty answer to whoever waits, since another one comes in their place."""
        return () if self.caller is None else (Reply(self.caller.to),)

    def _begun(self, now: float) -> "DeskLine":
        """The line after the desk was greeted: nothing is asked yet."""
        return replace(self, count=0, answer=None, whole=b"", caller=None, heard=now)

    def _envelope(self, **fields: Any) -> bytes:
        """An answer to the last question, or to a knock, with these fields besides."""
        session, hello = as_text(self.session), as_text(self.handshake.hello)
        return msgspec.json.encode(DeskAnswer(session, hello, self.count, **fields))

    def _envelope_of_piece(self, at: int) -> bytes:
        piece = b64encode(self.whole[at : at + PIECE]).decode()
        return self._envelope(of=len(self.whole), piece=piece)

    def _sealed(self, caller: _Caller, plain: bytes) -> Reply:
        assert self.link is not None
        assert self.link.device is not None
        return Reply(caller.to, sealed(plain, DESK_DOWN, caller.nonce, self.link.device))
