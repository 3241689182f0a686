"""Read games and acts of word games from JSON, and check them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from pi_table.common.errors import InputError
from pi_table.common.geometry import CELL_COUNT, CELLS, cell_named
from pi_table.common.language import did_you_mean, say
from pi_table.common.lettering import clean
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.profile import Profile, Settings
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games import acts, events
from pi_table.games.rules.word_games.board import (
    UNLIMITED,
    WORD_LENGTH,
    Hands,
    Number,
    State,
    alike,
    hand_sizes,
    is_word,
)
from pi_table.games.rules.word_games.drawing import EveryKey, key_with_card
from pi_table.games.rules.word_games.key import LAYOUTS, Key, Layout

_GAME_FIELDS: Final = ("profile", "options", "words", "hands", "key", "starts")


def read_opening(
    given: Mapping[str, Any], profile: Profile, settings: Settings, chance: Chance, at: float
) -> events.Dealt:
    """Return the first event of a game from ``{"profile", "options", "words", "hands", "key",
    "starts"}``.

    Only ``profile`` is required. ``starts`` is the team that starts; by default the key decides it.
    ``hands`` has the words of each team's hand, by the team's name, if the teams will lay out known
    words.

    A missing key is drawn. If the teams lay out the words, the team that starts is known at once,
    but the key is drawn or used only when all words are on the table. Raises InputError.
    """
    for name in given:
        if name not in _GAME_FIELDS:
            raise InputError(
                say(
                    "A game has no field {name}; {did_you_mean}",
                    name=repr(name),
                    did_you_mean=did_you_mean(name, _GAME_FIELDS),
                )
            )
    layout = LAYOUTS[profile.id]
    words = _read_words(given.get("words"), layout)
    key = _read_key(given.get("key"), layout)
    starts = _read_starts(given.get("starts"), key)
    dealt = events.Dealt(at, profile.id, settings, words, key)
    if key is not None:
        starts = key.starts
    elif dealt.is_shared and starts is None:
        starts = (Team.RED, Team.BLUE)[chance.below(2)]
    hands = _read_hands(given.get("hands"), dealt, starts)
    if key is not None or dealt.is_shared:
        return replace(dealt, starts=starts, hands=hands)
    key = chance.one_of(EveryKey(layout, starts))
    return replace(dealt, key=key, starts=key.starts)


def _read_starts(given: object, key: Key | None) -> Team | None:
    """Return the team that must start according to ``given``. None if ``given`` is None."""
    if given is None:
        return None
    team = next((team for team in Team if team.value == given), None)
    if team is None:
        raise InputError(say("The team that starts is red or blue."))
    if key is not None and key.starts is not team:
        raise InputError(
            say("With this key {value} starts: give no other team.", value=key.starts.value)
        )
    return team


def _read_key(given: object, layout: Layout) -> Key | None:
    if given is not None and not isinstance(given, str):
        raise InputError(say("A key is text of 25 letters, or null for one that is drawn."))
    return None if given is None else Key.read(given, layout)


def _read_words(given: object, layout: Layout) -> tuple[str | None, ...] | None:
    if given is None:
        return None
    if not isinstance(given, list) or len(given) != CELL_COUNT:
        raise InputError(
            say("The words of a game are a list of {cell_count}, or null.", cell_count=CELL_COUNT)
        )
    for cell, word in enumerate(given):
        if cell == layout.without_card:
            if word is not None:
                raise InputError(
                    say("{cells} holds no card in this game: its word is null.", cells=CELLS[cell])
                )
        elif not _is_on_a_card(word):
            raise InputError(
                say(
                    "Each of the {cell_count} words is text of 1 to {word_length} characters "
                    "that the table can show and read out; that of {cells} is not.",
                    cell_count=CELL_COUNT,
                    word_length=WORD_LENGTH,
                    cells=CELLS[cell],
                )
            )
    _check_that_all_differ(word for word in given if word is not None)
    return tuple(None if word is None else clean(word) for word in given)


def _is_on_a_card(word: object) -> bool:
    return isinstance(word, str) and len(word) <= WORD_LENGTH and is_word(word)


def _check_that_all_differ(words: Iterable[str]) -> None:
    seen: dict[str, str] = {}
    for word in words:
        if alike(word) in seen:
            raise InputError(
                say(
                    "The words {seen} and {word} differ only in how they are written: remove one "
                    "of them.",
                    seen=repr(seen[alike(word)]),
                    word=repr(word),
                )
            )
        seen[alike(word)] = word


def _read_hands(given: object, dealt: events.Dealt, starts: Team | None) -> Hands | None:
    """Return the words of each team's hand (DU-2). `hand_sizes` gives the required sizes."""
    if given is None:
        return None
    if not dealt.is_shared:
        raise InputError(say('Hands are for shared dealing, where "words" is null.'))
    sizes = hand_sizes(LAYOUTS[dealt.profile], dealt.settings, starts or Team.RED)
    if not isinstance(given, dict) or any(name not in _TEAMS for name in given):
        raise InputError(say('The hands are an object: a list of words for "red", one for "blue".'))
    hands = []
    for team, size in zip(Team, sizes, strict=True):
        words = given.get(team.value, [])
        if not isinstance(words, list) or len(words) != size or not all(map(_is_on_a_card, words)):
            raise InputError(
                say(
                    "The hand of {value} is {size} words in this game, each of them text of 1 to "
                    "{word_length} characters that the table can show and read out.",
                    value=team.value,
                    size=size,
                    word_length=WORD_LENGTH,
                )
            )
        hands.append(words)
    red, blue = hands
    _check_that_all_differ((*red, *blue))
    return tuple(map(clean, red)), tuple(map(clean, blue))


_TEAMS: Final = tuple(team.value for team in Team)


def read_act(given: Mapping[str, Any], state: State, chance: Chance) -> acts.Act:
    """Return the act that a JSON object describes. Raises Refused for missing or wrong fields."""
    reader = _READERS.get(given["act"])
    if reader is None:
        raise Refused(Reason.UNKNOWN_ACT)
    return reader(given, state, chance)


def _cell(given: Mapping[str, Any]) -> int:
    if "cell" not in given:
        raise Refused(Reason.MISSING_FIELD)
    cell = cell_named(given["cell"])
    if cell is None:
        raise Refused(Reason.UNKNOWN_CELL)
    return cell


def _number(given: Mapping[str, Any]) -> Number:
    if "number" not in given:
        raise Refused(Reason.MISSING_FIELD)
    number = given["number"]
    if number == UNLIMITED:
        return UNLIMITED
    if isinstance(number, bool) or not isinstance(number, int):
        raise Refused(Reason.BAD_NUMBER)
    return number


def _word(given: Mapping[str, Any]) -> str | None:
    word = given.get("word")
    if word is None:
        return None
    # A longer word is refused before is_word could keep it in its cache.
    if not isinstance(word, str) or len(word := clean(word)) > WORD_LENGTH:
        raise Refused(Reason.BAD_WORD)
    return word


Reader = Callable[[Mapping[str, Any], State, Chance], acts.Act]


def _place(given: Mapping[str, Any], state: State, chance: Chance) -> acts.Act:
    return acts.Place(_cell(given), _word(given), key_with_card(state, chance))


def _choose(given: Mapping[str, Any], state: State, chance: Chance) -> acts.Act:
    word = _word(given)
    if word is None:
        raise Refused(Reason.MISSING_FIELD)
    return acts.Choose(word)


def _correct(given: Mapping[str, Any], state: State, chance: Chance) -> acts.Act:
    return acts.Correct(_number(given) if "number" in given else None)


def _new_key(given: Mapping[str, Any], state: State, chance: Chance) -> acts.Act:
    return acts.NewKey(chance.one_of(EveryKey(state.board.layout, state.board.keeps_starting)))


def _plain(kind: Callable[[], acts.Act]) -> Reader:
    return lambda given, state, chance: kind()


_READERS: Final[dict[str, Reader]] = {
    "choose": _choose,
    "place": _place,
    "clue": lambda given, state, chance: acts.GiveClue(_number(given), _word(given)),
    "guess": lambda given, state, chance: acts.Guess(_cell(given)),
    "stop": _plain(acts.Stop),
    "challenge": _plain(acts.Challenge),
    "allow": _plain(acts.Allow),
    "uphold": _plain(acts.Uphold),
    "cover": lambda given, state, chance: acts.Cover(_cell(given)),
    "decline": _plain(acts.Decline),
    "hourglass": _plain(acts.TurnHourglass),
    "pause": _plain(acts.Pause),
    "resume": _plain(acts.Resume),
    "correct": _correct,
    "new-key": _new_key,
    "abandon": _plain(acts.Abandon),
    "reveal": _plain(acts.Reveal),
}
assert {*_READERS} == {acts.name_of(kind) for kind in acts.Act.__subclasses__()}
