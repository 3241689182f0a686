"""Deal Codex: draw six identikits, or read and check given ones."""

import re
from collections.abc import Sequence
from itertools import combinations, permutations
from typing import Any, Final

from pi_table.common.errors import InputError
from pi_table.common.language import say
from pi_table.common.lettering import clean, misfit, same
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.codex.board import COUNT
from pi_table.games.rules.codex.identikit import (
    ALPHABET,
    FRAGMENT_LENGTH,
    NAME_LENGTH,
    POSITIONS,
    Fact,
    Identikit,
    Role,
)
from pi_table.games.rules.seat import AGENTS, Seat
from pi_table.games.rules.team import Team

FRAGMENTS: Final = len(ALPHABET) ** FRAGMENT_LENGTH
SPECIAL: Final = tuple(role for role in Role if role is not Role.LEADER)
ROLE_SETS: Final = tuple(combinations(SPECIAL, 2))
"""The pairs of roles that can be in play besides the leader (CX-3)."""

_MEMBERS: Final = tuple(combinations(range(COUNT), COUNT // 2))
"""All sets of three seats: the red faction may have any of them."""
_ORDERS: Final = tuple(permutations(range(len(POSITIONS))))
_FIELDS: Final = tuple(fact.value for fact in Fact)
_SEAT_LIKE: Final = re.compile(r"agent\d*|operator")
NICKNAMES: Final = (
    *("Cobra", "Puma", "Panda", "Zebra", "Koala", "Gorilla", "Lama", "Iguana", "Condor"),
    *("Piranha", "Alpaca", "Chinchilla", "Delta", "Sigma", "Omega", "Kappa", "Zeta", "Theta"),
    *("Quasar", "Pulsar", "Nova", "Sirius", "Vega", "Altair", "Rigel", "Antares", "Atlas"),
    *("Nadir", "Radar", "Sonar", "Laser", "Turbo", "Robot", "Domino", "Tango", "Salsa"),
    *("Rumba", "Samba", "Polka", "Mambo", "Opera", "Tempo", "Bravo", "Fiasco", "Viola"),
    *("Ocarina", "Banjo", "Jolly", "Joker", "Poker", "Bingo", "Oasis", "Igloo", "Kayak"),
    *("Espresso", "Macchiato", "Cappuccino", "Gelato", "Pesto", "Risotto", "Polenta", "Kiwi"),
    *("Mango", "Papaya", "Paprika", "Wasabi", "Tofu", "Origami", "Karate", "Judo", "Sudoku"),
    *("Panorama", "Enigma", "Incognito", "Orchestra", "Extra", "Zero", "Mistral", "Tsunami"),
)


def in_play(roles: Sequence[Role]) -> tuple[Role, ...]:
    """Return ``roles`` and the leader, in the order in which they are announced."""
    return tuple(role for role in Role if role is Role.LEADER or role in roles)


def draw(
    roles: Sequence[str] | None, nicknames: Sequence[str | None], chance: Chance
) -> tuple[Identikit, ...]:
    """Draw six identikits. All deals are equally likely (CX-1).

    ``roles`` are the two roles besides the leader; None to draw them. A nickname that is None is
    drawn from `NICKNAMES`.
    """
    special = ROLE_SETS[chance.below(len(ROLE_SETS))] if roles is None else [*map(Role, roles)]
    names = _names(nicknames, chance)
    fragments = _fragments(chance)
    red = _MEMBERS[chance.below(len(_MEMBERS))]
    dealt: dict[int, Identikit] = {}
    for faction in Team:
        seats = [seat for seat in range(COUNT) if (seat in red) is (faction is Team.RED)]
        which_roles = _ORDERS[chance.below(len(_ORDERS))]
        which_positions = _ORDERS[chance.below(len(_ORDERS))]
        for seat, role, position in zip(seats, which_roles, which_positions, strict=True):
            dealt[seat] = Identikit(
                names[seat], faction, in_play(special)[role], POSITIONS[position], fragments[seat]
            )
    return tuple(dealt[seat] for seat in range(COUNT))


def _names(given: Sequence[str | None], chance: Chance) -> list[str]:
    taken = {same(name) for name in given if name is not None}
    free = [name for name in NICKNAMES if same(name) not in taken]
    return [free.pop(chance.below(len(free))) if name is None else name for name in given]


def _fragments(chance: Chance) -> list[str]:
    found: list[str] = []
    while len(found) < COUNT:
        number, letters = chance.below(FRAGMENTS), ""
        for _ in range(FRAGMENT_LENGTH):
            number, letter = divmod(number, len(ALPHABET))
            letters += ALPHABET[letter]
        if letters not in found:
            found.append(letters)
    return found


def read_nicknames(given: object) -> list[str | None]:
    """Return the nicknames that are given as JSON. None stands for a nickname to draw. Raises
    InputError."""
    if given is None:
        return [None] * COUNT
    if not isinstance(given, list) or len(given) != COUNT:
        raise InputError(
            say("The nicknames of a game are a list of {count}, or null.", count=COUNT)
        )
    names = [None if name is None else read_nickname(name) for name in given]
    _check_different("nicknames", [same(name) for name in names if name is not None])
    return names


def read_nickname(given: object) -> str:
    """Return a nickname in the form in which it is stored. Raises InputError if it is invalid."""
    name = clean(given) if isinstance(given, str) else ""
    if len(name) > NAME_LENGTH or misfit(name) is not None:
        raise InputError(
            say(
                "A nickname has 1 to {name_length} characters that the table can show and read "
                "out: choose another one.",
                name_length=NAME_LENGTH,
            )
        )
    if _SEAT_LIKE.fullmatch(same(name)):
        raise InputError(
            say("A nickname may not look like the name of a seat: choose another one.")
        )
    return name


def agent_named(name: str, nicknames: Sequence[str]) -> int | None:
    """Return the number of the agent with this nickname, or None."""
    if name in nicknames:  # an old game may have two that now count as the same
        return nicknames.index(name)
    alike = [*map(same, nicknames)]
    return alike.index(same(name)) if same(name) in alike else None


def read_deal(given: object, roles: Sequence[str] | None) -> tuple[Identikit, ...]:
    """Return the six identikits of a deal that is given as JSON, after all checks.

    ``roles`` are the two roles besides the leader that the settings require; None allows any.
    Raises InputError. Its message never quotes the deal: even a deal with a typing error may give
    away a real one.
    """
    if not isinstance(given, list) or len(given) != COUNT:
        raise InputError(
            say(
                "A deal is a list of {count} identikits, or null for one that is drawn.",
                count=COUNT,
            )
        )
    identikits = tuple(
        _read_identikit_of(seat, each) for seat, each in zip(AGENTS, given, strict=True)
    )
    _check_different("nicknames", [same(identikit.nickname) for identikit in identikits])
    _check_different("fragments", [identikit.fragment for identikit in identikits])
    factions = [
        [identikit for identikit in identikits if identikit.faction is team] for team in Team
    ]
    if {*map(len, factions)} != {len(POSITIONS)}:
        raise InputError(say("Each faction of a deal has three agents."))
    red, blue = ({identikit.role for identikit in faction} for faction in factions)
    if red != blue or len(red) != len(POSITIONS) or Role.LEADER not in red:
        raise InputError(
            say(
                "Both factions of a deal have the same three roles, one agent each, and one of "
                "them is the leader."
            )
        )
    if roles is not None and {*in_play([*map(Role, roles)])} != red:
        raise InputError(
            say("The roles of the deal differ from the setting 'roles': change one of them.")
        )
    for faction in factions:
        if {identikit.position for identikit in faction} != {*POSITIONS}:
            raise InputError(
                say("Each faction of a deal has each of the positions 1, 2 and 3 once.")
            )
    return identikits


def _read_identikit_of(seat: Seat, given: Any) -> Identikit:
    try:
        return _read_identikit(given)
    except InputError as error:
        raise InputError(
            say("The identikit of {value}: {error}", value=seat.value, error=error)
        ) from None


def _read_identikit(given: Any) -> Identikit:
    if not isinstance(given, dict) or {*given} != {*_FIELDS}:
        raise InputError(
            say(
                "An identikit of a deal has the fields {fields}, no others.",
                fields=", ".join(_FIELDS),
            )
        )
    position, fragment = given["position"], given["fragment"]
    if type(position) is not int or position not in POSITIONS:
        raise InputError(say("The position of a fragment is 1, 2 or 3."))
    # Only ASCII is accepted, because some letters become two in capitals (ß).
    fragment = fragment.upper() if isinstance(fragment, str) and fragment.isascii() else ""
    if len(fragment) != FRAGMENT_LENGTH or not {*fragment} <= {*ALPHABET}:
        raise InputError(say("A fragment is four letters or digits, without 0, O, 1 and I."))
    return Identikit(
        read_nickname(given["nickname"]),
        Team(_one_of(given["faction"], [team.value for team in Team], "faction")),
        Role(_one_of(given["role"], [role.value for role in Role], "role")),
        position,
        fragment,
    )


def _one_of(given: object, values: list[str], what: str) -> str:
    if not isinstance(given, str) or given not in values:
        raise InputError(
            say("The {what} of an agent is one of {values}.", what=what, values=", ".join(values))
        )
    return given


def _check_different(what: str, given: list[str]) -> None:
    for place, each in enumerate(given):
        first = given.index(each)
        if first < place:
            raise InputError(
                say(
                    "The {what} of a game are all different: those of {value} and {value_2} are "
                    "alike.",
                    what=what,
                    value=AGENTS[first].value,
                    value_2=AGENTS[place].value,
                )
            )
