"""Rate limits of phones in the long run, by a clock that is a number."""

import asyncio
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from served import serving
from test_relay import handshake
from virtual_loop import run

from pi_table.protocols.ipc.sealed import BEAT_SECONDS, UP_BYTES
from pi_table.screens.web.asgi import PLACE
from pi_table.screens.web.newest import Newest
from pi_table.screens.web.phones import TOO_OFTEN, Phones
from pi_table.screens.web.places import Places, do_nothing

PING = b"\x89\x80" + bytes(4)


class Guest:
    """A phone at an address, as `Phones.serve` meets it; it leaves after so many frames."""

    def __init__(self, address: str, frames: int = 0, every: float = 60.0) -> None:
        self.scope = {"client": (address, 1), "state": {PLACE: Places(1, 1).take("", do_nothing)}}
        self._frames = frames
        self._every = every
        self._number = count()
        self.told: list[dict[str, Any]] = []

    async def receive(self) -> dict[str, Any]:
        number = next(self._number)
        if number == 0:
            return {"type": "websocket.connect"}
        await asyncio.sleep(self._every)
        if number > self._frames:
            return {"type": "websocket.disconnect"}
        return {"type": "websocket.receive", "bytes": bytes(UP_BYTES)}

    async def send(self, message: Any) -> None:
        self.told.append(message)

    @property
    def is_let_in(self) -> bool:
        return self.told[0] == {"type": "websocket.accept"}


async def serve(phones: Phones, *guests: Guest) -> None:
    blocks = Newest(b"")
    await asyncio.gather(
        *(phones.serve(blocks, each.scope, each.receive, each.send) for each in guests)
    )


@pytest.mark.parametrize(("frames_a_beat", "code"), [(1.5, 1000), (1.6, TOO_OFTEN)])
def test_a_phone_may_send_half_as_many_frames_again_as_there_are_beats(
    frames_a_beat: float, code: int
) -> None:
    guest = Guest("10.0.0.1", frames=1000, every=BEAT_SECONDS / frames_a_beat)
    run(lambda loop: serve(Phones(), guest))
    assert guest.told[-1] == {"type": "websocket.close", "code": code}


def test_there_is_room_for_128_phones_of_as_many_addresses() -> None:
    guests = [Guest(f"10.0.0.{number}") for number in range(130)]
    run(lambda loop: serve(Phones(), *guests))
    assert [each.is_let_in for each in guests] == [True] * 128 + [False] * 2


@pytest.mark.parametrize(("every", "is_cut_off"), [(0.1, False), (0.08, True)])
def test_a_phone_may_send_ten_frames_of_any_kind_a_second(
    tmp_path: Path, every: float, is_cut_off: bool
) -> None:
    async def scene() -> None:
        async with serving(tmp_path) as served:
            reader, writer = await served.connect()
            writer.write(handshake(served))
            await reader.readuntil(b"\r\n\r\n")
            for _ in range(300):
                with suppress(ConnectionError):
                    writer.write(PING)
                await asyncio.sleep(every)
            assert writer.transport.is_closing() == is_cut_off

    run(lambda loop: scene())
