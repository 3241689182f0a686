"""Reads a firmware file (Intel HEX). Checks that it is complete, and fits the controller's
flash."""

from pathlib import Path
from typing import Final

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.language import Say, say, system_says

FLASH_BYTES: Final = 30720
"""Number of bytes of flash for the firmware. An ATmega328P has 32 KB; the larger of a Nano's two
boot loaders takes 2 KB of them."""

DATA, END = 0, 1
IGNORED: Final = {3: 4, 5: 4}
"""Length in bytes of the data of each record type that means nothing to this chip."""


class Image(msgspec.Struct, frozen=True):
    """The size and the end address of the firmware in a file."""

    path: Path
    size: int
    """Number of bytes that the file would write into the flash."""
    end: int
    """The address after the last byte of the firmware."""


def read_image(path: Path) -> Image:
    """Read and check a firmware file. Raises InputError, which names the bad line."""
    try:
        text = path.read_bytes().decode("ascii")
    except OSError as error:
        raise InputError(
            say(
                "The firmware {path} cannot be read: {strerror}. Check its path and rights.",
                path=path,
                strerror=system_says(error),
            )
        ) from None
    except UnicodeDecodeError:
        wrong = say("{path} is not an Intel HEX file: it is not text. {advice}")
        raise _error(wrong, path=path) from None
    used: set[int] = set()
    ended = False
    for number, line in enumerate(text.splitlines(), start=1):
        where = say("{path}, line {number}", path=path, number=number)
        if ended:
            wrong = say("{where}: something follows the end of the program. {advice}")
            raise _error(wrong, where=where)
        address, kind, data = _record(line, where)
        if kind == END:
            ended = True
        elif kind == DATA:
            addresses = range(address, address + len(data))
            if addresses.stop > FLASH_BYTES:
                wrong = say(
                    "{where}: the program goes beyond the {flash_bytes} bytes that the chip has "
                    "beside its boot loader. It is for another chip. {advice}"
                )
                raise _error(wrong, where=where, flash_bytes=FLASH_BYTES)
            if used.intersection(addresses):
                wrong = say("{where}: this part of the flash is filled twice. {advice}")
                raise _error(wrong, where=where)
            used.update(addresses)
    if not ended:
        raise _error(
            say("{path} has no end: it is not a whole Intel HEX file. {advice}"), path=path
        )
    if 0 not in used:
        wrong = say("{path} has nothing at address 0, where the chip begins. {advice}")
        raise _error(wrong, path=path)
    return Image(path, len(used), max(used) + 1)


_ADVICE: Final = say("Build it with `make -C firmware`, or name another file with --hex.")


def _error(wrong: Say, **fields: object) -> InputError:
    """Return an error. Its message is ``wrong`` with these fields and the general advice."""
    return InputError(say(wrong.msgid, **fields, advice=_ADVICE))


def _record(line: str, where: str) -> tuple[int, int, bytes]:
    """Return the address, type and data of the record on this line. Raises InputError."""
    try:
        if line[:1] != ":":
            raise ValueError
        record = bytes.fromhex(line[1:])
    except ValueError:
        wrong = say("{where}: this is not a line of an Intel HEX file. {advice}")
        raise _error(wrong, where=where) from None
    if len(record) < 5 or len(record) != record[0] + 5:
        raise _error(say("{where}: it is not as long as it says. {advice}"), where=where)
    if sum(record) & 0xFF:
        wrong = say("{where}: its checksum is wrong; the file is damaged. {advice}")
        raise _error(wrong, where=where)
    kind, data = record[3], record[4:-1]
    if kind in (2, 4):  # an address offset, which a chip of 32 KB never needs
        if any(data):
            raise _error(say("{where}: the program is for a larger chip. {advice}"), where=where)
    elif kind not in (DATA, END) and IGNORED.get(kind) != len(data):
        wrong = say("{where}: a record of an unknown type, {kind}. {advice}")
        raise _error(wrong, where=where, kind=kind)
    return record[1] << 8 | record[2], kind, data
