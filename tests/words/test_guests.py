"""The words of guests: kept in a file that is always whole, and never loses a word."""

import os
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_table.common.errors import InputError
from pi_table.games.words.guests import GuestsError, guests_pack, keep
from pi_table.games.words.number import LANGUAGES
from pi_table.games.words.pack import MAX_BYTES, Audience, pack_named, packs, read_pack
from pi_table.games.words.shape import BETWEEN
from pi_table.games.words.word import Words, display_form, fault_of

# DU-3 throughout


def guests_file(folder: Path) -> Path:
    return folder / "guests-en.txt"


def words_in(folder: Path) -> tuple[str, ...]:
    return read_pack(guests_file(folder), least=0).words


def test_the_first_words_make_a_pack_for_adults(tmp_path: Path) -> None:
    assert keep(tmp_path, "en", ["Our  cat", "piano"]) == ("OUR CAT", "PIANO")
    assert guests_file(tmp_path).read_text(encoding="utf-8") == (
        "name: guests-en\n"
        "title: Our guests' words\n"
        "language: en\n"
        "audience: adults\n"
        "source: guests at the table\n"
        "licence: none; for this table alone\n"
        "\n"
        "OUR CAT\n"
        "PIANO\n"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_a_pack_of_its_own_for_whom_is_said(
    tmp_path: Path, language: str
) -> None:
    keep(tmp_path, language, [f"W{number}" for number in range(25)], Audience.EVERYBODY)
    pack = pack_named(guests_pack(language), tmp_path)
    assert (pack.language, pack.audience) == (language, Audience.EVERYBODY)
    assert pack in packs(tmp_path).packs


def test_a_pack_does_not_grow_beyond_what_is_read(tmp_path: Path) -> None:
    keep(tmp_path, "en", ["CAT"])
    with guests_file(tmp_path).open("a") as file:
        file.write("# so it was" + " and was" * (MAX_BYTES // 8 - 30) + "\n")
    before = guests_file(tmp_path).read_bytes()
    assert len(before) < MAX_BYTES
    with pytest.raises(InputError, match="would be more than 262,144 bytes"):
        keep(tmp_path, "en", [f"W{number}X" for number in range(100)])
    assert guests_file(tmp_path).read_bytes() == before
    assert keep(tmp_path, "en", ["DOG"]) == ("DOG",)
    assert words_in(tmp_path) == ("CAT", "DOG")


def test_a_pack_that_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(guests_file(tmp_path))
    with pytest.raises(InputError, match="It is a pipe, a socket or a device, not a file"):
        keep(tmp_path, "en", ["CAT"])


def test_letters_of_another_script_are_not_kept(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="foreign"):
        keep(tmp_path, "en", ["DOG", "C\u0410T"])
    assert not guests_file(tmp_path).exists()


def test_words_are_added_and_those_that_are_there_are_not_added_again(tmp_path: Path) -> None:
    keep(tmp_path, "en", ["CAT"])
    assert keep(tmp_path, "en", ["cats", "dog", "Dogs", "càt", "fish"]) == ("DOG", "FISH")
    assert words_in(tmp_path) == ("CAT", "DOG", "FISH")


def test_without_a_new_word_nothing_is_written(tmp_path: Path) -> None:
    assert keep(tmp_path, "en", []) == ()
    assert [*tmp_path.iterdir()] == []
    keep(tmp_path, "en", ["CAT"])
    before = guests_file(tmp_path).stat()
    assert keep(tmp_path, "en", ["cats"]) == ()
    after = guests_file(tmp_path).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_word_that_cannot_be_used_keeps_the_others_out_too(tmp_path: Path) -> None:
    keep(tmp_path, "en", ["CAT"])
    with pytest.raises(InputError, match=r"'MMMMMMMMMMMMMMM' cannot be kept \(too-long\)"):
        keep(tmp_path, "en", ["DOG", "M" * 15])
    with pytest.raises(InputError, match="comment"):
        keep(tmp_path, "en", ["# dog"])
    assert words_in(tmp_path) == ("CAT",)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("word", ["E = MC2", "A = B", "B =", "= B"])
def test_a_word_that_would_read_as_two_spellings_is_left_out(
    tmp_path: Path, language: str, word: str
) -> None:
    keep(tmp_path, language, ["GATTO"])
    assert keep(tmp_path, language, [word, "PIANO"]) == ("PIANO",)
    assert keep(tmp_path, language, ["CANE"]) == ("CANE",)
    assert packs(tmp_path).faults == ()
    file = tmp_path / f"{guests_pack(language)}.txt"
    assert read_pack(file, least=0).words == ("GATTO", "PIANO", "CANE")


HEAD = (
    "# theirs\nname: guests-en\ntitle: Café chaos\nlanguage: en\naudience: everybody\n"
    "source: all of us\nlicence: none"
)


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}\n\nCAT\n# a comment\nDOG\n",
        f"{HEAD}\n\nCAT\nDOG",
        f"{HEAD}\n\nCAT\nDOG\n\n \n\u2003\n\n",
        f"{HEAD}\n\nCAT\nDOG\n# the last\n\n",
        f"\ufeff{HEAD}\n\nCAT\nDOG\n",
        f"{HEAD}\n\nCAT\nDOG\n".replace("\n", "\r\n"),
        HEAD,
        f"{HEAD}\n",
        f"{HEAD}\n\n# none as yet\n",
        f"{HEAD}\n# none as yet",
    ],
)
def test_what_an_operator_wrote_in_the_file_stays(tmp_path: Path, text: str) -> None:
    guests_file(tmp_path).write_bytes(text.encode())
    before = read_pack(guests_file(tmp_path), least=0)
    assert keep(tmp_path, "en", ["fish", "cats", "fishes"])[0] == "FISH"
    after = read_pack(guests_file(tmp_path), least=0)
    assert (after.title, after.audience) == (before.title, before.audience)
    assert after.words[: len(before.words)] == before.words
    assert "FISH" in after.words
    assert guests_file(tmp_path).read_bytes().startswith(text.rstrip().encode())


def test_a_file_with_a_fault_is_told_and_left_alone(tmp_path: Path) -> None:
    text = f"{HEAD}\n\nCAT\ncats\n"
    guests_file(tmp_path).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"guests-en\.txt, line 10: 'CATS' is the same as 'CAT'"):
        keep(tmp_path, "en", ["DOG"])
    assert guests_file(tmp_path).read_text(encoding="utf-8") == text


def test_the_file_keeps_its_rights_and_its_place_behind_a_link(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    keep(elsewhere, "en", ["CAT"])
    guests_file(elsewhere).chmod(0o640)
    guests_file(tmp_path).symlink_to(guests_file(elsewhere))
    keep(tmp_path, "en", ["DOG"])
    assert guests_file(tmp_path).is_symlink()
    assert words_in(elsewhere) == ("CAT", "DOG")
    assert guests_file(elsewhere).stat().st_mode & 0o777 == 0o640


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(GuestsError, match=r"nowhere/guests-en\.txt \(No such file"):
        keep(tmp_path / "nowhere", "en", ["CAT"])


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Makes the system refuse to write more to a file, as a full disk does."""
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)


def test_on_a_full_disk_the_old_words_stay_and_nothing_else(tmp_path: Path) -> None:
    keep(tmp_path, "en", ["CAT"])
    before = guests_file(tmp_path).read_bytes()
    with files_of_at_most(len(before)), pytest.raises(GuestsError, match="too large"):
        keep(tmp_path, "en", ["DOG"])
    assert guests_file(tmp_path).read_bytes() == before
    assert [*tmp_path.iterdir()] == [guests_file(tmp_path)]


def test_the_new_file_is_on_the_disk_before_it_takes_the_place_of_the_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path, "en", ["CAT"])
    # A file that a power cut left behind is no hindrance.
    (tmp_path / ".guests-en.txt.new").write_text("half a wo" * 1000, encoding="utf-8")
    done: list[tuple[str, str]] = []
    sync, take_place = os.fsync, os.replace

    def synced(descriptor: int) -> None:
        sync(descriptor)
        name = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        done.append(("sync", name.name))
        if name.is_file():
            assert name.read_text(encoding="utf-8").endswith("\nCAT\nDOG\n")
            assert words_in(tmp_path) == ("CAT",)

    def took_place(path: str, target: str, **folders: int) -> None:
        done.append(("replace", target))
        take_place(path, target, **folders)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", took_place)
    keep(tmp_path, "en", ["DOG"])
    assert done == [
        ("sync", ".guests-en.txt.new"),
        ("replace", "guests-en.txt"),
        ("sync", tmp_path.name),
    ]
    assert [*tmp_path.iterdir()] == [guests_file(tmp_path)]


@settings(deadline=None, max_examples=60)
@given(
    evening=st.lists(
        st.lists(
            st.text(max_size=16)
            | st.sampled_from(["CAT", "cats", "#1", "ΐ", "a\u2028b", "ŉ"])
            | st.sampled_from(["E = MC2", "A = B", "B =", "= B", "A \u2002=\u2002 B"]),
            max_size=4,
        ),
        max_size=5,
    ),
    language=st.sampled_from(LANGUAGES),
)
def test_whatever_guests_write_is_kept_and_read_again(
    evening: list[list[str]], language: str
) -> None:
    with TemporaryDirectory() as name:
        folder, expected = Path(name), list[str]()
        for written in evening:
            good = [word for word in written if fault_of(word, Words(language)) is None]
            added = keep(folder, language, good)
            expected += added
            if expected:
                kept = read_pack(folder / f"{guests_pack(language)}.txt", least=0)
                assert list(kept.words) == expected
                there = Words(language, kept.words)
                kept_words = [
                    word for word in map(display_form, good) if BETWEEN not in f" {word} "
                ]
                assert all(there.like(word) is not None for word in kept_words)
        assert packs(folder).faults == ()
