"""Every way by which a text gets into the table refuses what nobody can show, print and speak."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from bad_texts import BAD_TEXTS
from codex_table import DEAL
from msgspec.structs import replace
from phones_at_a_table import Phones
from shipped_packs import shipped_pack
from virtual_table import VirtualTable

from pi_table.common.errors import InputError, TableError
from pi_table.games.referee.opinion import opinion
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.codex.deal import agent_named
from pi_table.games.rules.play import play
from pi_table.games.rules.seat import Role, seat_of
from pi_table.games.rules.word_games.acts import Guess
from pi_table.games.rules.word_games.board import State
from pi_table.games.rules.word_games.events import ClueGiven, Dealt
from pi_table.games.words.guests import keep
from pi_table.games.words.pack import Pack, check_pack
from pi_table.screens.console.blanks import Blanks, BlankWord
from pi_table.screens.console.codex.nickname_screens import DRAWN, TypeName
from pi_table.screens.console.screen import Become
from pi_table.table.backups.archive import PACKS, fault_of_name
from pi_table.table.engine.dealing import Dealer, Shelf, WordSource
from pi_table.table.engine.storage.packs import PackFolder

WORDS = ["ICE CREAM", *(f"W{number}X" for number in range(24))]
GAME = {"profile": "codenames", "words": WORDS}
HEAD = (
    "name: ours\ntitle: {title}\nlanguage: en\naudience: everybody\nsource: us\nlicence: ours\n\n"
)
Entrance = Callable[[str, Path], str | None]
"""It takes a text and an empty folder. It gives None if the text was taken, or else why not."""


def pack_text(word: str, title: str = "Ours") -> str:
    return HEAD.format(title=title) + "\n".join([*WORDS, word]) + "\n"


def faults(found: Pack | tuple[Any, ...]) -> str | None:
    return None if isinstance(found, Pack) else "\n".join(map(str, found))


def answers(*lines: dict[str, Any]) -> list[Any]:
    """Return the rules' answers to lines, as from `pi-table play`."""
    return [json.loads(each) for each in play([json.dumps(each) for each in lines], Chance())]


def refused(answer: Any) -> str | None:
    assert answer["ok"] or answer["reason"] == "bad-word"
    return None if answer["ok"] else str(answer["reason"])


def raised(do: Callable[[], object]) -> str | None:
    try:
        do()
    except TableError as error:
        return str(error)
    return None


def pack_word(text: str, folder: Path) -> str | None:
    return faults(check_pack(pack_text(text)))


def pack_title(text: str, folder: Path) -> str | None:
    return faults(check_pack(pack_text("PINE", text)))


def second_spelling(text: str, folder: Path) -> str | None:
    return faults(check_pack(pack_text(f"PINE = {text}")))


def desk(text: str, folder: Path) -> str | None:
    told = PackFolder(folder).save(pack_text(text), None)
    assert told.ok is (folder / "ours.txt").exists()
    return None if told.ok else told.complaints[0].what


def kept_guests_word(text: str, folder: Path) -> str | None:
    why = raised(lambda: keep(folder, "en", [text]))
    assert (why is None) is any(folder.iterdir())
    return why


def dealt_guests_word(text: str, folder: Path) -> str | None:
    dealer = Dealer(Shelf((shipped_pack("english"),)), Chance(), Random(1))
    return raised(
        lambda: dealer.deal({"profile": "codenames"}, WordSource("dealt", blanks=(text,)))
    )


def typed_guests_word(text: str, folder: Path) -> str | None:
    below = Blanks(words=(), lang="en", most=25)
    screen = BlankWord(letters=text, below=below)
    assert (screen.fault is not None) is isinstance(screen.finish(), Become)
    return None if screen.fault is None else screen.fault.why


def word_of_a_game(text: str, folder: Path) -> str | None:
    return raised(lambda: answers({**GAME, "words": [text, *WORDS[1:]]}))


def word_of_a_hand(text: str, folder: Path) -> str | None:
    hands = {"red": [text, *WORDS[1:13]], "blue": WORDS[13:]}
    game = {"profile": "codenames", "options": {"dealing": "shared"}, "starts": "red"}
    return raised(lambda: answers({**game, "hands": hands}))


def clue(text: str, folder: Path) -> str | None:
    act = {"seat": "red-spymaster", "act": "clue", "word": text, "number": 2}
    return refused(answers({**GAME, "key": "r" * 9 + "b" * 8 + "n" * 7 + "a"}, act)[-1])


def card_of_ones_own(text: str, folder: Path) -> str | None:
    game = {"profile": "codenames", "options": {"dealing": "shared"}, "starts": "red"}
    act = {"seat": "red-operatives", "act": "place", "cell": "A1", "word": text}
    return refused(answers(game, act)[-1])


def clue_of_the_console(text: str, folder: Path) -> str | None:
    table = VirtualTable(folder / "journal.sqlite")
    try:
        table.start()
        verdict = table.ask("clue", "red-spymaster", word=text, number=2)
        assert (table.view.clue is not None) is verdict.ok
        return None if verdict.ok else verdict.sentence
    finally:
        table.switch_off()


def asked_on_a_phone(text: str, folder: Path, act: str) -> str | None:
    table = VirtualTable(
        folder / "journal.sqlite", cards="dealt", ask_referee=lambda what, hear: None
    )
    try:
        table.start()
        phones = Phones(table)
        phones.join("red-spymaster")
        return refused(phones.ask("red-spymaster", act, word=text, number=2))
    finally:
        table.switch_off()


def clue_of_a_phone(text: str, folder: Path) -> str | None:
    return asked_on_a_phone(text, folder, "clue")


def nickname(text: str, folder: Path) -> str | None:
    names = [text, None, None, None, None, None]
    return raised(lambda: answers({"profile": "codex", "nicknames": names}))


def nickname_of_a_deal(text: str, folder: Path) -> str | None:
    dealt = [{**DEAL[0], "nickname": text}, *DEAL[1:]]
    return raised(lambda: answers({"profile": "codex", "deal": dealt}))


def typed_nickname(text: str, folder: Path) -> str | None:
    screen = TypeName(agent=0, letters=text, names=DRAWN)
    return None if screen.finish() else "not taken"


ENTRANCES = [
    pack_word,
    pack_title,
    second_spelling,
    desk,
    kept_guests_word,
    dealt_guests_word,
    typed_guests_word,
    word_of_a_game,
    word_of_a_hand,
    clue,
    card_of_ones_own,
    clue_of_the_console,
    clue_of_a_phone,
    nickname,
    nickname_of_a_deal,
    typed_nickname,
]


@pytest.mark.parametrize("enter", ENTRANCES, ids=lambda enter: enter.__name__)
def test_an_entrance_takes_good_texts_and_refuses_every_bad_one(
    enter: Entrance, tmp_path: Path
) -> None:
    for number, text in enumerate(("perché", "don’t", "PERCHE\u0301")):
        folder = tmp_path / f"good-{number}"
        folder.mkdir()
        assert enter(text, folder) is None, text
    for name, (text, _) in BAD_TEXTS.items():
        # A pack has whole lines, and half a surrogate pair is in no file and in no sealed message.
        if enter in BY_LINES and {*text} & {*"\n\ud800"}:
            continue
        folder = tmp_path / name
        folder.mkdir()
        assert enter(text, folder), name


BY_LINES = (pack_word, pack_title, second_spelling, desk, clue_of_a_phone)


@pytest.mark.parametrize("name", ["PINE\u3164", "PI\u202eNE", "CAFF\ufffd"])
def test_a_backup_has_no_pack_with_a_name_that_nobody_can_read(name: str) -> None:
    assert fault_of_name(f"{PACKS}{name}.txt") is not None
    assert fault_of_name(f"{PACKS}perché.txt") is None


@pytest.mark.parametrize("text", ["\u3164", "CAFF\ufffd", "PI\u200bNE", "PINE\ufe0f"])
def test_the_referee_has_no_opinion_on_what_nobody_can_read(text: str) -> None:
    with pytest.raises(InputError):
        opinion(text, 1, WORDS)


WIDE = "ＩＣＥ CREAM"


@pytest.mark.parametrize(
    "text",
    ["ICE CREAM,", '"ice cream"', "ICÉ CREAM", "ice–cream", WIDE, "ICECREAM", "Ice\u00a0cream"],
)
def test_no_game_has_one_word_in_two_ways_of_writing(text: str, tmp_path: Path) -> None:
    assert word_of_a_game(WORDS[0], tmp_path) is None
    clash = [WORDS[0], text, *WORDS[2:]]
    assert raised(lambda: answers({**GAME, "words": clash}))
    assert pack_word(text, tmp_path)
    act = {"seat": "red-operatives", "act": "place", "cell": "A1", "word": WORDS[0]}
    other = {"seat": "blue-operatives", "act": "place", "cell": "B1", "word": text}
    game = {"profile": "codenames", "options": {"dealing": "shared"}, "starts": "red"}
    if text != WIDE:  # which is refused for its letters
        assert answers(game, act, other)[-1]["reason"] == "same-word"


@pytest.mark.parametrize("text", ["Ann\ufe0f", "Ánn", "ann.", "A-nn", "Ａnn"])
def test_no_two_agents_have_one_nickname_in_two_ways_of_writing(text: str) -> None:
    names = ["Ann", text, None, None, None, None]
    assert raised(lambda: answers({"profile": "codex", "nicknames": names}))


def test_what_an_old_journal_has_is_read_and_never_judged_again() -> None:
    bad = [text for text, _ in BAD_TEXTS.values() if "\ud800" not in text]
    words = ("APPLE,", "APPLE", *bad[:23])
    opening = games.read_opening(GAME, Chance())
    assert isinstance(opening, Dealt)
    assert opening.starts is not None
    old = [replace(opening, words=words), ClueGiven(1.0, opening.starts, "🍕\u3164", 2)]
    state = games.replay(games.decode(games.encode(event)) for event in old)
    assert isinstance(state, State)
    view = games.public_view(state.board, 1.0)
    assert [cell.word for cell in view.cells.values()] == [*words]
    assert view.clue.word == "🍕\u3164"
    seat = seat_of(opening.starts, Role.OPERATIVES)
    after, _ = games.step(state, seat, Guess(0), 2.0)
    assert 0 in after.board.covered


def test_an_agent_of_an_old_game_is_found_by_the_very_name() -> None:
    names = ["Ann", "Ann\ufe0f", "\u3164", "\u115f"]
    assert [agent_named(name, names) for name in names] == [0, 1, 2, 3]
    assert agent_named("ann", names) == 0
