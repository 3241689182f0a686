"""A PIN is guessed a thousand times over the console's real socket; minutes pass at once."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import virtual_loop

from pi_table.common import config
from pi_table.table.engine.process import daemon
from pi_table.table.engine.state.lock import FIRST_WAIT, FREE_TRIES
from pi_table.table.engine.storage.workers import AtOnce

Line = dict[str, Any]


class Guest:
    """Somebody at the console's socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._asked = 0
        self.table: Line = {}
        """The newest message about the table."""

    async def ask(self, *acts: Line) -> list[Line]:
        """Ask for these in one piece; the answers, which must come in order."""
        first = self._asked + 1
        self._asked += len(acts)
        requests = [{"id": number, "do": act} for number, act in enumerate(acts, first)]
        self._writer.write(b"".join(msgspec.json.encode(each) + b"\n" for each in requests))
        answers: list[Line] = []
        while len(answers) < len(acts):
            message = msgspec.json.decode(await self._reader.readline())
            if message["kind"] == "answer":
                answers.append(message)
            else:
                self.table = message
        assert [answer["id"] for answer in answers] == [request["id"] for request in requests]
        return answers

    async def do(self, act: str, seat: str = "operator", **more: object) -> None:
        (answer,) = await self.ask({"act": act, "seat": seat, **more})
        assert answer["ok"], answer["sentence"]

    async def leave(self) -> None:
        self._writer.close()
        await self._writer.wait_closed()

    async def unlock(self, *pins: str) -> list[str | None]:
        """Try these PINs; why each was refused, and each refusal is a sentence."""
        operator = {"act": "unlock", "seat": "operator"}
        answers = await self.ask(*({**operator, "pin": pin} for pin in pins))
        assert all(answer["ok"] or answer["sentence"].endswith(".") for answer in answers)
        return [answer["reason"] for answer in answers]


def test_a_pin_that_is_guessed_a_thousand_times_is_not_found_and_nothing_is_lost(
    tmp_path: Path,
) -> None:
    paths = {"state": str(tmp_path / "state"), "runtime": str(tmp_path / "run")}
    settings = config.load(changes={"paths": paths})

    async def evening(loop: virtual_loop.VirtualLoop) -> None:
        stop, ready = asyncio.Event(), asyncio.Event()
        table = loop.create_task(daemon.run(settings, stop, ready.set, AtOnce))
        await ready.wait()
        guest = Guest(*await asyncio.open_unix_connection(settings.paths.console_socket))
        await guest.do("start", profile="codenames")
        await guest.do("set-pin", pin="0999")
        await guest.do("lock")
        guesses = [f"{number:04}" for number in range(1000)]  # the last one is right
        reasons = await guest.unlock(*guesses)
        assert reasons == ["wrong-pin"] * FREE_TRIES + ["wait"] * (1000 - FREE_TRIES)
        (locked,) = await guest.ask({"act": "house", "seat": "operator", "set": {"muted": True}})
        assert locked["reason"] == "locked"
        team = guest.table["public"]["turn"]
        await guest.do("clue", f"{team}-spymaster", number=2)  # people play on meanwhile
        await loop.until(loop.time() + FIRST_WAIT - 1.0)
        assert await guest.unlock("0999") == ["wait"]
        await loop.until(loop.time() + 1.0)
        assert await guest.unlock("0999") == [None]
        await guest.do("house", set={"muted": True})
        await guest.leave()
        stop.set()
        await table

    virtual_loop.run(evening)
