"""The record of a game of Codex, made from its public events.

The agent whose wish was granted is never named.
"""

from collections.abc import Iterable, Iterator

from pi_table.common.language import Words, say
from pi_table.games.announcer.codex import fact_words
from pi_table.games.names import ROLES, TEAMS
from pi_table.games.rules import events as common
from pi_table.games.rules.codex import events
from pi_table.games.rules.codex.board import Board
from pi_table.games.rules.codex.hidden import State
from pi_table.table.engine.families.sentences import ABANDON_TAKEN_BACK, Sentence, begins, ending


def sentences(history: Iterable[common.Event]) -> Iterator[Sentence]:
    names: tuple[str, ...] = ()
    for event in history:
        if isinstance(event, events.AgentsDealt):
            names = tuple(identikit.nickname for identikit in event.identikits)
        for words in _sentences_of(event, names):
            yield Sentence(event.at, words)


def is_open(board: Board) -> bool:
    return board.identikits is not None


def secrets(state: State) -> Iterator[Words]:
    for dossier in state.secrets.dossiers:
        identikit = dossier.identikit
        yield say(
            "{agent}: {faction}, {role}, position {position}, fragment {fragment}.",
            agent=identikit.nickname,
            faction=TEAMS[identikit.faction],
            role=ROLES[identikit.role],
            position=identikit.position,
            fragment=identikit.fragment,
        )


def _sentences_of(event: common.Event, names: tuple[str, ...]) -> Iterable[Words]:
    """Yield the sentences for an event. An event that is not public has none."""
    match event:
        case events.AgentsDealt(profile=profile, roles=roles):
            yield begins(profile)
            one, two, three = (ROLES[role] for role in roles)
            yield say("Roles in play: {one}, {two}, {three}.", one=one, two=two, three=three)
            yield say("The agents: {names}.", names=", ".join(names))
        case events.VisitStarted(by_operator=True, agent=agent):
            yield say("The game goes on without waiting for {agent}.", agent=names[agent])
        case events.TogetherStarted(by_operator=True):
            yield say("The game goes on without waiting any longer.")
        case events.Paired(agent=agent):
            yield say("{agent} has a phone.", agent=names[agent])
        case events.Unpaired(agent=agent):
            yield say("{agent} has another visit.", agent=names[agent])
        case events.NewCodeAllowed(agent=agent):
            yield say("{agent} may choose a new code of their own.", agent=names[agent])
        case events.DiscussionEnded():
            yield say("The discussion ends.")
        case events.Voted(agent=agent, target=target):
            yield say("{agent} votes for {target}.", agent=names[agent], target=names[target])
        case events.TakenToMachine(agent=agent):
            yield say("{agent} goes to the truth machine.", agent=names[agent])
        case events.NobodyTaken():
            yield say("Nobody goes to the truth machine.")
        case events.FactRevealed(agent=agent, fact=fact, value=value):
            yield fact_words(names[agent], fact, value)
        case common.Paused():
            yield say("A pause.")
        case common.Resumed():
            yield say("The game goes on.")
        case common.GameEnded():
            yield from ending(event)
        case common.AbandonTakenBack():
            yield ABANDON_TAKEN_BACK
        case common.Revealed():
            yield say("The identikits are revealed.")
