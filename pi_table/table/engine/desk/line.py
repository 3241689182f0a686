"""The encrypted connection of the operator's desk, as an immutable value.

A desk asks one question at a time, and each question has a greater number than the last. Each
question is carried out once. If the answer was lost and the desk repeats the question, it receives
the same answer again. The caller of this module gives a nonce with each message of the desk. This
nonce encrypts the answer to that message and nothing else. ``now`` is in seconds of the table's
clock.
"""

from base64 import b64encode
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from pi_table.common.language import LANGUAGES, Lang, say, to_json, translate
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
from pi_table.protocols.sealing.seal import seal
from pi_table.table.engine.phones.links import Link
from pi_table.table.engine.phones.phones import Claim, claim_of
from pi_table.table.engine.storage.transfer import PIECE_BYTES

AWAY_SECONDS: Final = 60.0
"""Seconds without a message after which a desk counts as away."""
MAX_ANSWER_BYTES: Final = 4 << 20
"""Maximum length of an answer in bytes. A longer answer is replaced by a refusal. An answer that
does not fit into one message is sent in pieces."""


class Question(msgspec.Struct, frozen=True):
    """A desk's message: an act, or a request for the rest of the last answer."""

    s: str
    """Identifies this start of the engine: 16 random bytes."""
    h: str
    """The desk's current hello, which is a random value of its last knock (`Knock.h`)."""
    n: Count
    """The question's number, greater than any earlier number with the same hello."""
    do: dict[str, Any] | None = None
    """An act as JSON; None in a request for the rest of an answer."""
    rest: int | None = None
    """Offset in bytes from which the desk requests the rest of the last answer; None if the message
    is an act."""

    def __repr__(self) -> str:
        return "Question(…)"


class DeskAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer to the desk, before encryption."""

    s: str
    """Identifies this start of the engine: 16 random bytes."""
    h: str = ""
    n: int = 0
    """The number of the answered question; 0 in the answer to a knock."""
    anew: bool = False
    """True if the question has an old session or hello. The desk must then begin a new
    handshake."""
    wait: bool = False
    """True if the request is not finished. The desk must then repeat its question."""
    of: int | None = None
    """Length of the whole answer in bytes; None if it is not sent in pieces."""
    piece: str | None = None
    """A piece of the answer, as base64; None if the answer is not sent in pieces."""


class DeskRequest(msgspec.Struct, frozen=True):
    """Identifies a desk's request. The answer is sent only if the desk still waits for this
    request."""

    link: int
    hello: bytes
    n: int
    lang: Lang
    """The language of the desk's page."""

    def __repr__(self) -> str:
        return f"DeskRequest({self.n})"


class Call(msgspec.Struct, frozen=True):
    to: DeskRequest
    do: dict[str, Any]

    def __repr__(self) -> str:
        return f"Call({self.to})"


class Reply(msgspec.Struct, frozen=True):
    """The encrypted answer to a caller; empty if the caller's message could not be decrypted."""

    to: object
    sealed: bytes = b""


class _Caller(msgspec.Struct, frozen=True):
    """The sender of a message, who waits for the answer."""

    to: object
    nonce: bytes

    def __repr__(self) -> str:
        return "_Caller(…)"


News = Claim | Call | Reply


class DeskLine(msgspec.Struct, frozen=True):
    """The encrypted connection of the desk at one moment."""

    session: bytes
    """Random bytes drawn at this start of the engine."""
    link: Link | None = None
    number: int = 0
    """Number of links made for desks so far. It identifies the current link."""
    handshake: Handshake = Handshake()
    count: int = 0
    """The number of the last question since the desk's last handshake; 0 if there was none."""
    answer: bytes | None = None
    """The answer to the last question, as JSON; None until the question is answered."""
    whole: bytes = b""
    """The whole last answer in bytes, if it was too long for one message."""
    caller: _Caller | None = None
    """The caller that waits for an answer; None if no caller waits. After a knock that claims the
    link, the caller waits until the new owner of the link is stored."""
    heard: float | None = None
    """Time of the desk's last message."""
    ends: float = 0.0
    """Time at which the link ends if no device opens it. After a restart, a link that was not
    opened before ends at once."""

    def __repr__(self) -> str:
        return f"DeskLine({'none' if self.link is None else 'hidden'})"

    def state(self, now: float) -> PhoneState:
        if self.link is None or self.link.device is None:
            return PhoneState.WAITING
        here = self.heard is not None and now < self.heard + AWAY_SECONDS
        return PhoneState.HERE if here else PhoneState.AWAY

    @property
    def is_unused(self) -> bool:
        """True if there is a link that has a time limit (not `Link.waits`) and that no device has
        opened."""
        link = self.link
        if link is None or link.waits:
            return False
        return link.device is None and self.handshake.claim is None

    def wakes(self, now: float) -> float | None:
        """Return the time at which an unopened link ends or the desk counts as away; None if
        neither can happen."""
        if self.is_unused:
            return self.ends
        if self.heard is None or self.state(now) is not PhoneState.HERE:
            return None
        return self.heard + AWAY_SECONDS

    # The link

    def with_link(self, link: Link | None, now: float) -> "tuple[DeskLine, tuple[Reply, ...]]":
        """Return the connection after the link changed, and the replies to send. ``link`` is new,
        has a new owner, or is None because the link has ended."""
        old = self.link
        if link is None and old is None:
            return self, ()
        if link is None or old is None or link.link_key != old.link_key:
            ends = now + CODE_SECONDS
            return DeskLine(self.session, link, self.number + 1, ends=ends), self._unheard
        handshake, outcome = self.handshake.on_owner_stored(link.device)
        line = replace(self, link=link, handshake=handshake)
        match outcome:
            case Outcome.GREETED:
                assert self.caller is not None
                line = line._restart(now)
                return line, (line._seal_reply(self.caller, line._envelope()),)
            case Outcome.STRANGER:
                return replace(line, caller=None), self._unheard
        return line, ()

    def without_claim(self, claim: Claim) -> "tuple[DeskLine, tuple[Reply, ...]]":
        """Return the connection after the new owner of the link could not be stored. The desk must
        begin the handshake again."""
        handshake = self.handshake.drop_claim(claim.greeting)
        is_of_link = self.link is not None and self.link.link_key == claim.link_key
        if not is_of_link or handshake is self.handshake:
            return self, ()
        return replace(self, handshake=handshake, caller=None), self._unheard

    # Input

    def on_frame(
        self, to: object, frame: bytes, nonce: bytes, now: float
    ) -> "tuple[DeskLine, tuple[News, ...]]":
        """Return the connection after a caller's frame. Also return the outcome: answers to send, a
        request to carry out, or a claim (a new owner of the link to store).

        Every caller gets an answer. ``nonce`` is random and is never used again.
        """
        caller = _Caller(to, nonce)
        found = open_frame(frame, DESK_UP, DESK_KNOCK, (self.link,))
        if found is None:
            return self, (Reply(to),)
        return (self._on_knock if found.is_knock else self._on_question)(caller, found.plain, now)

    def _on_knock(
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
                line = line._restart(now)
                return line, (*self._unheard, line._seal_reply(caller, line._envelope()))
        return line, (Reply(caller.to),)

    def _on_question(
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
            # The answer has the hello of its question, so that it fits no other question.
            anew = DeskAnswer(as_text(self.session), as_text(hello), said.n, anew=True)
            return self, (self._seal_reply(caller, to_json(anew)),)
        if said.n < self.count:
            return self, (Reply(caller.to),)
        line = replace(self, heard=now)
        if said.n == self.count:
            if line.answer is not None:
                return line, (line._seal_reply(caller, line.answer),)
            return line, (line._seal_reply(caller, line._envelope(wait=True)),)
        line = replace(line, count=said.n, answer=None)
        if said.do is not None:
            wanted = said.do.get("lang")
            lang: Lang = next((each for each in LANGUAGES if each == wanted), "en")
            call = Call(DeskRequest(line.number, line.handshake.hello, said.n, lang), said.do)
            return replace(line, caller=caller, whole=b""), (*self._unheard, call)
        answer = line._envelope_of_piece(said.rest or 0)
        return replace(line, answer=answer), (line._seal_reply(caller, answer),)

    # Output

    def with_answer(self, to: DeskRequest, told: dict[str, Any]) -> "tuple[DeskLine, Reply | None]":
        """Return the connection after a request was done or refused, and the reply to send.
        ``told`` has the fields of the result. The reply is None if no caller waits."""
        if (to.link, to.hello, to.n) != (self.number, self.handshake.hello, self.count):
            return self, None
        head = {"s": as_text(self.session), "h": as_text(to.hello), "n": self.count}
        whole = to_json({**head, **told})
        if len(whole) > MAX_ANSWER_BYTES:
            sentence = say("That is too long for one answer: ask for less of it.")
            refused = {"ok": False, "reason": "too-long", "told": None}
            refused["sentence"] = translate(sentence, to.lang)
            whole = to_json({**head, **told, **refused})
        line = replace(self, answer=whole)
        if len(whole) > PIECE_BYTES:
            line = replace(line, whole=whole)
            line = replace(line, answer=line._envelope_of_piece(0))
        assert line.answer is not None
        if line.caller is None:
            return line, None
        reply = line._seal_reply(line.caller, line.answer)
        return replace(line, caller=None), reply

    @property
    def _unheard(self) -> tuple[Reply, ...]:
        """An empty answer for the caller that waited until now, because another caller
        replaces it."""
        return () if self.caller is None else (Reply(self.caller.to),)

    def _restart(self, now: float) -> "DeskLine":
        """Return the connection after a successful knock: the desk has asked no question yet."""
        return replace(self, count=0, answer=None, whole=b"", caller=None, heard=now)

    def _envelope(self, **fields: Any) -> bytes:
        """Return the JSON of an answer to the last question or knock."""
        session, hello = as_text(self.session), as_text(self.handshake.hello)
        return msgspec.json.encode(DeskAnswer(session, hello, self.count, **fields))

    def _envelope_of_piece(self, at: int) -> bytes:
        piece = b64encode(self.whole[at : at + PIECE_BYTES]).decode()
        return self._envelope(of=len(self.whole), piece=piece)

    def _seal_reply(self, caller: _Caller, plain: bytes) -> Reply:
        assert self.link is not None
        assert self.link.device is not None
        return Reply(caller.to, seal(plain, DESK_DOWN, caller.nonce, self.link.device))
