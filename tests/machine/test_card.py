"""The card that loses what was not flushed, by QEMU's own program that writes to disks."""

import random
import subprocess
from pathlib import Path

import pytest
from card import Card

MIB = 1 << 20
pytestmark = pytest.mark.machine


@pytest.fixture
def card(scratch: Path) -> Card:
    image = scratch / "card.img"
    image.write_bytes(bytes(MIB))
    return Card(image, scratch)


def use(card: Card, *commands: str) -> None:
    """Write to the card as a machine does, and lose the power."""
    card.insert()
    opened = (
        f"driver=blklogwrites,file.driver=qcow2,file.file.filename={card.overlay},"
        f"log.driver=raw,log.file.filename={card.log},log-sector-size=512"
    )
    words = [word for each in (*commands, "length", "sleep 60000") for word in ("-c", each)]
    # To a pipe it would say nothing before it ends, and it is not to end in order.
    writer = subprocess.Popen(
        ["stdbuf", "-oL", "qemu-io", "-t", "writeback", *words, "--image-opts", opened],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert writer.stdout
    for said in writer.stdout:
        if said == "1 MiB\n":  # the length: what was asked for before has been done
            break
    writer.kill()
    writer.wait()
    writer.stdout.close()


def byte(card: Card, at: int) -> int:
    with card.image.open("rb") as image:
        image.seek(at)
        return image.read(1)[0]


def test_what_was_flushed_is_on_the_card_and_what_was_not_is_lost(card: Card) -> None:
    use(
        card, "write -P 1 0 4k", "write -P 2 8k 4k", "flush", "write -P 3 0 4k", "write -P 4 16k 4k"
    )
    lost = card.power_cut()
    assert lost == (2, 2, 0)
    assert [byte(card, at) for at in (0, 4096, 8192, 16384)] == [1, 0, 2, 0]


def test_what_was_not_flushed_may_be_on_the_card_all_the_same(card: Card) -> None:
    use(card, "write -P 1 0 4k", "flush", *(f"write -P {n} {n * 4}k 4k" for n in range(2, 12)))
    lost = card.power_cut(random.Random(1))
    assert 0 < lost.kept < lost.later == 10
    assert byte(card, 0) == 1
    assert sum(byte(card, n * 4096) == n for n in range(2, 12)) == lost.kept


def test_a_card_that_was_never_flushed_is_as_it_was(card: Card) -> None:
    use(card, "write -P 9 0 4k")
    assert card.power_cut() == (0, 1, 0)
    assert byte(card, 0) == 0


def test_a_machine_that_was_switched_off_has_written_everything(card: Card) -> None:
    use(card, "write -P 9 0 4k")
    card.switched_off()
    assert byte(card, 0) == 9


def test_a_card_goes_on_where_it_was(card: Card) -> None:
    use(card, "write -P 1 0 4k", "flush")
    card.power_cut()
    use(card, "write -P 2 4k 4k", "flush")
    card.power_cut()
    assert [byte(card, at) for at in (0, 4096)] == [1, 2]
