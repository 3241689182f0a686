"""Pairs of worlds: one script, two keys; and what to say when they can be told apart."""

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from game_scripts import Script, write
from seen import Seen, as_lines, difference
from twin_keys import other_world

Watch = Callable[[Script, Sequence[str]], list[Seen]]


class Worlds(NamedTuple):
    """A script with the keys that are drawn in either world."""

    script: Script
    here: Sequence[str]
    there: Sequence[str]
