"""Every screen that the encoder and the buttons lead to, for a table that stands still."""

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace
from playing import KEY, RECORD, TOLD, RulesTable

from pi_table.common.language import LANGUAGES, Lang, say, translate
from pi_table.devices.hal.contracts import Input
from pi_table.games.announcer.announcement import What
from pi_table.games.announcer.first_game import FirstGame, Now, Step
from pi_table.games.lines.game import SETTINGS
from pi_table.games.referee.reasons import Opinion, Reason, Verdict, Why
from pi_table.games.rules.profile import PROFILES, Settings, settings_for
from pi_table.games.rules.refusal import Reason as RefusalReason
from pi_table.games.rules.team import Team
from pi_table.protocols.ipc.messages import OfferedPack, Presence, Request, TableMessage
from pi_table.screens.console.blanks import Blanks, BlankWord
from pi_table.screens.console.games_on_offer import Games
from pi_table.screens.console.how_to_play.screens import HowToPlay
from pi_table.screens.console.judge import Judged
from pi_table.screens.console.model import Model
from pi_table.screens.console.operator_page import OperatorPage
from pi_table.screens.console.screen import Screen
from pi_table.screens.console.setup import HouseRules, Setup
from pi_table.screens.console.typing_screen import Writing
from pi_table.screens.console.update import update
from pi_table.screens.console.word_games.clue_entry import Give, PickNumber
from pi_table.screens.console.word_games.hands import Hands
from pi_table.screens.console.word_games.lay_out import LayOut
from pi_table.screens.console.word_games.referee_says import RULES, question_of

INPUTS = (Input.PRESS, Input.RIGHT, Input.BACK)


def _clue(key: str, **options: Any) -> RulesTable:
    return RulesTable(key=key, **options).begin().clue()


def _served(key: str) -> RulesTable:
    return RulesTable(key=key).begin().serve("red-spymaster")


def _guessed(key: str, *cells: str) -> RulesTable:
    return _clue(key).guess(*cells)


def _penalty(key: str) -> RulesTable:
    table = _clue(key).do("blue-spymaster", "challenge")
    return table.do("blue-spymaster", "uphold")


def _laid(key: str) -> RulesTable:
    table = RulesTable(key=key, profile="deep-undercover", words=False).begin()
    return table.do("red-operatives", "place", cell="B2")


def _hands(key: str, **options: Any) -> RulesTable:
    """Blue's turn to lay a card; where a group plays, Red's again."""
    table = RulesTable(key=key, profile="deep-undercover", hands=True, **options).begin()
    return table.do("red-operatives", "place", cell="B2")


def _alias(key: str, *cells: str) -> RulesTable:
    """Blue, who has more to look for, starts."""
    key = key.replace("n", "r", 1)[:12] + "-" + key[13:]
    table = RulesTable(key=key, profile="alias-24", nuke="mad").begin()
    return table.clue(None, 0, "blue").guess(*cells, team="blue") if cells else table


def _alias_penalty(key: str) -> RulesTable:
    table = _alias(key).clue(None, 1, "blue")
    return table.do("red-spymaster", "challenge").do("red-spymaster", "uphold")


def _group(key: str, *cells: str) -> RulesTable:
    table = RulesTable(key=key, players="cooperative").begin()
    return table.clue(None, "unlimited").guess(*cells)


PACKS = (
    OfferedPack("after-dark", "After dark", "en", True),
    OfferedPack("english", "English", "en", False),
    OfferedPack("italiano", "Italiano", "it", False),
    OfferedPack("kitchen", "The kitchen", "en", False),
)


class Offering(RulesTable):
    """A table whose words can be dealt from several packs."""

    def message(self) -> TableMessage:
        return replace(super().message(), packs=PACKS)


def _damaged(key: str) -> RulesTable:
    table = RulesTable(key=key)
    table.damaged, table.faults = True, ("The journal is damaged.",)
    return table


STATES: dict[str, Callable[[str], RulesTable]] = {
    "no game": lambda key: RulesTable(key=key),
    "no game, packs": lambda key: Offering(key=key),
    "clue": lambda key: RulesTable(key=key, zero=True).begin(),
    "clue, pages": _served,
    "clue, clock": lambda key: RulesTable(key=key, timer="clock").begin(),
    "guess": lambda key: _clue(key, timer="hourglass"),
    "guess, own cards": lambda key: _clue(key, words=False),
    "guessed": lambda key: _guessed(key, "A1", "D1"),
    "turn over": lambda key: _guessed(key, "A1", "C1"),
    "challenge": lambda key: _clue(key).do("blue-spymaster", "challenge"),
    "penalty": _penalty,
    "paused": lambda key: _guessed(key, "A1").do("operator", "pause"),
    "assassin": lambda key: _guessed(key, "A3"),
    "abandoned at once": lambda key: RulesTable(key=key).begin().do("operator", "abandon"),
    "abandoned": lambda key: _clue(key).do("operator", "abandon"),
    "revealed": lambda key: _guessed(key, "A3").do("operator", "reveal"),
    "damaged": _damaged,
    "cards are laid": _laid,
    "cards of hands are laid": _hands,
    "a group's cards are laid": lambda key: _hands(key, players="cooperative"),
    "a pause while hands are laid": lambda key: _hands(key).do("operator", "pause"),
    "alias": _alias,
    "alias, targeted": lambda key: _alias(key, "A1"),
    "alias, penalty": _alias_penalty,
    "alias, nuke": lambda key: _alias(key, "A3"),
    "group": _group,
    "group, covers": lambda key: _group(key, "C1"),
    "group, lost": lambda key: _group(key, "A3"),
}


WHOLE = "no game, packs"
"""The state in which what is behind a door is explored, too: it is the same in all."""


class Explored(msgspec.Struct):
    """The models that were reached, and the acts that were asked for on the way."""

    models: list[Model]
    asked: list[dict[str, Any]]


@functools.cache
def explored(state: str, key: str = KEY) -> Explored:
    """Every screen and selection within reach at a table in this state. The table does nothing
    that it is asked for, but tells what it is asked to tell."""
    table = STATES[state](key)
    if table.game is not None:
        table.game += len(RECORD)
    first, _ = update(Model(), table.message(), 0.0)
    found = Explored([first], [])
    seen = {_signature(first)}
    for model in found.models:
        if isinstance(model.screen, Writing) and len(model.screen.letters) > 1:
            continue
        if state != WHOLE and _is_behind_a_door(model):
            continue
        for given in INPUTS:
            after, requests = update(model, given, 0.0)
            for request in requests:
                if request.do["act"] in ("peek", "unpeek"):
                    after = _peeked(after, table, request)
                    continue
                found.asked.append(request.do)
                if request.do["act"] in ("clues", "record", *TOLD):
                    after, _ = update(after, table.answer(request), 0.0)
            if _signature(after) not in seen:
                seen.add(_signature(after))
                found.models.append(after)
    return found


def _is_behind_a_door(model: Model) -> bool:
    """True if this is an operator's screen, or one of the setup of a game."""
    return any(isinstance(each, OperatorPage) for each in model.screens[:-1]) or any(
        isinstance(each, Games) for each in model.screens[:-2]
    )


def _peeked(model: Model, table: RulesTable, request: Request) -> Model:
    """The table sends the key, or does not any more, and stands as before."""
    answer = table.answer(request)
    model, _ = update(model, table.message(), 0.0)
    table.peek = None
    return update(model, answer, 0.0)[0]


def _signature(model: Model) -> object:
    *under, top = model.screens
    if isinstance(top, Writing) or any(isinstance(screen, Hands) for screen in under):
        # Whichever number or card was chosen below, this is the same.
        below: tuple[object, ...] = tuple(type(screen) for screen in under)
    else:
        below = tuple(_stands_at(screen) for screen in under)
    return below, _stands_at(top), tuple(choice.label for choice in model.choices)


def _stands_at(screen: Screen[Any]) -> object:
    at = screen.at if isinstance(screen, LayOut) else getattr(screen, "every", None)
    return type(screen), screen.selected, at


def explore_all() -> list[Model]:
    """The models of all states, in all languages."""
    found = []
    for lang in LANGUAGES:
        for state in STATES:
            found += [replace(model, lang=lang) for model in explored(state).models]
        found += setups(lang)
        found += [*blanks(lang), *opinions(lang), *next_cards(lang), *pages(lang), *steps(lang)]
        found += [*invitations(lang), *captions(lang)]
    return found


def forms() -> Iterator[tuple[str, Settings]]:
    """Every game, in every form of it that is explained in other words."""
    forms_of = {
        "players": ("teams", "cooperative", "shared-operative"),
        "dealing": ("table", "shared"),
        "nuke": ("basic", "mad"),
        "zero": (True, False),
        "unlimited": (True, False),
    }
    for profile in PROFILES.values():
        names = [name for name in forms_of if name in profile.settings]
        for values in itertools.product(*(forms_of[name] for name in names)):
            yield profile.id, settings_for(profile, dict(zip(names, values, strict=True)))


def pages(lang: Lang) -> list[Model]:
    """Return the pages on how to play each form of each game."""
    home, _ = update(Model(), RulesTable().message(), 0.0)
    found = []
    for profile, settings in forms():
        screen = HowToPlay(profile=profile, settings=settings)
        for selected in range(len(screen.pages)):
            screens = (*home.screens, replace(screen, selected=selected))
            found.append(replace(home, lang=lang, screens=screens))
    return found


def steps(lang: Lang) -> list[Model]:
    """A game that explains itself, at every step, and with the key on the screen."""
    found = []
    for step in Step:
        table = RulesTable(lang=lang, explain=True).begin()
        model, _ = update(Model(), table.message(), 0.0)
        model = replace(model, lang=lang, first_game=FirstGame(Now(step, Team.BLUE), (step,)))
        table.answer(Request(1, {"act": "peek", "seat": "red-spymaster"}))
        peeking, _ = update(replace(model, peeking=True), table.message(), 0.0)
        found += [model, replace(peeking, peeking=True)]
    return found


def setups(lang: Lang) -> list[Model]:
    """The setup of every game, and its house rules for every value of every setting it has."""
    home, _ = update(Model(), RulesTable().message(), 0.0)
    found = []
    for profile in PROFILES.values():
        defaults = profile.defaults
        setup = Setup(profile=profile.id, cards="dealt", settings=replace(defaults, lang=lang))
        found.append(replace(home, lang=lang, screens=(*home.screens, setup)))
        for setting in SETTINGS:
            for value, _ in setting.values if setting.field in profile.settings else ():
                chosen = {"timer": setting.timer or "off", setting.field: value}
                screen = HouseRules(profile=profile.id, settings=replace(defaults, **chosen))
                labels = [choice.label for choice in screen.choices(RulesTable().message())]
                screen = replace(screen, selected=labels.index(setting.label))
                found.append(replace(home, lang=lang, screens=(*home.screens, setup, screen)))
    return found


WIDE = tuple(f"{letter}WMWMWMWMWMWMW" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXY")
"""As many words as there are cards, each as long and wide as a word can be."""
FAULTY = ("-", "#CAT", "CA\u200bT", "C\u0410T", "W" * 40, WIDE[0])
"""A word with each fault that there is, among those words."""


def blanks(lang: Lang) -> list[Model]:
    """Words of the players' own: few, as many as can be, and one being typed with each fault."""
    home, _ = update(Model(), RulesTable().message(), 0.0)
    defaults = replace(PROFILES["codenames"].defaults, lang=lang)
    setup = Setup(profile="codenames", cards="dealt", settings=defaults, blanks=WIDE)
    few, all_of_them = (Blanks(words=WIDE[:n], lang=lang, most=len(WIDE)) for n in (3, 25))
    screens: list[tuple[Screen[Any], ...]] = [(setup,), (setup, few), (setup, all_of_them)]
    for word in ("", "cat", *FAULTY):
        screens.append((setup, few, BlankWord(letters=word, below=few)))
    return [
        replace(home, lang=lang, screens=(*home.screens, *above), notice=None) for above in screens
    ]


def opinions(lang: Lang) -> list[Model]:
    """A clue about to be given: before the referee answers, without an opinion, and with each of
    its verdicts, rules and reasons, about the longest words."""
    found = []
    with_options: tuple[dict[str, Any], ...] = ({}, {"players": "cooperative"})
    for options in with_options:
        model, _ = update(Model(), RulesTable(lang=lang, **options).begin().message(), 0.0)
        give = Give(Team.RED, "unlimited", "w" * 40)
        model = replace(model, lang=lang, screens=(*model.screens, PickNumber(Team.RED), give))
        asked = question_of(model)
        assert asked is not None
        given: list[Opinion | None] = [None, Opinion(Verdict.FINE)]
        for rule, why in zip(itertools.cycle([*RULES][1:]), Why):
            reason = Reason(why, "w" * 40, "MWMWMWMWMWMWMW", "mwmwmwmwm")
            given += [Opinion(verdict, rule, reason) for verdict in (Verdict(1), Verdict(2))]
        found += [model, *(replace(model, judged=Judged(asked, each)) for each in given)]
    return found


def invitations(lang: Lang) -> list[Model]:
    """The table asks whether anybody still plays, and sleeps: before, in and after a game."""
    found = []
    for state, presence in itertools.product(("no game", "guess", "assassin"), Presence):
        message = replace(STATES[state](KEY).message(), idle=presence)
        found.append(replace(update(Model(), message, 0.0)[0], lang=lang))
    return found


def captions(lang: Lang) -> list[Model]:
    """Why a touch was refused, in the longest words, beside the menu of every state."""
    longest = max(REFUSALS, key=lambda words: len(translate(words, lang)))
    found = []
    for make in STATES.values():
        table = make(KEY)
        model, _ = update(Model(), table.message(), 0.0)
        model, _ = update(model, table.says(What.REFUSED, longest).message(), 0.0)
        found.append(replace(model, lang=lang))
    return found


REFUSALS = (
    *(reason.sentence for reason in RefusalReason),
    say("Something wet, or an arm, is on the table: wipe it dry, or lift the arm."),
    say("The table cannot keep this: call the staff."),
)


def next_cards(lang: Lang) -> list[Model]:
    """The teams lay out words of the table's: a long one is next."""
    message = _laid(KEY).message()
    assert message.public is not None
    message = replace(message, public=replace(message.public, next_word=WIDE[0]))
    model, _ = update(Model(), message, 0.0)
    return [replace(model, lang=lang)]
