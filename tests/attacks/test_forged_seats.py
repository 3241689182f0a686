"""Those who have no seat, or another one, and what they send: forged, changed, named otherwise."""

import os
from collections.abc import Iterator
from random import Random
from time import monotonic
from typing import Any, Final

import pytest
from attacked import Attacked, WithoutPages, ask, join, link, new_game, until
from patience import PATIENCE
from sealed_phone import UP, Json, Phone, base64url, from_base64url, upward
from sealed_phone import sealed as seal

pytestmark = pytest.mark.paced


class Sealed(WithoutPages):
    """Such a table, with phones."""

    @property
    def view(self) -> Json:
        view: Json = self.public["view"]
        return view

    def phone(self, seat: str) -> Phone:
        """A phone that has this seat."""
        return join(Phone(link(self.console, seat)), self.relay.carry)

    def stands(self, seat: str) -> Json:
        """Return the state of a seat's phone as the hidden screen shows it."""
        self.console.ask("clues")  # what was told before is read
        phones: list[Json] = self.console.table["pages"]["phones"]
        return next(phone for phone in phones if phone["seat"] == seat)


@pytest.fixture
def sealed(running: Attacked) -> Iterator[Sealed]:
    """The same table for all of them, with a new game each."""
    sealed = Sealed(running)
    new_game(sealed.console)
    yield sealed
    sealed.close()
    assert running.engine.process.poll() is None


def test_no_two_links_are_alike(sealed: Sealed) -> None:
    keys = [from_base64url(link(sealed.console, "red-spymaster")[6:]) for _ in range(40)]
    assert {len(key) for key in keys} == {32}
    assert len({*keys}) == len({key[:8] for key in keys}) == len({key[-8:] for key in keys}) == 40


def test_a_guessed_link_opens_no_seat(sealed: Sealed) -> None:
    true = link(sealed.console, "red-spymaster")
    key = bytearray(from_base64url(true.partition("#")[2]))
    near = []
    for bit in range(0, 256, 16):  # one bit beside it
        changed = bytearray(key)
        changed[bit // 8] ^= 1 << bit % 8
        near.append("/seat#" + base64url(bytes(changed)))
    guesses = [Phone(each) for each in near]
    guesses += [Phone("/seat#" + base64url(os.urandom(32))) for _ in range(16)]
    for _ in range(3):
        sealed.relay.relay(*(phone.knock() for phone in guesses))
        block = sealed.relay.block()
        assert [phone.hear(block) for phone in guesses] == [None] * len(guesses)
    assert sealed.stands("red-spymaster") == {
        "seat": "red-spymaster",
        "state": "waiting",
        "tried": False,
    }
    join(Phone(true), sealed.relay.carry)  # whom it belongs to still gets in


def test_a_second_phone_on_a_link_is_shut_out_and_told(sealed: Sealed) -> None:
    theirs = sealed.phone("blue-spymaster")
    other = Phone("/seat#" + base64url(theirs.link_key))
    for _ in range(4):
        sealed.relay.relay(theirs.say(), other.knock())
        block = sealed.relay.block()
        theirs.hear(block)
        assert other.hear(block) is None
    assert until(theirs, sealed.relay.carry, lambda phone: phone.message["tried"])
    assert sealed.stands("blue-spymaster")["tried"]


def test_a_link_that_was_let_go_opens_nothing(sealed: Sealed) -> None:
    turn = sealed.view["turn"]
    phone = sealed.phone(f"{turn}-spymaster")
    link(sealed.console, f"{turn}-operatives")  # there are beats while there is a link
    sealed.console.do("let-go", **{"for": f"{turn}-spymaster"})
    for _ in range(3):  # what was on its way already
        phone.hear(sealed.relay.block())
    heard = phone.heard
    for _ in range(3):
        sealed.relay.relay(
            phone.say(True, id=1, do={"act": "clue", "word": "stolen", "number": 2}),
            phone.knock(),
            phone.knock(h=base64url(os.urandom(16))),
        )
        assert phone.hear(sealed.relay.block()) is None
    assert phone.heard == heard
    assert (sealed.view["phase"], sealed.view["clue"]) == ("clue", None)


def test_a_new_link_ends_the_one_before(sealed: Sealed) -> None:
    phone = sealed.phone("red-spymaster")
    link(sealed.console, "red-spymaster")
    for _ in range(3):  # what was on its way already
        phone.hear(sealed.relay.block())
    for _ in range(3):
        assert phone.hear(sealed.relay.carry(phone.say(hold=True))) is None


def test_a_frame_of_one_seat_is_nothing_in_another(sealed: Sealed) -> None:
    turn = sealed.view["turn"]
    other = "blue" if turn == "red" else "red"
    ours, theirs = sealed.phone(f"{turn}-spymaster"), sealed.phone(f"{other}-spymaster")
    clue = {"act": "clue", "word": "forged", "number": 1}
    forged = [
        theirs.say(id=1, do=clue | {"seat": f"{turn}-spymaster"}),
        theirs.say(id=2, do=clue, seat=f"{turn}-spymaster"),
        theirs.say(id=3, do=clue, h=ours.hello),
        theirs.knock(h=ours.hello),
        theirs.knock(k=base64url(ours.device)),
        upward(
            {"s": ours.session, "h": ours.hello, "n": 900, "hold": True, "id": 4, "do": clue},
            b"pi-table/1 up",
            theirs.device,
        ),
        upward(
            {"s": ours.session, "h": ours.hello, "n": 901, "hold": True, "id": 5, "do": clue},
            b"pi-table/1 up",
            ours.link_key,
        ),
    ]
    sealed.relay.relay(*forged)
    sealed.relay.block()
    assert (sealed.view["phase"], sealed.view["clue"]) == ("clue", None)
    answer = ask(ours, sealed.relay.carry, 1, **clue)
    assert answer["ok"], answer
    assert sealed.view["clue"]["word"].lower() == "forged"


NOT_FOR_PHONES: Final[tuple[Json, ...]] = (
    *({"act": act} for act in ("start", "next", "abandon", "correct", "record", "packs")),
    *({"act": act} for act in ("shutdown", "service", "leave-service", "set-aside", "doctor")),
    *({"act": act} for act in ("lock", "unlock", "desk", "unpeek", "clues", "tick", "reveal")),
    *({"act": "peek", "seat": seat} for seat in ("red-spymaster", "blue-spymaster", "operator")),
    {"act": "start", "profile": "codex"},
    {"act": "set-pin", "pin": "1234"},
    {"act": "unlock", "pin": "1234"},
    {"act": "house", "set": {"muted": True}},
    {"act": "phone", "for": "red-spymaster"},
    {"act": "phone", "for": "operator", "seat": "operator"},
    {"act": "let-go", "for": "blue-spymaster"},
    {"act": "pair"},
    {"act": "unpair"},
    {"act": "guess", "cell": "A1"},
    {"act": "guess", "cell": "A1", "seat": "red-operatives"},
    {"act": "stop"},
    {"act": "mark", "cell": "A1"},
    {"act": "mark", "cell": "A1", "seat": "red-operatives"},
    {"act": "cover", "cell": "A1"},
    {"act": "__class__"},
    {"act": ""},
    {"act": None},
    {"act": 7},
    {"act": ["clue"]},
    {"act": {"act": "clue"}},
    {},
    {"act": "clue"},
    {"act": "clue", "word": ["a"], "number": 1},
    {"act": "clue", "word": "a", "number": 1e300},
    {"act": "clue", "word": "a", "number": -1},
    {"act": "clue", "word": "a", "number": True},
    {"act": "clue", "word": "a", "number": 10**200},
    {"act": "clue", "word": "\0", "number": 1},
    {"act": "judge"},
    {"act": "judge", "word": 7, "number": "x"},
)


def stand(sealed: Sealed) -> Json:
    """All that a forged act could change."""
    sealed.console.ask("clues")
    table = sealed.console.table
    kept = ("public", "lock", "house", "game", "settings", "service")
    return {name: table[name] for name in kept} | {"marks": sealed.public["marks"]}


def ask_each(sealed: Sealed, wishes: list[tuple[Phone, Json]]) -> list[Json]:
    """Return the answers to these phones, which ask for this at the same time, each for itself."""
    numbers = {id(phone): phone.n + 1000 for phone, _ in wishes}

    def answered(phone: Phone) -> bool:
        answer = phone.message["answer"]
        return bool(answer and answer["id"] == numbers[id(phone)])

    end = monotonic() + PATIENCE
    while monotonic() < end:
        frames = [phone.next_frame(id=numbers[id(phone)], do=do) for phone, do in wishes]
        sealed.relay.relay(*frames)
        block = sealed.relay.block()
        for phone, _ in wishes:
            phone.hear(block)
        if all(answered(phone) for phone, _ in wishes):
            return [phone.message["answer"] for phone, _ in wishes]
    raise AssertionError(f"no answer to one of {[do for _, do in wishes]}")


def test_what_a_phone_may_not_ask_is_refused_and_changes_nothing(sealed: Sealed) -> None:
    turn = sealed.view["turn"]
    other = "blue" if turn == "red" else "red"
    phone = sealed.phone(f"{turn}-spymaster")
    phones = [phone, *(sealed.phone(f"{team}-operatives") for team in ("red", "blue"))]
    phones.append(sealed.phone(f"{other}-spymaster"))
    before = stand(sealed)
    for start in range(0, len(NOT_FOR_PHONES), 4):
        for shift in (0, 1):  # each is asked for by two of them
            wishes = NOT_FOR_PHONES[start : start + 4]
            asking = phones[shift:] + phones[:shift]
            asked = [*zip(asking, wishes, strict=False)]
            for answer, (_, do) in zip(ask_each(sealed, asked), asked, strict=True):
                assert not answer["ok"], do
                assert {*answer["sentence"]} == {"en", "it"}
    assert stand(sealed) == before
    answer = ask(phone, sealed.relay.carry, phone.n + 2000, act="clue", word="honest", number=2)
    assert answer["ok"], answer


def test_no_phone_is_told_what_the_hidden_screen_is_told(sealed: Sealed) -> None:
    phone = sealed.phone("red-operatives")
    for number, act in enumerate(("look", "record", "clues", "peek"), 1):
        answer = ask(phone, sealed.relay.carry, number, act=act)
        assert not answer["ok"] or not answer["told"] or "key" not in str(answer["told"]), answer
    assert phone.message["key"] is None


def test_a_frame_that_is_wrong_inside_is_no_frame(sealed: Sealed) -> None:
    turn = sealed.view["turn"]
    phone = sealed.phone(f"{turn}-spymaster")
    clue: Json = {"id": 1, "do": {"act": "clue", "word": "wrong", "number": 1}}
    n = phone.n + 1000
    wrong: list[Json] = [
        {"s": base64url(os.urandom(16))},
        {"s": ""},
        {"s": None},
        {"h": base64url(os.urandom(16))},
        {"h": ""},
        {"n": phone.n},
        {"n": 0},
        {"n": -1},
        {"n": True},
        {"n": f"{n}"},
        {"n": n + 0.5},
        {"n": 10**100},
        {"hold": "yes"},
        {"id": "1"},
        {"id": None},
        {"do": []},
        {"do": "clue"},
    ]
    frames = [phone.say(**clue | change) for change in wrong]
    phone.n = 1  # as if nothing had been said
    inside = [
        b"",
        b"\xff\xff" + b"{" * 470,
        b"\x00\x02{}".ljust(472, b"\0"),
        b"\x00\x04null".ljust(472, b"\0"),
        (b"\x01\xd6" + b"[" * 470),
        b"\x00\x05\xff\xfe\xfd\xfc\xfb".ljust(472, b"\0"),
    ]
    frames += [seal(plain, b"pi-table/1 up", phone.device) for plain in inside]
    frames += [seal(plain, b"pi-table/1 knock", phone.link_key) for plain in inside]
    for start in range(0, len(frames), 16):
        sealed.relay.relay(*frames[start : start + 16])
        sealed.relay.block()
    assert (sealed.view["phase"], sealed.view["clue"]) == ("clue", None)
    phone.n = 10**6
    assert ask(phone, sealed.relay.carry, 2, act="clue", word="right", number=1)["ok"]


def test_a_changed_frame_is_no_frame(sealed: Sealed) -> None:
    turn = sealed.view["turn"]
    spymaster = sealed.phone(f"{turn}-spymaster")
    assert ask(spymaster, sealed.relay.carry, 1, act="clue", word="frames", number=1)["ok"]
    phone = sealed.phone(f"{turn}-operatives")
    frame = phone.say(id=1, do={"act": "mark", "cell": "B3"})
    random = Random(14)
    changed = []
    for place in (0, 23, 24, 25, UP - 17, UP - 16, UP - 1, *random.choices(range(UP), k=41)):
        other = bytearray(frame)
        other[place] ^= 1 << random.randrange(8)
        changed.append(bytes(other))
    changed += [frame[:-1], frame + b"\0", frame[1:], frame[:256], b"", frame * 2, frame[::-1]]
    for start in range(0, len(changed), 16):
        sealed.relay.relay(*changed[start : start + 16])
        sealed.relay.block()
    assert sealed.public["marks"] == {}
    sealed.relay.carry(frame)
    assert until(phone, sealed.relay.carry, lambda phone: sealed.public["marks"] == {"B3": turn})


def test_nobody_but_operatives_marks_and_a_mark_is_no_guess(sealed: Sealed) -> None:
    turn = sealed.view["turn"]
    other = "blue" if turn == "red" else "red"
    spymaster, ours = sealed.phone(f"{turn}-spymaster"), sealed.phone(f"{turn}-operatives")
    theirs = sealed.phone(f"{other}-operatives")
    mark = {"act": "mark", "cell": "C3"}
    assert not ask(ours, sealed.relay.carry, 1, **mark)["ok"]  # no clue yet
    assert ask(spymaster, sealed.relay.carry, 1, act="clue", word="marks", number=1)["ok"]
    assert not ask(spymaster, sealed.relay.carry, 2, **mark)["ok"]
    assert not ask(theirs, sealed.relay.carry, 1, **mark)["ok"]
    for number, cell in enumerate(("Z9", "c3", "", None, 7, "C3 ", ["C3"]), 2):
        assert not ask(ours, sealed.relay.carry, number, act="mark", cell=cell)["ok"]
    assert not ask(ours, sealed.relay.carry, 20, act="guess", cell="C3")["ok"]
    assert sealed.public["marks"] == {}
    assert ask(ours, sealed.relay.carry, 21, **mark)["ok"]
    assert sealed.public["marks"] == {"C3": turn}
    assert {cell["covered"] for cell in sealed.view["cells"].values()} == {None}


def test_of_a_phone_that_does_not_hold_nothing_secret_is_sent(sealed: Sealed) -> None:
    key = sealed.console.key
    phone = sealed.phone("red-spymaster")
    for _ in range(3):
        phone.hear(sealed.relay.carry(phone.say()))
        assert phone.message["key"] is None
    shows = until(phone, sealed.relay.carry, lambda phone: phone.message["key"] == key, hold=True)
    assert shows
    # It is lost, and says nothing more: within a second the key is out of the frames.
    lost = Phone("/seat#" + base64url(phone.link_key), phone.device)
    lost.hello, lost.session = phone.hello, phone.session
    gone = monotonic()
    while monotonic() < gone + 1.3:  # with two beats until the newest message is whole
        lost.hear(sealed.relay.carry(os.urandom(UP)))
    assert lost.message["key"] is None


def test_an_operatives_phone_that_holds_is_sent_no_key(sealed: Sealed) -> None:
    phone = sealed.phone("red-operatives")
    for _ in range(4):
        phone.hear(sealed.relay.carry(phone.say(hold=True)))
        assert (phone.message["key"], phone.message["agent"]) == (None, None)


def test_seats_that_are_none_get_no_link(sealed: Sealed) -> None:
    seats: tuple[Any, ...] = (
        "operator",
        "nobody",
        "",
        None,
        7,
        "red-spymaster\n",
        "Red-Spymaster",
        ["x"],
        {},
    )
    for seat in seats:
        answer = sealed.console.ask("phone", **{"for": seat})
        assert not answer["ok"], seat
        assert not sealed.console.ask("let-go", **{"for": seat})["ok"], seat
