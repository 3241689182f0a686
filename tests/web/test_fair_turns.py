"""Turns: the tasks that wait, and their order."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from pi_table.screens.web.turns import Turns


class Doing:
    """The finished tasks, in order, and the loop's pass of each."""

    def __init__(self) -> None:
        self.turns = Turns()
        self.done: list[str] = []
        self.passes: list[int] = []
        self._pass = 0

    async def do(self, what: str) -> None:
        await self.turns.wait(what[0])
        self.done.append(what)
        self.passes.append(self._pass)

    async def all(self, *things: Coroutine[Any, Any, None]) -> None:
        """Do all of it, and count the passes of the loop."""
        doing = asyncio.gather(*things)
        while not doing.done():
            self._pass += 1
            await asyncio.sleep(0)


def test_devices_take_turns_however_much_one_of_them_wants() -> None:
    async def scene() -> None:
        doing = Doing()
        greedy = [doing.do(f"a{number}") for number in range(50)]
        await doing.all(*greedy, doing.do("b0"), doing.do("b1"), doing.do("c0"))
        assert doing.done[:6] == ["a0", "b0", "c0", "a1", "b1", "a2"]
        assert doing.done[-1] == "a49"

    asyncio.run(scene())


def test_one_thing_is_done_a_pass_so_that_what_else_is_due_never_waits_for_all_of_it() -> None:
    async def scene() -> None:
        doing = Doing()
        await doing.all(*(doing.do(f"{number % 8}") for number in range(512)))
        assert len({*doing.passes}) == 512

    asyncio.run(scene())


def test_who_waits_no_longer_takes_no_turn() -> None:
    async def scene() -> None:
        doing = Doing()
        leaving = [asyncio.create_task(doing.do("a gone")) for _ in range(1000)]
        await asyncio.sleep(0)
        for each in leaving:
            each.cancel()
        await doing.all(doing.do("a"), doing.do("b"))
        assert sorted(doing.done) == ["a", "b"]
        assert doing.passes[-1] < 10

    asyncio.run(scene())
