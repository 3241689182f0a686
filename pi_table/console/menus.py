"""The menus of a game: what can be done at the moment, each act for whom it is.

Which acts are possible is the table's to say; here is only what they are called, and what is asked
before one that cannot be taken back.
"""

from collections.abc import Iterator

from pi_table.console.clue_entry import MendNumber, PickNumber, clue_text, number_can_be_mended
from pi_table.console.confirm import confirmed
from pi_table.console.cover import Cover
from pi_table.console.reading import Faults, Records, TheClue, clues_so_far
from pi_table.console.screen import Ask, Choice, Go, Screen, may, name, spymaster
from pi_table.console.setup import setup
from pi_table.ipc.messages import TableMessage
from pi_table.rules.key import Team


class Home(Screen, frozen=True):
    """What can be done now, the likeliest first."""

    def choices(self, table: TableMessage) -> tuple[Choice, ...]:
        return tuple(_home(table))


class More(Screen, frozen=True):
    """What is seldom wanted."""

    def choices(self, table: TableMessage) -> tuple[Choice, ...]:
        return tuple(_more(table))


def _home(table: TableMessage) -> Iterator[Choice]:
    public = table.public
    if may(table, "operator", "resume"):
        yield Choice("Go on with the game", Ask({"seat": "operator", "act": "resume"}))
    for team in Team:
        yield from _spymaster(table, team)
    yield from _next_game(table)
    if may(table, "operator", "start"):
        label = "New game" if public is None else "Another game…"
        yield Choice(label, Go(setup(table)))
    if public is not None and public.clue is not None:
        yield Choice("The clue again", Go(TheClue()))
    if may(table, "operator", "hourglass"):
        yield Choice("Turn the hourglass", Ask({"seat": "operator", "act": "hourglass"}))
    for team in Team:
        yield from _challenge(table, team)
    if public is not None and public.clue is None:
        yield clues_so_far()
    if table.faults:
        yield Choice("What is wrong?", Go(Faults()))
    if More().choices(table):
        yield Choice("More…", Go(More()))


def _spymaster(table: TableMessage, team: Team) -> Iterator[Choice]:
    """What the team's spymaster, or its operatives, can do."""
    seat, who, other = spymaster(team), name(team), name(team.other)
    if may(table, seat, "clue"):
        yield Choice(f"{who} gives the clue", Go(PickNumber(team)), team)
    if may(table, seat, "cover"):
        yield Choice(f"{who} covers an agent", Go(Cover(team)), team)
    yield from confirmed(
        table,
        f"{who} covers none",
        {"seat": seat, "act": "decline"},
        f"{who} covers none of its agents?",
        "Yes, cover none",
        team,
    )
    yield from confirmed(
        table,
        f"{who} allows the clue",
        {"seat": seat, "act": "allow"},
        f"Let {other}’s clue stand? {other} goes on guessing.",
        "Yes, it stands",
        team,
    )
    penalty = table.settings is not None and table.settings.penalty
    yield from confirmed(
        table,
        f"{who}: it is invalid",
        {"seat": seat, "act": "uphold"},
        f"Is {other}’s clue invalid? {other}’s turn ends at once"
        + (f", and {who} may cover an agent." if penalty else "."),
        "Yes, it is invalid",
        team,
    )
    yield from confirmed(
        table,
        f"{who} ends its turn",
        {"seat": f"{team.value}-operatives", "act": "stop"},
        f"End {who}’s turn? {other} gives the next clue.",
        "Yes, end the turn",
        team,
    )


def _challenge(table: TableMessage, team: Team) -> Iterator[Choice]:
    public = table.public
    if public is None or public.clue is None:
        return
    clue = clue_text(public.clue.word, public.clue.number)
    yield from confirmed(
        table,
        f"{name(team)} challenges it",
        {"seat": spymaster(team), "act": "challenge"},
        f"{name(team)} says that the clue {clue} is invalid? "
        f"{name(team)}’s spymaster then judges it.",
        "Yes, challenge it",
        team,
    )


def _next_game(table: TableMessage) -> Iterator[Choice]:
    public = table.public
    if public is None:
        return
    words_known = any(cell.word for cell in public.cells.values())
    yield from confirmed(
        table,
        "Next game",
        {"seat": "operator", "act": "next"},
        "Begin the next game, with "
        + ("new words" if words_known else "the cards flipped")
        + " and a new key?",
        "Yes, next game",
    )
    if may(table, "operator", "reveal"):
        # One press, and behind the line that asks first: a game may end under somebody's finger.
        yield Choice("Show everybody the key", Ask({"seat": "operator", "act": "reveal"}))


def _more(table: TableMessage) -> Iterator[Choice]:
    if may(table, "operator", "pause"):
        yield Choice("Pause", Ask({"seat": "operator", "act": "pause"}))
    public = table.public
    if public is not None and public.turn is not None and number_can_be_mended(table):
        yield Choice("Mend the clue’s number", Go(MendNumber(public.turn)))
    else:
        yield from confirmed(
            table,
            "Take back the last guess",
            {"seat": "operator", "act": "correct"},
            "Take back the latest guess, and all that followed from it? Everybody is told.",
            "Yes, take it back",
        )
    yield from confirmed(
        table,
        "Draw a new key",
        {"seat": "operator", "act": "new-key"},
        "Draw a new key, because somebody saw this one? The words stay. Everybody is told.",
        "Yes, draw a new key",
        wary=True,
    )
    if may(table, "operator", "record"):
        yield Choice("Games played", Go(Records(), {"seat": "operator", "act": "record"}))
    yield from confirmed(
        table,
        "Abandon the game",
        {"seat": "operator", "act": "abandon"},
        "Abandon this game? It ends at once, and nobody wins.",
        "Yes, abandon it",
        wary=True,
    )
