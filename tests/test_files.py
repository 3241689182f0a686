"""A file that somebody names may be anything, and root opens nothing that a name leads it to.

What is no file is told, and nothing is waited for.
"""

import os
import resource
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from needs_root import needs_root

from pi_table.common.files import (
    LedAstrayError,
    chunks_of,
    folder_held,
    open_file,
    read_small_file,
    remove,
    write_whole,
)

root = needs_root("be led astray")

USER = 1234
"""Somebody who is not root."""


class Scene:
    """Root's secret, and a folder of another user's."""

    def __init__(self, folder: Path) -> None:
        self.secrets = folder / "secrets"
        self.secrets.mkdir(mode=0o700)
        self.secret = self.secrets / "key.txt"
        self.secret.write_text("of root")
        self.secret.chmod(0o600)
        self.theirs = folder / "theirs"
        self.theirs.mkdir()
        (self.theirs / "own.txt").write_text("of the user")
        self.give(self.theirs / "own.txt")
        self.give(self.theirs)

    def give(self, path: Path) -> Path:
        os.chown(path, USER, USER, follow_symlinks=False)
        return path

    def link(self, name: str, to: Path) -> Path:
        path = self.theirs / name
        path.symlink_to(to)
        return self.give(path)


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def link_to_a_file(scene: Scene) -> Path:
    return scene.link("x.txt", scene.secret)


def link_to_a_link(scene: Scene) -> Path:
    scene.link("y.txt", scene.secret)
    return scene.link("x.txt", Path("y.txt"))


def link_to_a_folder(scene: Scene) -> Path:
    return scene.link("packs", scene.secrets) / "key.txt"


def roots_own_link_that_was_moved(scene: Scene) -> Path:
    (scene.theirs / "x.txt").symlink_to(scene.secret)
    return scene.theirs / "x.txt"


def second_name(scene: Scene) -> Path:
    os.link(scene.secret, scene.theirs / "x.txt")
    return scene.theirs / "x.txt"


def moved(scene: Scene) -> Path:
    return scene.secret.rename(scene.theirs / "x.txt")


def in_a_folder_for_all(scene: Scene) -> Path:
    scene.secrets.chmod(0o1777)
    link = scene.secrets / "x.txt"
    link.symlink_to(scene.secret)
    return scene.give(link)


LED_ASTRAY = [
    *(link_to_a_file, link_to_a_link, link_to_a_folder, roots_own_link_that_was_moved),
    *(second_name, moved, in_a_folder_for_all),
]
LED = pytest.mark.parametrize("lead", LED_ASTRAY, ids=lambda each: each.__name__)
Lead = Callable[[Scene], Path]


@root
@LED
def test_root_reads_nothing_that_another_user_has_led_it_to(scene: Scene, lead: Lead) -> None:
    path = lead(scene)
    reads: list[Callable[[], bytes]] = [lambda: b"".join(chunks_of(path))]
    if lead not in (second_name, moved):  # what is read there is not handed on
        reads.append(lambda: read_small_file(path, 100))
    for read in reads:
        with pytest.raises(OSError, match=r"no link that another user|to the wrong user") as error:
            read()
        assert error.value.filename == str(path)


@root
def test_root_writes_nothing_and_takes_nothing_away_through_another_users_link(
    scene: Scene,
) -> None:
    path = link_to_a_folder(scene)
    changes: tuple[Callable[[], None], ...] = (
        lambda: write_whole(path, [b"x"]),
        lambda: remove(path),
    )
    for change in changes:
        with pytest.raises(OSError, match="no link that another user"):
            change()
    assert scene.secret.read_text() == "of root"
    assert [each.name for each in scene.secrets.iterdir()] == ["key.txt"]


@root
def test_root_reads_what_is_the_users_own_and_what_everybody_may_read(scene: Scene) -> None:
    assert read_small_file(scene.theirs / "own.txt", 100) == b"of the user"
    (scene.theirs / "x.txt").write_text("for all")
    assert read_small_file(scene.theirs / "x.txt", 100) == b"for all"


@root
def test_a_file_that_must_be_roots_is_no_other_users(scene: Scene) -> None:
    with pytest.raises(LedAstrayError, match="belongs to the wrong user"):
        read_small_file(scene.theirs / "own.txt", 100, owner=0)
    assert read_small_file(moved(scene), 100, owner=0) == b"of root"


def test_links_of_ones_own_are_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("here")
    (tmp_path / "to-folder").symlink_to("folder")
    (tmp_path / "to-file").symlink_to(tmp_path / "to-folder" / "file")
    (tmp_path / "folder" / "up").symlink_to("../to-file")
    for name in ("to-folder/file", "to-file", "folder/up", "folder/../to-folder/./up"):
        assert read_small_file(tmp_path / name, 100) == b"here"


@root
def test_a_whole_path_does_not_lead_through_a_closed_working_directory(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`sudo -u pi-table` works where somebody has logged in, and that home may be theirs alone."""
    monkeypatch.chdir(scene.secrets)
    os.seteuid(USER)
    try:
        assert read_small_file(Path("/etc/passwd"), 1 << 20).startswith(b"root:")
        with pytest.raises(PermissionError):
            read_small_file(Path("key.txt"), 100)
    finally:
        os.seteuid(0)


def test_links_that_lead_in_a_circle_come_to_an_end(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    for path in (tmp_path / "one", tmp_path / "one" / "file"):
        with pytest.raises(OSError, match="Too many levels"):
            read_small_file(path, 100)


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here")
    (tmp_path / "link").symlink_to("file")
    before = len(os.listdir("/proc/self/fd"))
    for name in ("file", "link", "none", "none/file", "link/file", ".", "nul\0"):
        with suppress(OSError):
            os.close(open_file(tmp_path / name))
        with suppress(OSError), folder_held(tmp_path / name):
            pass
    assert len(os.listdir("/proc/self/fd")) == before


@contextmanager
def swapping(one: Path, other: Path) -> Iterator[None]:
    """Two names change places again and again, as fast as a program can have them."""
    done = threading.Event()
    aside = one.with_name("aside")

    def swap() -> None:
        while not done.is_set():
            one.rename(aside)
            other.rename(one)
            aside.rename(other)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@root
def test_a_name_that_changes_places_all_the_time_leads_root_nowhere(scene: Scene) -> None:
    link = scene.link("x.txt", scene.secret)
    read: set[bytes] = set()
    with swapping(scene.theirs / "own.txt", link):
        for _ in range(2000):
            with suppress(OSError):
                read.add(read_small_file(scene.theirs / "own.txt", 100))
    assert read <= {b"of the user"}


# What is no file, or a large one


def fifo(folder: Path) -> Path:
    os.mkfifo(folder / "fifo")
    return folder / "fifo"


def listening(folder: Path) -> Path:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "socket"))
    return folder / "socket"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda folder: folder, "Is a directory"),
        (lambda folder: folder / "missing", "No such file or directory"),
        (lambda folder: folder / ("x" * 300), "File name too long"),
        (lambda folder: folder / "nul\0", "No file can have such a path"),
        (fifo, "It is a pipe, a socket or a device, not a file"),
        (listening, "It is a pipe, a socket or a device, not a file"),
        (lambda folder: Path("/dev/zero"), "It is a pipe, a socket or a device, not a file"),
    ],
)
def test_what_is_no_file_is_told(tmp_path: Path, make: object, says: str) -> None:
    assert callable(make)
    with pytest.raises(OSError, match=says) as error:
        read_small_file(make(tmp_path), 10)
    assert error.value.strerror == says


def test_a_file_is_read_and_of_a_large_one_a_byte_too_much(tmp_path: Path) -> None:
    file = tmp_path / "file"
    for content in (b"", b"1234", b"12345", b"123456", b"1" * 1000):
        file.write_bytes(content)
        assert read_small_file(file, 5) == content[:6]
    assert read_small_file(Path(os.devnull), 5) == b""


def test_a_file_of_gigabytes_takes_no_memory(tmp_path: Path) -> None:
    file = tmp_path / "file"
    with file.open("wb") as written:
        written.truncate(1 << 30)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert len(read_small_file(file, 1000)) == 1001
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1024
