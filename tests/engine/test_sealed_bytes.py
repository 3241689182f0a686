"""The engine's bytes to phones and desks, which must not change."""

from collections.abc import Callable

from sealed_bytes import (
    LINK_KEY,
    OTHER_SESSION,
    SESSION,
    Frame,
    conversation,
    digest,
    drawn,
)

from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.sealed import BEAT_SECONDS, DOWN_BYTES, PLACES_FOR_PHONES
from pi_table.protocols.sealing.seal import NONCE_BYTES
from pi_table.table.engine.desk.line import Call, DeskLine, Reply
from pi_table.table.engine.phones.links import Link, Links
from pi_table.table.engine.phones.phones import BLOCK_BYTES, Claim, Phone, Phones


class Desk:
    """The engine's end of a desk's line, which does whatever it is asked."""

    def __init__(self) -> None:
        self.line = DeskLine(SESSION, Link(Seat.OPERATOR, LINK_KEY), 1)

    def restart(self) -> None:
        self.line = DeskLine(OTHER_SESSION, self.line.link, 1)

    def answer(self, frame: Frame, nonce: int) -> bytes:
        """The answer to a question, sealed with the nonce of this number."""
        given = drawn(nonce, NONCE_BYTES)
        self.line, news = self.line.on_frame(None, frame.sealed(), given, 0.0)
        replies: list[Reply] = []
        for each in news:
            match each:
                case Reply():
                    replies.append(each)
                case Claim(device=device):
                    link = Link(Seat.OPERATOR, LINK_KEY, device)
                    self.line, kept = self.line.with_link(link, 0.0)
                    replies += kept
                case Call(to=to, do=do):
                    self.line, reply = self.line.with_answer(to, {"ok": True, "told": do["act"]})
                    assert reply is not None
                    replies.append(reply)
        (reply,) = replies
        return reply.sealed


def always(message: bytes) -> Callable[[Phone], bytes]:
    return lambda _: message


def test_the_frames_of_both_conversations_are_those_that_were_written_down() -> None:
    for frame in (*conversation("phone"), *conversation("desk")):
        assert digest(frame.sealed()) == frame.digest


def test_a_phone_is_sent_the_same_bytes() -> None:
    links = Links((Link(Seat.RED_SPYMASTER, LINK_KEY, game=1), *(None,) * (PLACES_FOR_PHONES - 1)))
    phones, now = Phones(SESSION).with_relay(None).with_links(links, 0.0), 0.0
    for frame in conversation("phone"):
        if frame.is_up:
            phones, news = phones.on_frame(frame.sealed(), now)
            if isinstance(news, Claim):
                links = links.with_owner(news.seat, news.link_key, news.device)
                phones = phones.with_links(links, now)
        else:
            now += BEAT_SECONDS
            random = drawn(frame.nonce, BLOCK_BYTES)
            phones, (sent, *_) = phones.on_beat(random, always(frame.texts[1]), now)
            assert (len(sent), digest(sent)) == (DOWN_BYTES, frame.digest)


def test_a_desk_is_answered_with_the_same_bytes() -> None:
    desk, frames = Desk(), conversation("desk")
    for question, answer in zip(frames[::2], frames[1::2], strict=True):
        if b'"anew"' in answer.texts[0]:
            desk.restart()
        assert digest(desk.answer(question, answer.nonce)) == answer.digest
