"""Which slot of a card starts: what the image's program makes of RAUC's words, read as the firmware
reads it."""

import fcntl
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pi_firmware import TRYBOOT
from slots_without_a_machine import FRESH, Slots


@pytest.fixture
def slots(tmp_path: Path) -> Slots:
    return Slots(tmp_path)


def test_a_fresh_card_starts_its_first_slot(slots: Slots) -> None:
    assert [slots.ask(word) for word in ("get-current", "get-default", "get-primary")] == ["a"] * 3
    assert [slots.ask("get-state", slot) for slot in "ab"] == ["good", "bad"]
    assert slots.run("try").returncode == 1


def test_an_installed_slot_is_tried_once_and_starts_when_it_was_found_good(slots: Slots) -> None:
    slots.install("b")
    assert slots.ask("get-primary") == "b"
    assert slots.ask("get-word", "b") == "new"
    assert slots.start() == "a"  # the plug was pulled: nobody has asked for a trial
    assert slots.ask("try") == "b"
    assert slots.run("try").returncode == 1
    assert slots.start(TRYBOOT) == "b"
    assert slots.ask("get-current") == "b"
    assert slots.ask("get-default") == "a"
    slots.ask("set-state", "b", "good")
    assert slots.start() == "b"
    assert [slots.ask("get-state", slot) for slot in "ab"] == ["good", "good"]
    assert slots.ask("get-primary") == "b"


def test_a_slot_that_was_not_found_good_is_not_started_again(slots: Slots) -> None:
    slots.try_it()
    assert slots.start() == "a"
    assert slots.ask("get-word", "b") == "tried"
    slots.ask("set-state", "b", "bad")
    assert slots.ask("get-primary") == "a"
    assert slots.run("try").returncode == 1


def test_after_a_second_installation_that_failed_the_old_slot_is_the_primary_one(
    slots: Slots,
) -> None:
    slots.install("b")
    slots.ask("set-state", "b", "bad")
    assert slots.ask("get-primary") == "a"
    assert slots.run("try").returncode == 1


def test_the_next_update_goes_the_other_way(slots: Slots) -> None:
    slots.try_it()
    slots.ask("set-state", "b", "good")
    slots.install("a")
    assert slots.start() == "b"
    assert slots.ask("try") == "a"
    assert slots.start(TRYBOOT) == "a"
    slots.ask("set-state", "a", "good")
    assert slots.start() == "a"


def test_the_default_slot_is_asked_for_again_and_no_trial_is_left(slots: Slots) -> None:
    slots.install("b")
    slots.ask("set-primary", "a")
    assert slots.ask("get-primary") == "a"
    assert slots.run("try").returncode == 1


@pytest.mark.parametrize("lost", FRESH)
def test_a_card_that_lost_a_file_starts_its_first_slot(slots: Slots, lost: str) -> None:
    (slots.card / lost).unlink()
    assert slots.ask("get-primary") == "a"
    assert [slots.ask("get-state", slot) for slot in "ab"] == ["good", "bad"]


def test_what_a_cut_write_left_is_neither_read_nor_touched(slots: Slots) -> None:
    left = slots.card / "autoboot.txt.new"
    left.write_text("[all]\nboot_par")
    slots.install("b")
    slots.start(TRYBOOT)
    slots.ask("set-state", "b", "good")
    assert slots.start() == "b"
    assert left.read_text() == "[all]\nboot_par"


@pytest.mark.parametrize(
    "words", [("get-state", "c"), ("set-state", "a", "new"), ("set-primary",), ("mount",), ()]
)
def test_what_is_not_understood_is_refused_and_changes_nothing(
    slots: Slots, words: tuple[str, ...]
) -> None:
    before = slots.texts()
    assert slots.run(*words).returncode != 0
    assert slots.texts() == before


def test_what_the_firmware_reads_is_within_its_512_bytes(slots: Slots) -> None:
    slots.install("b")
    slots.start(TRYBOOT)
    slots.ask("set-state", "b", "good")
    assert (slots.card / "autoboot.txt").stat().st_size <= 512


def test_files_that_were_written_on_another_system_are_read_as_the_firmware_reads_them(
    slots: Slots,
) -> None:
    slots.try_it()
    slots.ask("set-state", "b", "good")
    slots.install("a")
    for name in FRESH:
        path = slots.card / name
        path.write_bytes(path.read_bytes().replace(b"\n", b" \r\n"))
    assert [slots.ask("get-default"), slots.ask("get-primary")] == ["b", "a"]
    assert slots.ask("try") == "a"


@pytest.mark.parametrize("garbage", [b"", b"\0" * 512, b"b\nb=\nb=newer\n\xff\xfe", b"b=good bad"])
def test_what_is_no_word_makes_no_slot_one_that_is_tried(slots: Slots, garbage: bytes) -> None:
    (slots.card / "slots.txt").write_bytes(garbage)
    assert slots.ask("get-primary") == "a"
    assert slots.ask("get-state", "a") == "good"
    assert slots.run("try").returncode == 1


def test_the_slot_to_which_the_table_goes_back_is_not_installed_over(slots: Slots) -> None:
    """RAUC has each slot marked bad before it writes there, and writes none where that fails."""
    slots.try_it()
    refused = slots.run("set-state", "a", "bad")
    assert refused.returncode != 0
    assert "goes back" in refused.stderr
    assert slots.start() == "a"
    assert slots.ask("get-state", "a") == "good"
    slots.ask("set-state", "b", "bad")
    slots.install("b")


def test_only_a_slot_that_was_asked_for_is_on_trial(slots: Slots) -> None:
    assert slots.run("is-on-trial").returncode == 1
    slots.install("b")
    slots.start(TRYBOOT)  # which nobody has asked for
    assert slots.run("is-on-trial").returncode == 1
    slots.start()
    slots.ask("try")
    assert slots.run("is-on-trial").returncode == 1
    slots.start(TRYBOOT)
    assert slots.run("is-on-trial").returncode == 0
    slots.ask("set-state", "b", "good")
    assert slots.run("is-on-trial").returncode == 1


def test_a_card_that_is_full_keeps_what_it_says_and_no_scraps(slots: Slots) -> None:
    before = slots.texts()
    refused = slots.run("set-state", "b", "good", largest_file=4)
    assert refused.returncode == 2
    assert "cannot be written" in refused.stderr
    assert slots.texts() == before


def test_whoever_writes_has_the_card_alone(slots: Slots) -> None:
    """The program is met in the middle of its work, where it asks which slot runs."""
    slots.install("b")
    words = Path(slots.places["PI_TABLE_KERNEL_WORDS"])
    words.unlink()
    os.mkfifo(words)
    card = os.open(slots.card, os.O_RDONLY)
    with ThreadPoolExecutor() as pool:
        done = pool.submit(slots.run, "set-state", "b", "good")
        with words.open("w") as asked:
            try:
                with pytest.raises(BlockingIOError):
                    fcntl.flock(card, fcntl.LOCK_EX | fcntl.LOCK_NB)
            finally:
                os.close(card)
                asked.write("rauc.slot=a\n")
        assert done.result().returncode == 0
    assert slots.ask("get-word", "b") == "good"
