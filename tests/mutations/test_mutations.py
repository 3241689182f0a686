"""The command that makes mistakes: it notices what is noticed, and what is not."""

import sys
import tomllib
from pathlib import Path

import pytest
from all_mutations import MUTATIONS, read_mutations
from bounds import lifted_bounds
from mutation import Mutation, Result, StaleError
from scratch import MARKS, ROOT, BrokenError, Scratch, complaints

MIN_MUTATIONS = 500
FORMER_SURVIVORS = (
    "red's and blue's counts are swapped on the hidden screen",
    "the countdown bar is never drawn",
    "the penalty's status line is that of a clue",
    "heavy no longer resets left-behind",
    "the chain is made without the event's number",
)
DECK = "pi_table/games/words/deck.py"
TESTS = ("tests/words/test_deck.py",)
SHUFFLE = "    chooser.shuffle(words)\n"


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Scratch:
    return Scratch(tmp_path_factory.mktemp("scratch"))


TEXT = """\
# Comment: of two
# lines

GROUP = tests/a.py
    tests/b.py

pi_table/games/words/deck.py: words: are not shuffled
    GROUP tests/c.py
    survives: It is so, for
    two reasons.
-    a = b
-
-    c
+    d
"""


def test_a_mutation_is_read_from_a_text() -> None:
    (mutation,) = read_mutations(TEXT)
    assert mutation == Mutation(
        "words: are not shuffled",
        "pi_table/games/words/deck.py",
        "    a = b\n\n    c",
        "    d",
        ("tests/a.py", "tests/b.py", "tests/c.py"),
        "It is so, for two reasons.",
    )


def test_every_mutation_fits_the_tree() -> None:
    assert [*complaints(MUTATIONS)] == []
    assert all(mutation.tests for mutation in MUTATIONS)
    for test in {test for mutation in MUTATIONS for test in mutation.tests}:
        assert test.startswith("make:run/") or (ROOT / test.partition("::")[0]).exists(), test


def test_there_are_many_and_those_that_once_survived_are_among_them() -> None:
    names = [mutation.name for mutation in MUTATIONS]
    assert len(names) >= MIN_MUTATIONS
    assert len({*names}) == len(names)
    by_name = {mutation.name: mutation for mutation in MUTATIONS}
    assert all(by_name[name].survives is None for name in FORMER_SURVIVORS)


STALE = [
    (Mutation("a", "pi_table/nowhere.py", "x", "y", TESTS), "no file pi_table/nowhere.py"),
    (Mutation("a", DECK, "no such text", "y", TESTS), "0 times, not once"),
    (Mutation("a", DECK, "word", "y", TESTS), "times, not once"),
    (Mutation("a", DECK, SHUFFLE, SHUFFLE, TESTS), "changes nothing"),
]


@pytest.mark.parametrize(("mutation", "what"), STALE)
def test_a_mutation_that_does_not_fit_is_named(mutation: Mutation, what: str) -> None:
    with pytest.raises(StaleError, match=what) as raised:
        mutation.applied(ROOT)
    assert str(raised.value).startswith("'a'")


def test_bounds_that_no_test_names_are_lifted(tmp_path: Path) -> None:
    for file, text in {
        "pi_table/part/door.py": "MAX_GUESTS: Final = 5\nMIN_ROOM = 2\nMAX_NAMED = 3\nX = 4\n"
        "MAX_HELD = 6\n",
        "tests/mutations/part.txt": "pi_table/part/door.py: no limit\n-at < MAX_HELD\n+True\n",
        "pi_table/part/wall.py": "WAIT_SECONDS: Final = 2.5\n",
        "tests/part/test_door.py": "from pi_table.part.door import MAX_NAMED\n",
        "tests/part/test_wall_of_a_house.py": "",
        "tests/part/house.py": "from pi_table.part import wall\n",
    }.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    assert [(each.old, each.new, each.tests) for each in lifted_bounds(tmp_path)] == [
        ("MAX_GUESTS: Final = 5", "MAX_GUESTS: Final = (5) * 1000", ("tests/part/test_door.py",)),
        ("MIN_ROOM = 2", "MIN_ROOM = (2) * 0", ("tests/part/test_door.py",)),
        (
            "WAIT_SECONDS: Final = 2.5",
            "WAIT_SECONDS: Final = (2.5) * 1000",
            ("tests/part/test_wall_of_a_house.py",),
        ),
    ]


@pytest.mark.mutation
def test_a_mistake_is_caught_and_who_caught_it_is_told(scratch: Scratch) -> None:
    result = scratch.try_out(Mutation("a", DECK, SHUFFLE, "", TESTS))
    assert result.broken is None
    assert result.caught_by is not None
    assert result.caught_by.startswith("tests/words/test_deck.py::")
    assert result.is_as_it_should_be


@pytest.mark.mutation
def test_what_nobody_notices_survives_and_the_copy_is_whole_again(scratch: Scratch) -> None:
    mutation = Mutation("a", DECK, SHUFFLE, SHUFFLE + "    words = [*words]\n", TESTS)
    result = scratch.try_out(mutation)
    assert (result.caught_by, result.broken) == (None, None)
    assert not result.is_as_it_should_be
    assert (scratch.root / DECK).read_bytes() == (ROOT / DECK).read_bytes()


def test_of_a_file_all_tests_are_run_that_make_test_runs_and_those_that_plant_faults() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    assert f"-m '{MARKS} and not mutation'" in settings["addopts"]


@pytest.mark.mutation
def test_tests_that_cannot_be_run_have_caught_nothing(scratch: Scratch) -> None:
    with pytest.raises(BrokenError):
        scratch.red(("tests/words/test_nothing_of_the_sort.py",))


@pytest.mark.mutation
def test_tests_in_a_copy_test_the_copy(scratch: Scratch) -> None:
    """The programs in the environment are those of the tree: the copy has to come before them."""
    _, said = scratch._run([sys.executable, "-c", "import pi_table; print(pi_table.__file__)"])
    assert Path(said.strip()) == scratch.root / "pi_table" / "__init__.py"


MUTATION, EXCUSED = (
    Mutation("a", DECK, "x", "y", TESTS, survives=why) for why in (None, "It is so.")
)


@pytest.mark.parametrize(
    ("result", "is_fine"),
    [
        (Result(MUTATION, "a test", 1.0), True),
        (Result(MUTATION, None, 1.0), False),
        (Result(EXCUSED, None, 1.0), True),
        (Result(EXCUSED, "a test", 1.0), False),
        (Result(MUTATION, None, 1.0, "no tests"), False),
        (Result(EXCUSED, None, 1.0, "no tests"), False),
    ],
)
def test_a_survivor_needs_a_reason_and_a_reason_a_survivor(result: Result, is_fine: bool) -> None:
    assert result.is_as_it_should_be is is_fine
