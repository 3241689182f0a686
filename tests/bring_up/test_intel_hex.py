"""A file is what the chip can be given, or a sentence says which line is not."""

from pathlib import Path

import pytest

from pi_table.common.errors import InputError
from pi_table.maintenance.bring_up.intel_hex import FLASH_BYTES, read_image
from pi_table.simulator.emulated import BUILT

END = ":00000001FF"


def record(address: int, data: bytes, kind: int = 0) -> str:
    body = bytes((len(data), address >> 8, address & 0xFF, kind)) + data
    return f":{(body + bytes((-sum(body) & 0xFF,))).hex().upper()}"


def written(folder: Path, *lines: str) -> Path:
    file = folder / "some.hex"
    file.write_text("\r\n".join(lines) + "\r\n")
    return file


def test_the_size_of_a_program_is_told(tmp_path: Path) -> None:
    image = read_image(written(tmp_path, record(0, b"12345678"), record(16, b"9"), END))
    assert (image.size, image.end) == (9, 17)


def test_the_firmware_that_was_built_is_one() -> None:
    image = read_image(BUILT / "controller.hex")
    assert 1000 < image.size <= image.end <= FLASH_BYTES


def test_records_that_mean_nothing_to_this_chip_are_allowed(tmp_path: Path) -> None:
    lines = (record(0, bytes(2), 4), record(0, bytes(4), 3), record(0, b"12"), END)
    assert read_image(written(tmp_path, *lines)).size == 2


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ((END,), "nothing at address 0"),
        ((record(0, b"1"),), "has no end"),
        (("not hex", END), "line 1: this is not a line of an Intel HEX file"),
        ((":0Z", END), "line 1: this is not a line"),
        ((record(0, b"12") + "00", END), "line 1: it is not as long as it says"),
        ((record(0, b"12")[:-2] + "00", END), "line 1: its checksum is wrong"),
        (
            (record(0, b"12"), record(1, b"3"), END),
            "line 2: this part of the flash is filled twice",
        ),
        ((record(0, b"1"), record(FLASH_BYTES - 1, b"12"), END), "line 2: the program goes beyond"),
        (
            (record(0, b"\0\1", 4), record(0, b"12"), END),
            "line 1: the program is for a larger chip",
        ),
        ((record(0, b"12"), END, record(4, b"1")), "line 3: something follows the end"),
        ((record(0, b"12", 9), END), "a record of an unknown type, 9"),
    ],
)
def test_what_is_none_is_told_with_its_line(
    tmp_path: Path, lines: tuple[str, ...], says: str
) -> None:
    with pytest.raises(InputError) as refused:
        read_image(written(tmp_path, *lines))
    assert says in str(refused.value)
    assert "make -C firmware" in str(refused.value)


def test_a_program_may_fill_the_chip(tmp_path: Path) -> None:
    lines = (record(0, b"1"), record(FLASH_BYTES - 2, b"12"), END)
    assert read_image(written(tmp_path, *lines)).end == FLASH_BYTES


def test_a_file_that_is_not_there_or_no_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_image(tmp_path / "missing.hex")
    (tmp_path / "binary").write_bytes(b"\x7fELF\xff\xfe")
    with pytest.raises(InputError, match="it is not text"):
        read_image(tmp_path / "binary")
