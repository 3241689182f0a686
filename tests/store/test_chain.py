"""A link is what it was said to be, and seals all that it stands for."""

import struct
from collections.abc import Callable
from hashlib import sha256

import pytest

from pi_table.table.store.chain import Chain

SALT = bytes(range(16))
WALL = b"2026-11-21T08:15:00Z"


def test_the_links_of_a_game_are_those_of_every_version_so_far() -> None:
    """Figures that must not change: by them journals of today are read tomorrow."""
    chain = Chain(SALT)
    chain.extend(0.0, WALL, b'{"event":"dealt"}')
    assert chain.last.hex() == "a1f39fa4151c217cd70d9d60cae6c054cd0b1e8fb97e06da9e071157b97cf86b"
    chain.extend(12.5, WALL, b"")
    assert chain.last.hex() == "825e1f685b54b3ab5c55e8f719d4b382b0dbdc968a72e873f0da1e6145a18ec4"
    assert chain.count == 2


def test_a_link_is_the_hash_of_what_its_file_says() -> None:
    frame = struct.pack(">QQdQQ", 32, 8, 12.5, len(WALL), 4)
    link = sha256(frame + bytes(32) + WALL + b"body").digest()
    assert Chain(bytes(32), 7).extend(12.5, WALL, b"body") == link


@pytest.mark.parametrize(
    "link",
    [
        lambda: Chain(SALT, 1).extend(1.0, WALL, b"body"),
        lambda: Chain(SALT[:-1] + b"\0").extend(1.0, WALL, b"body"),
        lambda: Chain(SALT).extend(1.0 + 2**-52, WALL, b"body"),
        lambda: Chain(SALT).extend(1.0, WALL + b"b", b"ody"),
        lambda: Chain(SALT + WALL[:1]).extend(1.0, WALL[1:], b"body"),
        lambda: Chain(SALT).extend(1.0, WALL, b"body "),
        lambda: Chain(SALT).extend(-1.0, WALL, b"body"),
    ],
    ids=["number", "link before", "time", "wall and body", "link and wall", "body", "sign"],
)
def test_another_event_has_another_link(link: Callable[[], bytes]) -> None:
    assert link() != Chain(SALT).extend(1.0, WALL, b"body")
