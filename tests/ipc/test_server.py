"""The sockets, with real viewers at them: honest ones, slow ones, and others."""

import asyncio
import os
import signal
import socket
import stat
from contextlib import suppress
from pathlib import Path

import pytest
from served_table import Table, later, on_a_loop, raw, send, served, settled, taken

from pi_table.common.errors import DeviceError
from pi_table.protocols.ipc.messages import MAX_LINE_BYTES
from pi_table.protocols.ipc.server import VIEWERS_PER_PASS, Server
from pi_table.protocols.ipc.viewer import UNREAD_SECONDS

BIG = b"x" * 20_000


# --- what is published


@served()
async def test_whoever_connects_gets_the_newest_and_each_newer_one(table: Table) -> None:
    table.number = 7
    first = await table.connect()
    assert await first.line() == b"7"
    table.publish()
    second = await table.connect()
    assert [await first.line(), await second.line()] == [b"8", b"8"]
    table.publish()
    assert [await first.line(), await second.line()] == [b"9", b"9"]


@served()
async def test_somebody_may_leave_and_come_back(table: Table) -> None:
    for number in range(100):
        eyes = await table.connect()
        assert await eyes.line() == b"%d" % number
        eyes.close()
        table.publish()
    await settled(table)
    assert len(table.server._viewers) <= 1


@served()
async def test_whoever_does_not_read_gets_the_newest_and_costs_no_memory(table: Table) -> None:
    table.padding = BIG
    sleeper = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    sleeper.connect(str(table.path))
    while not table.server._viewers:
        await asyncio.sleep(0)
    (viewer,) = table.server._viewers
    transport = viewer._transport
    assert transport is not None
    awake = await table.viewer()
    for number in range(1, 1001):
        table.publish()
        assert (await awake.line()).split()[0] == b"%d" % number
        assert transport.get_write_buffer_size() <= len(BIG) + 10
    sleeper.setblocking(False)
    reader, writer = await asyncio.open_unix_connection(sock=sleeper, limit=1 << 24)
    seen = 0
    while seen < 1000:
        line = await reader.readline()
        now, padding = line.split()
        assert padding == BIG
        assert int(now) >= seen
        seen = int(now)
    writer.close()


@served()
async def test_what_changes_in_one_turn_is_one_message_made_once_for_all(table: Table) -> None:
    crowd = [await table.connect() for _ in range(3)]
    for eyes in crowd:
        await eyes.line()
    table.made = 0
    for _ in range(100):
        table.publish()
    assert [await eyes.line() for eyes in crowd] == [b"100"] * 3
    assert table.made == 1
    table.publish()
    assert [await eyes.line() for eyes in crowd] == [b"101"] * 3


@served()
async def test_what_is_new_is_sent_in_the_next_pass_of_the_loop(table: Table) -> None:
    viewer = raw(table)
    while not taken(viewer):
        await asyncio.sleep(0)
    table.publish()
    assert taken(viewer) == b""
    await asyncio.sleep(0)
    assert taken(viewer) == b"1 \n"


@served(hears=False, most=200)
async def test_a_crowd_is_served_in_parts_and_all_of_it_the_same_message(table: Table) -> None:
    crowd = [raw(table) for _ in range(20)]
    while len(crowd) < 150 or len(table.server._viewers) < len(crowd):
        if len(crowd) < 150 and len(table.server._viewers) == len(crowd):
            crowd.append(raw(table))
        await asyncio.sleep(0)
    while table.server._owed:
        await asyncio.sleep(0)
    for viewer in crowd:
        taken(viewer)
    table.made = 0
    table.publish()
    served: list[int] = []
    while sum(served) < len(crowd):
        await asyncio.sleep(0)
        served.append(sum(taken(viewer) == b"1 \n" for viewer in crowd))
    assert served == [VIEWERS_PER_PASS, VIEWERS_PER_PASS, 150 - 2 * VIEWERS_PER_PASS]
    assert table.made == 1


# --- what is said


@served()
async def test_requests_in_one_piece_are_heard_and_answered_in_order(table: Table) -> None:
    eyes = await table.viewer()
    eyes.say(b"".join(b"%d\n" % number for number in range(1000)))
    for number in range(1000):
        assert await eyes.line() == b"answer %d" % number
    assert len(table.heard) == 1000


@served()
async def test_a_request_may_come_in_pieces(table: Table) -> None:
    eyes = await table.viewer()
    for byte in b"one\ntwo\n":
        eyes.say(bytes([byte]))
        await settled(table)
    assert [await eyes.line(), await eyes.line()] == [b"answer one", b"answer two"]


@served()
async def test_half_a_line_is_waited_for_and_disturbs_nobody(table: Table) -> None:
    eyes, other = await table.connect(), await table.connect()
    eyes.say(b"half a li")
    await eyes.line()
    await other.line()
    table.publish()
    assert await other.line() == b"1"
    assert table.heard == []
    eyes.say(b"ne\n")
    assert [await eyes.line(), await eyes.line()] == [b"1", b"answer half a line"]


@pytest.mark.parametrize("ends", [b"", b"\n"])
@served()
async def test_a_line_that_is_too_long_ends_the_connection(table: Table, ends: bytes) -> None:
    longest, longer = await table.connect(), await table.connect()
    longest.say(b"x" * MAX_LINE_BYTES + b"\n")
    await longest.line()
    assert await longest.line() == b"answer " + b"x" * MAX_LINE_BYTES
    longer.say(b"x" * (MAX_LINE_BYTES + 1) + ends)
    assert await longer.is_cut_off()
    assert len(table.heard) == 1
    table.publish()
    assert await longest.line() == b"1"


@served()
async def test_a_megabyte_without_a_line_feed_is_not_kept(table: Table) -> None:
    flood = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    flood.connect(str(table.path))
    flood.setblocking(False)
    with pytest.raises((ConnectionResetError, BrokenPipeError)):
        await send(flood, b"x" * 1024, times=1024)
    flood.close()
    await settled(table)
    assert all(len(viewer._heard) <= MAX_LINE_BYTES for viewer in table.server._viewers)


@served()
async def test_whoever_asks_and_never_reads_is_cut_off_after_a_while(table: Table) -> None:
    flood = raw(table)
    await settled(table)
    viewer = next(iter(table.server._viewers))
    left = (b"x" * 60_000 + b"\n") * 200
    for _ in range(500):
        with suppress(BlockingIOError):
            left = left[flood.send(left) :]
        await asyncio.sleep(0)
    assert 0 < len(table.heard) < 10
    later(UNREAD_SECONDS - 0.5)
    await settled(table)
    assert viewer in table.server._viewers
    later(1.0)
    await settled(table)
    assert viewer not in table.server._viewers
    with pytest.raises((ConnectionResetError, BrokenPipeError)):
        await send(flood, left, times=1)


@served()
async def test_whoever_asks_much_and_reads_slowly_is_waited_for(table: Table) -> None:
    slow = raw(table)
    await settled(table)
    viewer = next(iter(table.server._viewers))
    left = (b"x" * 60_000 + b"\n") * 10
    read = 0
    while read < 600_000:
        for _ in range(5):
            with suppress(BlockingIOError):
                left = left[slow.send(left) :] if left else left
            await settled(table)
        read += len(taken(slow))
        later(0.8 * UNREAD_SECONDS)
    assert len(table.heard) == 10
    assert viewer in table.server._viewers


@served()
async def test_whoever_hangs_up_amid_a_burst_is_not_written_of_in_the_log(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    rude = raw(table)
    rude.send(b"ask\n" * 1_000)
    while len(table.heard) < 10:
        await asyncio.sleep(0)
    rude.close()
    for _ in range(1_000):
        table.publish()
        await asyncio.sleep(0)
    assert not table.server._viewers
    assert caplog.messages == []
    assert len(table.heard) < 1_000


@served()
async def test_who_asks_without_end_waits_for_the_answers_and_is_not_cut_off(table: Table) -> None:
    table.answers = False
    greedy = raw(table)
    asked = [b"%0100d" % number for number in range(5_000)]
    left = b"\n".join([*asked, b""])
    for _ in range(100):
        with suppress(BlockingIOError):
            left = left[greedy.send(left) :]
        await asyncio.sleep(0)
    assert table.heard == asked[:1]
    assert left  # what does not fit waits at the other end
    table.answers = True
    ((line, viewer),) = table.waiting
    viewer.answer(b"answer " + line + b"\n")
    answers = b""
    while len(table.heard) < 5_000:
        with suppress(BlockingIOError):
            left = left[greedy.send(left) :] if left else left
        answers += taken(greedy)
        await asyncio.sleep(0)
    answers += taken(greedy)
    assert answers.split()[2::2] == asked


@served()
async def test_a_finger_waits_for_one_request_of_a_burst_at_most(table: Table) -> None:
    finger, pad = socket.socketpair()
    heard_before: list[int] = []
    asyncio.get_running_loop().add_reader(pad, lambda: heard_before.append(len(table.heard)))
    table.on_hear[10] = lambda: finger.send(b"x")
    eyes = await table.viewer()
    eyes.say(b"ask\n" * 20_000)
    while not heard_before:
        await asyncio.sleep(0)
    assert heard_before == [10]
    asyncio.get_running_loop().remove_reader(pad)
    finger.close()
    pad.close()


@served()
async def test_a_signal_waits_for_one_request_of_a_burst_at_most(table: Table) -> None:
    loop = asyncio.get_running_loop()
    heard_before: list[int] = []
    table.on_hear[10] = lambda: os.kill(os.getpid(), signal.SIGTERM)
    loop.add_signal_handler(signal.SIGTERM, lambda: heard_before.append(len(table.heard)))
    eyes = await table.viewer()
    eyes.say(b"ask\n" * 20_000)
    while not heard_before:
        await asyncio.sleep(0)
    assert heard_before[0] <= 11  # a signal takes one pass of the loop more than a finger


@served()
async def test_viewers_are_heard_by_turns(table: Table) -> None:
    greedy, modest = await table.connect(), await table.connect()
    await greedy.line()
    await modest.line()
    table.on_hear[10] = lambda: modest.say(b"please\n")
    greedy.say(b"more\n" * 5_000)
    assert await modest.line() == b"answer please"
    assert table.heard.index(b"please") <= 12
    assert len(table.heard) <= 20


@served()
async def test_after_closing_nothing_of_a_burst_is_heard(table: Table) -> None:
    eyes = await table.viewer()
    eyes.say(b"ask\n" * 1_000)
    while len(table.heard) < 10:
        await asyncio.sleep(0)
    table.server.close()
    heard = len(table.heard)
    assert await eyes.is_cut_off()
    assert len(table.heard) == heard


@served()
async def test_who_has_said_all_that_it_has_to_say_is_answered_to_the_end(table: Table) -> None:
    table.answers = False
    eyes = await table.viewer()
    eyes.say(b"one\ntwo\nand half a li")
    eyes.writer.write_eof()
    for asked in (b"one", b"two"):
        while not table.waiting:
            await asyncio.sleep(0)
        line, viewer = table.waiting.pop()
        viewer.answer(line + b"\n")
        assert await eyes.line() == asked
    assert await eyes.is_cut_off()
    assert table.heard == [b"one", b"two"]


@served()
async def test_an_answer_to_somebody_who_left_goes_nowhere(table: Table) -> None:
    table.answers = False
    eyes = await table.viewer()
    eyes.say(b"ask\n")
    await settled(table)
    eyes.close()
    await settled(table)
    ((line, viewer),) = table.waiting
    viewer.answer(line)


@served(hears=False)
async def test_nobody_may_say_anything_on_a_socket_that_does_not_hear(table: Table) -> None:
    quiet = await table.viewer()
    for said in (b"x", b"{}\n", b"\n"):
        eyes = await table.connect()
        assert await eyes.line() == b"0"
        eyes.say(said)
        assert await eyes.is_cut_off()
    assert table.heard == []
    table.publish()
    assert await quiet.line() == b"1"


# --- what stands at the path


@pytest.mark.parametrize("mode", [0o666, 0o660])
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o777])
@on_a_loop
async def test_the_rights_are_the_same_whatever_the_umask(
    table: Table, mode: int, umask: int
) -> None:
    table.path.parent.mkdir()
    before = os.umask(umask)
    try:
        async with table.served(mode=mode):
            assert stat.S_IMODE(table.path.stat().st_mode) == mode
            assert os.umask(umask) == umask
    finally:
        os.umask(before)


@served()
async def test_closing_removes_the_socket_and_may_be_done_twice(table: Table) -> None:
    eyes = await table.viewer()
    table.server.close()
    assert not table.path.exists()
    assert await eyes.is_cut_off()


@served()
async def test_closing_leaves_alone_what_stands_under_the_name_of_the_socket(table: Table) -> None:
    table.path.unlink()
    table.path.mkdir()
    table.server.close()
    assert table.path.is_dir()


@on_a_loop
async def test_a_socket_that_was_left_behind_makes_way(table: Table) -> None:
    table.path.parent.mkdir()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(table.path))
    async with table.served():
        eyes = await table.connect()
        assert await eyes.line() == b"0"


@served()
async def test_a_live_socket_is_left_to_whoever_listens_there(table: Table) -> None:
    eyes = await table.viewer()
    second = Server(table.newest)
    with pytest.raises(DeviceError, match="another program is listening there"):
        await second.open(table.path, 0o666)
    second.close()
    assert stat.S_IMODE(table.path.stat().st_mode) == 0o660
    table.publish()
    assert await eyes.line() == b"1"


@on_a_loop
async def test_what_is_no_socket_is_left_alone(table: Table) -> None:
    table.path.parent.mkdir()
    table.path.write_text("a letter")
    with pytest.raises(DeviceError, match="something there is not a socket"):
        await Server(table.newest).open(table.path, 0o666)
    assert table.path.read_text() == "a letter"


@on_a_loop
async def test_a_path_that_cannot_be_is_a_clear_error(table: Table, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path, says in (
        (tmp_path / "file" / "table.sock", "File exists"),
        (tmp_path / ("x" * 200), "path too long"),
    ):
        with pytest.raises(DeviceError, match=says) as error:
            await Server(lambda: b"").open(path, 0o666)
        assert str(error.value).startswith(f"The socket {path} cannot be opened: ")
        assert str(error.value).endswith("and that no other table runs.")
