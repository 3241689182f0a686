"""Deals of Codex: drawn, each as likely as any other; or given, and checked in full."""

import json
import re
from collections import Counter
from collections.abc import Callable
from math import comb, factorial
from random import Random
from typing import Any

import pytest
from codex_play import six

from pi_table.common.errors import InputError
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.codex import deal
from pi_table.games.rules.codex.deal import NICKNAMES
from pi_table.games.rules.codex.events import AgentsDealt
from pi_table.games.rules.codex.identikit import ALPHABET, Fact, Identikit, Role, code_of
from pi_table.games.rules.team import Team


class Seeded(Chance):
    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self.asked: list[int] = []

    def below(self, count: int) -> int:
        self.asked.append(count)
        return self._random.randrange(count)


def opened(chance: Chance | None = None, **given: Any) -> AgentsDealt:
    opening = games.read_opening({"profile": "codex", **given}, chance or Chance())
    assert isinstance(opening, AgentsDealt)
    return opening


def check(identikits: tuple[Identikit, ...]) -> None:
    """All that holds in every deal."""
    roles = set()
    for team in Team:
        members = [one for one in identikits if one.faction is team]
        assert sorted(one.position for one in members) == [1, 2, 3]
        assert len({one.role for one in members}) == 3
        roles.add(frozenset(one.role for one in members))
    assert len(roles) == 1
    assert Role.LEADER in roles.pop()
    for values in (
        [one.nickname.casefold() for one in identikits],
        [one.fragment for one in identikits],
    ):
        assert len({*values}) == 6
    for one in identikits:
        assert len(one.fragment) == 4
        assert {*one.fragment} <= {*ALPHABET}
        assert 1 <= len(one.nickname) <= 12


# --- drawn


def test_every_drawn_deal_is_a_right_one() -> None:  # CX-1, CX-3
    for seed in range(500):
        opening = opened(Seeded(seed))
        check(opening.identikits)
        assert {*opening.roles} == {one.role for one in opening.identikits}
        assert len(opening.roles) == 3
        assert {one.nickname for one in opening.identikits} <= {*NICKNAMES}


def test_the_fragments_are_made_of_thirty_two_characters() -> None:  # CX-1
    assert len({*ALPHABET}) == 32
    assert not {*"0O1I"} & {*ALPHABET}


def test_every_deal_is_equally_likely() -> None:
    # CX-1, CX-3: each draw is uniform, and each way of drawing leads to another deal
    choices = 10, comb(6, 3), factorial(3), factorial(3), factorial(3), factorial(3)
    numbers = Seeded(0)
    opened(numbers)
    asked = Counter(numbers.asked)
    assert asked[10] == 1
    assert asked[20] == 1
    assert asked[6] == 4
    assert asked[32**4] == 6
    assert sum(asked.values()) == 1 + 1 + 4 + 6 + 6  # and the nicknames
    assert choices == (10, 20, 6, 6, 6, 6)

    class Counting(Chance):
        """Takes the choices as digits of a number, and the same nicknames and fragments always."""

        def __init__(self, number: int) -> None:
            self._number, self._fragment = number, 0

        def below(self, count: int) -> int:
            if count == 32**4:
                self._fragment += 1
                return self._fragment
            if count not in (10, 20, 6):
                return 0
            self._number, digit = divmod(self._number, count)
            return digit

    deals = {
        tuple((one.faction, one.role, one.position) for one in opened(Counting(n)).identikits)
        for n in range(0, 10 * 20 * 6**4, 10)  # the same two roles
    }
    assert len(deals) == 20 * 6**4
    sets = {opened(Counting(n)).roles for n in range(10)}
    assert len(sets) == 10


def test_a_fragment_that_is_drawn_twice_is_drawn_again() -> None:  # CX-1
    class Repeating(Chance):
        def __init__(self) -> None:
            self.fragments = iter([7, 7, 7, 8, 8, 9, 10, 11, 12])

        def below(self, count: int) -> int:
            return next(self.fragments) if count == 32**4 else 0

    check(opened(Repeating()).identikits)


@pytest.mark.parametrize("roles", [["hacker", "informer"], ["profiler", "inquisitor"]])
def test_the_roles_can_be_chosen(roles: list[str]) -> None:  # CX-3
    for seed in range(20):
        opening = opened(Seeded(seed), options={"roles": roles})
        assert {role.value for role in opening.roles} == {"leader", *roles}


@pytest.mark.parametrize(
    "roles",
    [["hacker"], ["hacker", "hacker"], ["leader", "hacker"], ["hacker", "informer", "profiler"], 5],
)
def test_roles_that_cannot_be_chosen_make_no_game(roles: object) -> None:  # CX-3
    with pytest.raises(InputError, match="roles"):
        opened(options={"roles": roles})


def test_the_order_of_the_roles_tells_nothing() -> None:
    # CX-3: it is the same for every deal with these roles
    orders = {
        opened(Seeded(seed), options={"roles": ["profiler", "hacker"]}).roles for seed in range(50)
    }
    assert orders == {(Role.HACKER, Role.LEADER, Role.PROFILER)}


# --- nicknames


def test_our_nicknames_are_many_short_and_different() -> None:  # CX-1
    assert len(NICKNAMES) >= 60
    assert len({name.casefold() for name in NICKNAMES}) == len(NICKNAMES)
    for name in NICKNAMES:
        assert deal.read_nickname(name) == name


def test_nicknames_are_brought_or_drawn() -> None:  # CX-1
    given = ["Ada", None, " Zoë  K ", None, "x" * 12, "COBRA"]
    for seed in range(100):
        names = [one.nickname for one in opened(Seeded(seed), nicknames=given).identikits]
        assert [names[0], names[2], names[4], names[5]] == ["Ada", "Zoë  K", "x" * 12, "COBRA"]
        assert "Cobra" not in names
        assert {names[1], names[3]} <= {*NICKNAMES}


def test_a_nickname_that_somebody_brings_is_not_drawn_for_another() -> None:  # CX-1
    class First(Chance):
        def __init__(self) -> None:
            self.fragments = iter(range(6))

        def below(self, count: int) -> int:
            return next(self.fragments) if count == 32**4 else 0

    given = [NICKNAMES[0].upper(), None, NICKNAMES[1], None, None, None]
    names = [one.nickname for one in opened(First(), nicknames=given).identikits]
    assert names[1] == NICKNAMES[2]
    assert len({*names}) == 6


@pytest.mark.parametrize(
    "names",
    [
        "Ada",
        ["Ada"],
        [None] * 7,
        ["Ada", "ADA", None, None, None, None],
        ["Ada K", "adak", None, None, None, None],
        ["Zoe\u0308", "zoë", None, None, None, None],
        ["x" * 13, None, None, None, None, None],
        ["", None, None, None, None, None],
        ["  ", None, None, None, None, None],
        ["a\nb", None, None, None, None, None],
        ["a\u200bb", None, None, None, None, None],
        ["\ud800", None, None, None, None, None],
        [5, None, None, None, None, None],
        ["agent-3", None, None, None, None, None],
        ["Agent 3", None, None, None, None, None],
        ["AGENT9", None, None, None, None, None],
        ["operator", None, None, None, None, None],
    ],
)
def test_nicknames_that_nobody_can_have_make_no_game(names: object) -> None:  # CX-1
    with pytest.raises(InputError, match="nickname"):
        opened(nicknames=names)


# --- given


def test_a_given_deal_is_played() -> None:  # CX-1, CX-2, CX-3
    opening = opened(deal=six("informer", "infiltrator"))
    check(opening.identikits)
    assert [one.nickname for one in opening.identikits] == [one["nickname"] for one in six()]
    assert opening.roles == (Role.INFILTRATOR, Role.INFORMER, Role.LEADER)
    assert code_of(Team.RED, opening.identikits) == "E6E6M2M2C4C4"
    assert code_of(Team.BLUE, opening.identikits) == "B3B3F7F7D5D5"


def test_fragments_may_be_given_in_lower_case() -> None:  # CX-1, CX-6
    given = six()
    given[0]["fragment"] = "m2m2"
    assert opened(deal=given).identikits[0].fragment == "M2M2"


def changed(agent: int, **fields: object) -> list[dict[str, Any]]:
    given = six()
    given[agent].update(fields)
    return given


def without(agent: int, field: str) -> list[dict[str, Any]]:
    given = six()
    del given[agent][field]
    return given


WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: "deal", "list of 6"),
    (lambda: six()[:5], "list of 6"),
    (lambda: [*six(), six()[0]], "list of 6"),
    (lambda: [*six()[:5], "Fay"], "fields"),
    (lambda: without(2, "role"), "fields"),
    (lambda: changed(2, shoe=42), "fields"),
    (lambda: changed(2, nickname="moon"), "nicknames"),
    (lambda: changed(2, nickname="x" * 13), "nickname"),
    (lambda: changed(2, nickname="agent-2"), "seat"),
    (lambda: changed(2, fragment="m2M2"), "fragments"),
    (lambda: changed(2, fragment="M2M"), "fragment"),
    (lambda: changed(2, fragment="M2MO"), "fragment"),
    (lambda: changed(2, fragment=2222), "fragment"),
    (lambda: changed(2, position=0), "position"),
    (lambda: changed(2, position=4), "position"),
    (lambda: changed(2, position=True), "position"),
    (lambda: changed(2, position=3.0), "is 1, 2 or 3"),
    (lambda: changed(2, position="2"), "position"),
    (lambda: changed(2, position=[1]), "position"),
    (lambda: changed(2, position=1), "positions 1, 2 and 3"),
    (lambda: changed(2, faction="green"), "faction"),
    (lambda: changed(2, faction=None), "faction"),
    (lambda: changed(2, faction="blue"), "three agents"),
    (lambda: changed(2, role="spy"), "role"),
    (lambda: changed(2, role="informer"), "same three roles"),
    (lambda: changed(2, role="profiler"), "same three roles"),
    (lambda: [{**one, "role": "hacker"} for one in six()], "same three roles"),
    (
        lambda: [
            {**one, "role": "informer" if one["role"] == "leader" else one["role"]} for one in six()
        ],
        "leader",
    ),
]


@pytest.mark.parametrize(("make", "says"), WRONG)
def test_a_deal_that_is_wrong_makes_no_game_and_is_not_repeated(
    make: Callable[[], object], says: str
) -> None:  # CX-1, CX-3: it may be a real one but for a slip
    with pytest.raises(InputError, match=says) as error:
        opened(deal=make())
    told: BaseException | None = error.value
    while told is not None:
        for secret in ("M2M", "B3B3", "C4C4", "Moon", "shoe", "spy", "green"):
            assert secret.casefold() not in f"{told!s} {told!r}".casefold()
        told = told.__cause__ or told.__context__


def test_a_deal_and_the_setting_of_roles_agree() -> None:  # CX-3
    opened(deal=six(), options={"roles": ["profiler", "hacker"]})
    with pytest.raises(InputError, match="roles"):
        opened(deal=six(), options={"roles": ["profiler", "informer"]})


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"words": None}, "no field 'words'"),
        ({"key": None}, "no field 'key'"),
        ({"deals": None}, "did you mean 'deal'"),
        ({"deal": six(), "nicknames": [None] * 6}, "nicknames"),
        ({"options": {"timer": "clock"}}, "no setting 'timer'"),
        ({"options": {"visit_seconds": 0}}, "visit_seconds"),
    ],
)
def test_what_codex_does_not_have_makes_no_game(given: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        opened(**given)


def test_a_word_game_has_no_deal() -> None:
    with pytest.raises(InputError, match="no field 'deal'"):
        games.read_opening({"profile": "codenames", "deal": None}, Chance())


def test_what_an_identikit_says_is_true_but_for_an_infiltrators_faction() -> None:  # CX-5, CX-12
    identikits = opened(deal=six("infiltrator")).identikits
    for one, given in zip(identikits, six("infiltrator"), strict=True):
        for fact in Fact:
            told = one.says(fact)
            lies = one.role is Role.INFILTRATOR and fact is Fact.FACTION
            assert (told == given[fact.value]) is not lies
            assert json.dumps(told)


def test_a_fault_of_a_deal_names_the_agents_and_not_what_they_have() -> None:  # CX-1, ALL-1
    given = six()
    fragment = given[1]["fragment"]
    given[4]["fragment"] = fragment
    with pytest.raises(InputError, match="those of agent-2 and agent-5 are alike") as refused:
        opened(deal=given)
    assert fragment not in str(refused.value)
    given[4]["fragment"] = "ßAA"  # in capitals it has four letters
    with pytest.raises(InputError, match="of agent-5: A fragment is four letters"):
        opened(deal=given)
