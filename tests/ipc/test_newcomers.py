"""Newcomers at a full socket: refused with a message where requests are read, accepted
elsewhere."""

import asyncio
import os
import resource
import socket
import subprocess
import sys

from served_table import Table, later, raw, served, taken

from pi_table.protocols.ipc.messages import Busy, line, read_to_console
from pi_table.protocols.ipc.server import FULL_SECONDS, MAX_VIEWERS, STILL_THERE_SECONDS, Server
from pi_table.protocols.ipc.viewer import UNREAD_SECONDS

BUSY = line(Busy()).strip()


async def passes(count: int) -> None:
    """Let the loop go round so often."""
    for _ in range(count):
        await asyncio.sleep(0)


async def turned_away(table: Table) -> bool:
    """True if a newcomer is told that there is no room."""
    eyes = await table.connect()
    said = await eyes.line()
    if said == BUSY:
        return await eyes.is_cut_off()
    eyes.close()
    return False


# --- where requests are heard: one at a time


@served(most=None)
async def test_a_second_is_told_in_a_sentence_and_the_first_is_undisturbed(table: Table) -> None:
    first = await table.connect()
    assert await first.line() == b"0"
    second = await table.connect()
    told = read_to_console(await second.line())
    assert isinstance(told, Busy)
    assert told.sentence.startswith("Another screen is connected")
    assert await second.is_cut_off()
    first.say(b"ask\n")
    assert await first.line() == b"answer ask"
    table.publish()
    assert await first.line() == b"1"


@served(most=None)
async def test_what_a_second_says_is_not_heard(table: Table) -> None:
    first = await table.viewer()
    for _ in range(20):
        second = raw(table)
        second.send(b"steal\n")
        await passes(20)
        assert taken(second).strip() == BUSY
        second.close()
    assert table.heard == []
    first.say(b"ask\n")
    assert await first.line() == b"answer ask"


@served(most=None)
async def test_who_comes_just_after_the_first_has_hung_up_is_taken(table: Table) -> None:
    before = raw(table)
    for number in range(50):
        await passes(number % 7)
        before.close()  # whether or not the table has read that yet
        before = raw(table)
        before.send(b"ask\n")
        said = b""
        while b"answer" not in said:
            await asyncio.sleep(0)
            said += taken(before)
            assert BUSY not in said


@served(most=None)
async def test_one_that_hangs_gives_way_after_a_while(table: Table) -> None:
    hung = raw(table)
    while not taken(hung):
        await asyncio.sleep(0)
    later(100.0)  # nothing is new: nothing tells it from one that is well
    assert await turned_away(table)
    await passes(5)
    later(UNREAD_SECONDS - 1.0)
    assert await turned_away(table)
    later(2.0)
    eyes = await table.connect()
    assert await eyes.line() == b"0"
    eyes.say(b"ask\n")
    assert await eyes.line() == b"answer ask"
    assert await turned_away(table)


@served(most=None)
async def test_one_that_reads_keeps_its_place_whoever_knocks(table: Table) -> None:
    first = raw(table)
    await passes(10)
    sent = 0
    for _ in range(20):
        later(UNREAD_SECONDS)
        taken(first)
        assert await turned_away(table)
        await passes(5)
        sent += taken(first).count(b"\n")
    assert sent == 20  # it was seen each time whether it reads
    for _ in range(20):
        assert await turned_away(table)
        later(STILL_THERE_SECONDS / 40)
    assert taken(first).count(b"\n") <= 1


@served(most=None)
async def test_one_that_asks_keeps_its_place_though_it_reads_nothing(table: Table) -> None:
    tool = raw(table)
    for number in range(1, 20):
        tool.send(b"ask\n")
        while len(table.heard) < number:
            await asyncio.sleep(0)
        later(UNREAD_SECONDS - 1.0)
        assert await turned_away(table)


# --- elsewhere: somebody gives way


@served(hears=False, most=None)
async def test_the_first_come_gives_way_when_there_is_no_room(table: Table) -> None:
    crowd = [await table.connect() for _ in range(MAX_VIEWERS)]
    assert [await eyes.line() for eyes in crowd] == [b"0"] * MAX_VIEWERS
    late = await table.connect()
    assert await late.line() == b"0"
    assert await crowd[0].is_cut_off()
    table.publish()
    assert [await eyes.line() for eyes in (*crowd[1:], late)] == [b"1"] * MAX_VIEWERS


@served(hears=False, most=3)
async def test_one_that_does_not_read_gives_way_before_the_first_come(table: Table) -> None:
    first = await table.connect()
    asleep = raw(table)
    second = await table.connect()
    while len(table.server._viewers) < 3 or table.server._owed:
        await asyncio.sleep(0)
    await first.line()
    await second.line()
    later(UNREAD_SECONDS + 1.0)
    late = await table.connect()
    assert await late.line() == b"0"
    table.publish()
    assert [await eyes.line() for eyes in (first, second, late)] == [b"1"] * 3
    asleep.setblocking(True)
    assert asleep.recv(100) == b"0 \n"
    assert asleep.recv(100) == b""


@served(hears=False, most=4)
async def test_a_flood_of_newcomers_cuts_off_nobody_of_another_program(table: Table) -> None:
    code = """
import socket, sys
viewer = socket.socket(socket.AF_UNIX)
viewer.connect(sys.argv[1])
for line in viewer.makefile():
    print(line.strip(), flush=True)
"""
    honest = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, str(table.path), stdout=subprocess.PIPE
    )
    assert honest.stdout is not None
    assert await honest.stdout.readline() == b"0\n"
    flood = []
    for _ in range(100):
        flood.append(await table.connect())
        assert await flood[-1].line() == b"0"
    table.publish()
    assert await honest.stdout.readline() == b"1\n"
    assert [await eyes.line() for eyes in flood[-3:]] == [b"1"] * 3
    table.server.close()
    assert await honest.wait() == 0


@served()
async def test_where_the_system_has_no_room_newcomers_wait(table: Table) -> None:
    faults: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    eyes = socket.socket(socket.AF_UNIX)
    next_file = os.dup(eyes.fileno())
    os.close(next_file)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (next_file, limits[1]))
        eyes.connect(str(table.path))
        eyes.setblocking(False)
        await passes(20)
        assert taken(eyes) == b""
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    later(FULL_SECONDS)
    while not (said := taken(eyes)):
        await asyncio.sleep(0)
    assert said == b"0 \n"
    assert faults == []
    eyes.close()


def test_where_requests_are_heard_there_is_room_for_one() -> None:
    assert Server(lambda: b"", lambda line, viewer: None)._most == 1
    assert Server(lambda: b"")._most == MAX_VIEWERS
