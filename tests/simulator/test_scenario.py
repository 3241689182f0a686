"""Scenarios: what a line can say, and what is said of one that cannot be played."""

import pytest

from pi_table.common.errors import InputError
from pi_table.devices.hal.contracts import Input
from pi_table.simulator import scenario
from pi_table.simulator.scenario import Step, read_scenario


def test_every_kind_of_line_becomes_its_step() -> None:
    lines = [
        '{"game": {"profile": "codenames"}}',
        '{"at": 1.5, "touch": "B3"}',
        '{"at": 2, "release": "end-turn"}',
        '{"at": 2, "console": "turn-1"}',
        '{"at": 3, "act": {"seat": "operator", "act": "abandon"}}',
        '{"at": 4, "picture": "x.png"}',
        '{"at": 4, "picture": "y.png", "of": "table"}',
        '{"at": 4, "picture": "z.gif", "seconds": 2.5}',
        '{"at": 5, "say": "Hello."}',
    ]
    assert list(read_scenario(lines)) == [
        Step(0.0, scenario.Start({"profile": "codenames"}), 1),
        Step(1.5, scenario.Touch(11), 2),
        Step(2.0, scenario.Release(25), 3),
        Step(2.0, scenario.Console(Input.LEFT), 4),
        Step(3.0, scenario.Act({"seat": "operator", "act": "abandon"}), 5),
        Step(4.0, scenario.Picture("x.png", "both"), 6),
        Step(4.0, scenario.Picture("y.png", "table"), 7),
        Step(4.0, scenario.Picture("z.gif", "both", 2.5), 8),
        Step(5.0, scenario.Narration("Hello."), 9),
    ]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("", "not JSON"),
        ("[1]", "not an object"),
        ('{"touch": "A1"}', "needs a time"),
        ('{"at": "1", "touch": "A1"}', "needs a time"),
        ('{"at": 0.5, "touch": "A1"}', "never falls"),
        ('{"at": 2}', "has one of"),
        ('{"at": 2, "touch": "A1", "release": "A1"}', "has one of"),
        ('{"at": 2, "tuoch": "A1"}', "did you mean 'touch'"),
        ('{"at": 2, "touch": "F1"}', "no place 'F1'"),
        ('{"at": 2, "console": "pres"}', "did you mean 'press'"),
        ('{"at": 2, "act": "stop"}', "is an object"),
        ('{"at": 2, "picture": "../x.png"}', "without a folder"),
        ('{"at": 2, "picture": "x.png", "of": "tabel"}', "did you mean 'table'"),
        ('{"at": 2, "touch": "A1", "of": "table"}', "belong to a picture"),
        ('{"at": 2, "touch": "A1", "seconds": 2}', "belong to a picture"),
        ('{"at": 2, "picture": "x.jpg"}', "a .png or a .gif"),
        ('{"at": 2, "picture": "x.png", "seconds": 2}', "does not move"),
        ('{"at": 2, "picture": "x.gif"}', 'needs "seconds"'),
        ('{"at": 2, "picture": "x.gif", "seconds": true}', 'needs "seconds"'),
        ('{"at": 2, "picture": "x.gif", "seconds": 21}', "20 at most"),
        ('{"at": 2, "say": 3}', "is text"),
        ('{"game": {}}', "needs a time"),
    ],
)
def test_a_line_that_cannot_be_played_is_named_with_its_number(line: str, complaint: str) -> None:
    steps = read_scenario(['{"at": 1, "touch": "A1"}', line])
    next(steps)
    with pytest.raises(InputError, match=r"^Line 2: ") as refused:
        next(steps)
    assert complaint in str(refused.value)
