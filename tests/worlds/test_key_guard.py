"""ALL-1: every function that can come by the key. A new one is to be looked at, and then listed.

Whoever reads a key or holds a state can betray it; the lists below are all who do, outside the
spymasters' own screen. What is given a `Board` alone cannot.
"""

import ast
import re
from pathlib import Path
from typing import get_type_hints

import pytest

import pi_table
from pi_table.devices.lights import word_games as lights_of_words
from pi_table.devices.lights.canvas import Canvas
from pi_table.devices.lights.colours import Colours
from pi_table.devices.lights.light import light
from pi_table.devices.lights.picture import Attention, Picture
from pi_table.games.announcer.announcement import Announcement
from pi_table.games.announcer.announcer import announce
from pi_table.games.announcer.standing import Standing
from pi_table.games.rules.games import AnyBoard, AnyState
from pi_table.games.rules.word_games import phases, views
from pi_table.games.rules.word_games.board import Board, State
from pi_table.games.rules.word_games.key import Key
from pi_table.games.rules.word_games.views import PublicView

ROOT = Path(next(iter(pi_table.__path__)))
THEIR_OWN = ("screens.console.", "lab.")
"""The spymasters' screen, and measurements that play by themselves."""
KNOW_NO_GAME = (
    "devices.hal.",
    "maintenance.bring_up.",
    "games.referee.",
    "devices.wire.",
    "fleet.provisioning.",
)
"""They import nothing of the rules: a `State` of theirs is the controller's, `letters` a word's."""

ATTRIBUTES = {"key", "letters", "open_key", "kept"}
READ_THE_KEY = {
    "games.rules.word_games.key": {"Key.identity", "Key.starts"},
    "games.rules.word_games.drawing": {"EveryKey.item", "key_with_card"},
    "games.rules.word_games.decide": {"_guess", "_cover", "_new_key", "_place"},
    "games.rules.word_games.evolve": {"evolve_all", "_dealt", "_on_key_redrawn"},
    "games.rules.word_games.phases": {"_correct", "_reveal"},  # only whether it was opened
    "games.rules.word_games.views": {
        "view",
        "public_view",
        "public_identity",
    },  # the last two read what was opened
    "devices.lights.word_games": {"stand"},  # what was opened
    "games.announcer.word_games": {"announce"},  # only whether it was opened
    # `sight` reads only whether there is one, and whether it was opened.
    "table.engine.families.word_games.messages": {"console_message", "phone", "sight"},
    "table.engine.presentation.messages": {"to_a_phone"},  # of what `phone` shows
    "table.engine.families.word_games.record": {"_SENTENCES", "_deal", "is_open", "secrets"},
    "table.backups.telling": {"restore_text"},  # where the old files are kept
    "fleet.bridge.broker": {"Broker.tls_context", "broker"},  # of a certificate
    "fleet.bridge.broker_link": {"BrokerClient.tell"},  # is the message kept by the broker?
    "fleet.bridge.home_assistant": {"discovery", "_component"},  # what an entity is called
    "fleet.collector.settings": {"Settings.tls_context"},  # of a certificate
    "maintenance.first_boot.applying": {"_check_secrets_can_be_blanked"},  # the same
    "maintenance.first_boot.bridge_secrets": {"to_keep", "to_show"},  # the same
    "maintenance.first_boot.command": {"summary", "_shows_nothing"},  # the same
    "table.engine.storage.card_link": {"CardLink.page"},  # of the desk's link
    "table.engine.storage.phones_file": {"PhonesFile.__init__"},  # the same
    "table.store.faults": {"JournalGoneError.__init__"},  # a path
    "table.store.sealed_file": {"decode_sealed"},  # of a seal
}
"""Functions (and tables) that use one of these attributes."""

NAMES = {"Key", "EveryKey", "State", "AnyState"}
HOLD_A_KEY = {
    "games.rules.word_games.key": {"Key.read"},
    "games.rules.word_games.drawing": {"EveryKey.item", "key_with_card"},
    "games.rules.word_games.board": {"Board", "State"},
    "games.rules.word_games.acts": {"NewKey", "Place"},
    "games.rules.word_games.events": {"Dealt", "KeyDrawn", "KeyRedrawn"},
    "games.rules.word_games.evolve": {"_dealt", "evolve", "evolve_all"},
    "games.rules.games": {
        *("AnyState", "S", "_game", "decide", "evolve", "may", "read_act", "replay"),
        *("private_result", "view"),
    },
    "games.rules.word_games.game": {"lapse", "may", "private_result"},
    "games.rules.play": {"_Table.__init__"},
    "games.rules.word_games.text": {
        *("Reader", "_choose", "_correct", "_new_key", "_place", "_read_key", "read_act"),
        *("read_opening", "_read_starts"),
    },
    "games.rules.word_games.views": {"view"},
    "table.engine.state.game_in_play": {"GameInPlay", "GameInPlay.settle"},
    "table.engine.storage.history": {"replay_stored"},
    "table.engine.storage.results": {"Found"},
    "table.engine.storage.records": {"_story"},  # asks the family whether it is open
    "table.engine.state.moves": {"Move"},
    "table.engine.state.peek": {"begin", "current_peek"},
    "table.engine.families.word_games.messages": {"console_message", "look", "phone", "sight"},
    "table.engine.presentation.messages": {"_may"},  # only what may be done
    "table.engine.families.word_games.record": {"secrets"},
    "table.engine.families.word_games.family": {"act_of_touch"},
    "fleet.bridge.payloads": {"state"},  # a `State` of its own: what everybody sees
    "screens.web.phone_connection": {  # of a WebSocket
        *("PhoneConnection.send", "PhoneConnection._send_close"),
    },
}
"""Names that are made of a ``Key`` or a ``State``, or that take, return or draw one. All names of
`decide` do."""
EVERY_ACT_IS_DECIDED_ON_THE_STATE = "games.rules.word_games.decide"
OF_CODEX = ("games.rules.codex.", "table.engine.families.codex.")
"""They know no key; a `State` of theirs holds identikits."""


def uses(tree: ast.AST, names: set[str], attributes: set[str], within: str = "") -> set[str]:
    """The functions, classes and module-level names in which any of these appear."""
    found = set()
    for node in ast.iter_child_nodes(tree):
        inside = within
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = f"{within}.{node.name}".strip(".")
        elif not within and isinstance(node, ast.Assign | ast.AnnAssign):
            (target,) = node.targets if isinstance(node, ast.Assign) else [node.target]
            inside = ast.unparse(target)
        if (
            (isinstance(node, ast.Attribute) and node.attr in attributes | names)
            or (isinstance(node, ast.Name) and node.id in names)
            or (isinstance(node, ast.Constant) and node.value in names)
        ):
            found.add(within)
        found |= uses(node, names, attributes, inside)
    return found


def modules() -> dict[str, str]:
    """The text of all that is looked at, by its name within the package."""
    texts = {}
    for path in ROOT.rglob("*.py"):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if not f"{name}.".startswith(THEIR_OWN):
            texts[name] = path.read_text("utf-8")
    return texts


def everywhere(names: set[str], attributes: set[str]) -> dict[str, set[str]]:
    found = {}
    for name, text in modules().items():
        if not f"{name}.".startswith(KNOW_NO_GAME + OF_CODEX):
            used = uses(ast.parse(text), names, attributes)
            if used:
                found[name] = used
    return found


def test_what_knows_no_game_imports_no_rules() -> None:
    looked_at = 0
    for name, text in modules().items():
        if f"{name}.".startswith(KNOW_NO_GAME):
            assert not re.search(
                r"^\s*(from|import) pi_table\.(games\.rules|table\.engine)", text, re.M
            ), name
            looked_at += 1
    assert looked_at > 3


def test_nobody_else_reads_the_key() -> None:
    assert everywhere(set(), ATTRIBUTES) == READ_THE_KEY


def test_nobody_else_holds_a_key_or_a_state() -> None:
    found = everywhere(NAMES, set())
    del found[EVERY_ACT_IS_DECIDED_ON_THE_STATE]
    assert found == HOLD_A_KEY


@pytest.mark.parametrize("function", [views.public_view, phases.may])
def test_what_everybody_sees_is_made_of_a_board_alone(function: object) -> None:
    hints = get_type_hints(function)
    assert hints["board"] in (Board, AnyBoard | None)
    assert not {State, Key, AnyState} & {*hints.values()}


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (light, {Picture, float}),
        (announce, {Standing | None, Standing}),
        (lights_of_words.stand, {Canvas, PublicView, Colours, float, bool}),
    ],
)
def test_what_is_shown_and_said_is_made_of_views_alone(
    function: object, given: set[object]
) -> None:
    hints = get_type_hints(function)
    del hints["return"]
    assert {*hints.values()} == given


@pytest.mark.parametrize("value", [Picture, Standing, Announcement, Attention])
def test_what_they_are_given_holds_no_key(value: type) -> None:
    for hint in get_type_hints(value).values():
        assert not re.search(r"\b(Board|State|Key|AnyState|AnyBoard)\b", str(hint))


def test_a_board_has_no_key_before_it_is_opened() -> None:  # ALL-5
    holding = {name for name, hint in get_type_hints(Board).items() if "Key" in str(hint)}
    assert holding == {"open_key"}
    assert "before" in get_type_hints(Board)  # and that one is a board as well


def test_one_use_too_many_is_noticed() -> None:
    text = "class Lamp:\n    def show(self, state: State) -> int:\n        return state.key\n"
    assert uses(ast.parse(text), {"State"}, set()) == {"Lamp.show"}
    assert uses(ast.parse(text), set(), {"key"}) == {"Lamp.show"}
    assert uses(ast.parse("hidden = game.key"), set(), {"key"}) == {"hidden"}
