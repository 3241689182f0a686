"""Writes frames.txt, the test vectors of the serial link: `python3 write.py >frames.txt`.

Frames follow the definitions of COBS and CRC, messages follow the tables of ../PROTOCOL.md. The
program shares no code with the firmware or with pi_table, so that the tests of both can use its
vectors. It needs only the standard library.
"""

import random
import struct
import zlib
from collections.abc import Sequence

HEAD = """\
# Frames and messages of ../PROTOCOL.md, for the tests in C and in Python. Written by write.py.
# A line is "KIND NAME | …", its parts divided by " | "; "#" begins a comment line. Bytes are in
# hex; a frame has its zero at the end.
# frame NAME | MESSAGE | FRAME       the codec alone: any bytes as a message, and the frame of them
# bad NAME | FRAME                   dropped, and counted once
# stream NAME | BYTES | MESSAGE,MESSAGE,… | DROPPED
#                                    what a decoder finds in these bytes, and how many frames it
#                                    drops (zeros with nothing between them are no frame)
# no-command NAME | MESSAGE | FRAME  an intact frame that the controller drops, and counts
# no-report NAME | MESSAGE | FRAME   an intact frame that the Pi drops
# Any other kind is a type of message: hello, state, raw, settings, lights, ask, store, here,
# restart.
# TYPE NAME | FIELD=VALUE FIELD=VALUE … | MESSAGE | FRAME
#                                    a value is a number, decimal or 0x…, or a list of them with
#                                    commas: pads, places and chips in their order; firmware is
#                                    major,minor,patch; a colour is 0xRRGGBB; causes is one a chip;
#                                    places is a mask with its two flags, and colours is one an LED
#                                    of these places
"""

PLACES, PADS, CELLS = 27, 31, 25
REST, MORE = 1 << 30, 1 << 31
Fields = dict[str, int | list[int]]


def cobs(data: bytes) -> bytes:
    """Encode data by COBS: each run of bytes without a zero (at most 254 bytes) is written as its
    length + 1, then the run. The length byte 255 means that no zero follows the run."""
    out = bytearray()
    runs = data.split(b"\0")
    for last, run in [(False, run) for run in runs[:-1]] + [(True, runs[-1])]:
        while len(run) >= 254:
            out += b"\xff" + run[:254]
            run = run[254:]
            if last and not run:
                return bytes(out)
        out += bytes([len(run) + 1]) + run
    return bytes(out)


def with_checksum(message: bytes) -> bytes:
    return message + zlib.crc32(message).to_bytes(4, "little")


def frame(message: bytes) -> bytes:
    return cobs(with_checksum(message)) + b"\0"


# Messages, as the tables of PROTOCOL.md have them


def halves(counters: Sequence[int]) -> bytes:
    """Pack two counters into each byte; the first counter is in the low half."""
    pairs = [*counters, 0]
    return bytes(low | high << 4 for low, high in zip(pairs[::2], pairs[1::2], strict=True))


def message(kind: str, f: Fields) -> bytes:
    match kind:
        case "hello":
            return struct.pack(
                "<BB3BHBBBHB", 0x01, f["protocol"], *f["firmware"], f["boot_id"], f["cause"],
                f["chips"], f["places"], f["lights"], f["settings"],
            )  # fmt: skip
        case "state":
            return b"".join([
                struct.pack(
                    "<BHHIBBBIII", 0x02, f["boot_id"], f["sequence"], f["uptime_ms"], f["applied"],
                    f["chips"], f["flags"], f["touched"], f["heavy"], f["deaf"],
                ),
                halves(f["counters"]),
                struct.pack(
                    "<BBBBHHII", sum(cause << 2 * chip for chip, cause in enumerate(f["causes"])),
                    f["restarts"], f["dropped"], f["lost"], f["current_ma"], f["check"],
                    f["noisy"], f["perhaps"],
                ),
            ])  # fmt: skip
        case "raw":
            pads = zip(f["filtered"], f["baseline"], strict=True)
            return bytes([0x03, f["number"]]) + b"".join(struct.pack("<HH", *pad) for pad in pads)
        case "settings":
            return bytes([0x04, f["number"], f["verdict"]]) + settings(f)
        case "lights":
            colours = b"".join(colour.to_bytes(3, "big") for colour in f["colours"])
            return struct.pack("<BBI", 0x11, f["number"], f["places"]) + colours
        case "ask":
            return bytes([0x12, f["number"], f["what"]])
        case "store":
            return bytes([0x13, f["number"]]) + settings(f)
        case "here":
            return bytes([0x14, f["number"]])
        case "restart":
            return bytes([0x15, f["number"]])
    raise ValueError(kind)


def settings(f: Fields) -> bytes:
    return bytes([*f["touch"], *f["release"], *f["heavy"]]) + struct.pack("<H", f["most_ma"])


HELLO: Fields = {
    "protocol": 4, "firmware": [0, 1, 0], "boot_id": 1, "cause": 1, "chips": 7, "places": 27,
    "lights": 104, "settings": 1,
}  # fmt: skip
STATE: Fields = {
    "boot_id": 1, "sequence": 0, "uptime_ms": 0, "applied": 0, "chips": 7, "flags": 4,
    "touched": 0, "heavy": 0, "deaf": 0, "counters": [0] * PLACES, "causes": [0, 0, 0],
    "restarts": 0, "dropped": 0, "lost": 0, "current_ma": 104,
    "check": 0x8901, "noisy": 0, "perhaps": 0,
}  # fmt: skip


def every_pad(touch: int, release: int, heavy: int) -> Fields:
    return {"touch": [touch] * PADS, "release": [release] * PADS, "heavy": [heavy] * PADS}


DEFAULTS: Fields = {**every_pad(7, 4, 60), "most_ma": 2000}
EACH_OTHER: Fields = {
    "touch": [20 + pad for pad in range(PADS)], "release": [1 + pad for pad in range(PADS)],
    "heavy": [200 + pad for pad in range(PADS)], "most_ma": 0x1234,
}  # fmt: skip


def state(places: dict[int, int], **fields: int | list[int]) -> Fields:
    """Return a STATE with these counters, one for each place. A place is touched if its counter is
    odd."""
    counters = [places.get(place, 0) for place in range(PLACES)]
    touched = sum((counter & 1) << place for place, counter in enumerate(counters))
    return {**STATE, "counters": counters, "touched": touched, **fields}


def lights(number: int, places: int, colours: list[int]) -> Fields:
    """Return a LIGHTS message for these places, with a colour for each of their LEDs."""
    leds = sum(4 if place < CELLS else 2 for place in range(PLACES) if places >> place & 1)
    assert len(colours) == leds
    return {"number": number, "places": places, "colours": colours}


def messages(chance: random.Random) -> list[tuple[str, str, Fields]]:
    """Return the kind, the name and the fields of each message in the vectors."""
    busy = {place: place % 16 for place in range(PLACES)}
    falling = [1023 - 3 * pad for pad in range(PADS)], [1020 - 4 * pad for pad in range(PADS)]
    blends = [0x010000 * led + 0x6400 + led + 100 for led in range(4 * 7)]
    return [
        ("hello", "first-start", HELLO),
        ("hello", "after-the-watchdog",
         HELLO | {"boot_id": 0xFFFF, "cause": 8, "chips": 5, "settings": 0}),
        ("hello", "all-different",
         HELLO | {"firmware": [3, 2, 1], "boot_id": 0x1234, "cause": 4, "chips": 6,
                  "lights": 0x0203, "settings": 2}),
        ("state", "nothing-yet", STATE),
        ("state", "a-finger", state({7: 1}, sequence=1, uptime_ms=1234, applied=9, flags=0)),
        ("state", "perhaps-a-finger", state({}, sequence=3, flags=0, perhaps=1 << 7 | 1 << 26)),
        ("state", "lifted", state({7: 2}, sequence=2, uptime_ms=1300, applied=9, flags=0)),
        ("state", "last-place",
         state({26: 15}, sequence=0xFFFF, uptime_ms=0xFFFFFFFF, applied=255, flags=0)),
        ("state", "a-palm",
         state({3: 1, 4: 3, 8: 15, 9: 2}, heavy=1 << 4 | 1 << 8, flags=1, restarts=255)),
        ("state", "deaf",
         state({0: 14}, chips=6, deaf=0x3FF, causes=[2, 3, 1], restarts=6, dropped=4, lost=5)),
        ("state", "noise",
         state({4: 3}, flags=0, noisy=1 << 4 | 1 << 26 | 1 << 30)),
        ("state", "all-different",
         state(busy, boot_id=0x0102, sequence=0x0304, uptime_ms=0x05060708, applied=0x09, flags=10,
               heavy=0x02000A0A, deaf=0x01050000, causes=[3, 0, 2], restarts=0x0B, dropped=0x0C,
               lost=0x0D, current_ma=0x0E0F, check=0x1011, noisy=0x52121415,
               perhaps=0x04100404)),
        ("raw", "quiet", {"number": 1, "filtered": [700] * PADS, "baseline": [700] * PADS}),
        ("raw", "each-other", {"number": 255, "filtered": falling[0], "baseline": falling[1]}),
        ("raw", "one-unread",
         {"number": 2, "filtered": [0xFFFF, *[0] * (PADS - 1)], "baseline": [0] * PADS}),
        ("settings", "defaults", {"number": 1, "verdict": 0, **DEFAULTS}),
        ("settings", "refused", {"number": 200, "verdict": 1, **EACH_OTHER}),
        ("lights", "a-cell", lights(2, 1 << 7, [0x010203, 0x040506, 0x070809, 0x0A0B0C])),
        ("lights", "a-pad", lights(3, 1 << 26, [0xFFFFFF, 0])),
        ("lights", "begun", lights(254, 0x7F | MORE, blends)),
        ("lights", "gone-on", lights(255, 0x7F << 7 | REST | MORE, blends[::-1])),
        ("lights", "ended", lights(1, 0x7F << 20 | REST, blends[:24])),
        ("lights", "the-most", lights(17, 0x7F | 1 << 25, [0xFFFFFF] * 30)),
        ("lights", "by-chance",
         lights(18, 0x05101011, [chance.randrange(1 << 24) for _ in range(4 * 5 + 2)])),
        ("ask", "hello", {"number": 1, "what": 1}),
        ("ask", "raw", {"number": 2, "what": 2}),
        ("ask", "settings", {"number": 255, "what": 3}),
        ("store", "defaults", {"number": 1, **DEFAULTS}),
        ("store", "each-other", {"number": 99, **EACH_OTHER}),
        ("store", "the-least", {"number": 3, **every_pad(4, 1, 8), "most_ma": 100}),
        ("store", "the-most", {"number": 4, **every_pad(120, 119, 255), "most_ma": 6500}),
        ("here", "first", {"number": 1}),
        ("here", "last", {"number": 255}),
        ("restart", "chips", {"number": 128}),
    ]  # fmt: skip


def codec(chance: random.Random) -> list[tuple[str, bytes]]:
    """Return the names and bytes of messages that are difficult for the codec."""
    return [
        *((f"one-byte-{byte:02x}", bytes([byte])) for byte in (0x00, 0x01, 0x14, 0xFF)),
        ("zeros-2", bytes(2)),
        ("zeros-200", bytes(200)),
        ("zero-first", b"\0abc"),
        ("zero-last", b"abc\0"),
        ("zero-between", b"ab\0cd"),
        ("no-zero-200", bytes(range(1, 201))),
        ("ff-200", b"\xff" * 200),
        ("zero-at-199", b"\x55" * 199 + b"\0"),
        ("crc-with-zeros", crc_with_zeros(chance)),
        *((f"by-chance-{size}", chance.randbytes(size)) for size in (2, 3, 7, 44, 126, 199, 200)),
        *(
            (f"sparse-{size}", bytes(chance.choices((0, 9), (3, 1), k=size)))
            for size in (16, 83, 200)
        ),
    ]


def crc_with_zeros(chance: random.Random) -> bytes:
    """Return a message whose CRC has at least two zero bytes, one of them at its end."""
    while True:
        message = chance.randbytes(6)
        check = with_checksum(message)[6:]
        if check[3] == 0 and check.count(0) >= 2:
            return message


def bad(chance: random.Random) -> list[tuple[str, bytes]]:
    """Return the names and bytes of frames that a receiver must drop."""
    here = b"\x14\x07"
    good = frame(here)
    check = zlib.crc32(here)
    long = frame(bytes(chance.randrange(16, 240) for _ in range(90)))
    flips = [
        bytes([*long[:at], long[at] ^ 1 << bit, *long[at + 1 :]])
        for at, bit in ((1, 0), (45, 3), (90, 2))
    ]
    return [
        ("lone-code", b"\x01\0"),
        ("empty-message", frame(b"")),
        ("shorter-than-a-crc", cobs(here) + b"\0"),
        ("only-three-of-four", cobs(with_checksum(here)[:-1]) + b"\0"),
        ("cut-in-a-run", good[:-2] + b"\0"),
        ("code-past-the-end", bytes([good[0] + 1]) + good[1:]),
        ("code-short-of-the-end", bytes([good[0] - 1]) + good[1:]),
        ("wrong-crc", cobs(here + bytes(4)) + b"\0"),
        ("crc-most-byte-first", cobs(here + check.to_bytes(4, "big")) + b"\0"),
        ("without-final-xor", cobs(here + (check ^ 0xFFFFFFFF).to_bytes(4, "little")) + b"\0"),
        ("a-byte-too-many", cobs(with_checksum(here) + b"\x01") + b"\0"),
        ("another-zero-at-the-end", cobs(with_checksum(here) + b"\0") + b"\0"),
        *((f"flip-{index}", flipped) for index, flipped in enumerate(flips)),
        ("message-of-201", frame(b"\x55" * 201)),
        ("message-of-201-zeros", frame(bytes(201))),
        ("run-of-254", frame(b"\x55" * 250)),
        ("run-of-254-and-more", frame(b"\x55" * 300)),
        ("code-ff-and-little", b"\xff\x14\x07\0"),
        ("two-thousand-bytes", b"\x55" * 2000 + b"\0"),
    ]


def streams(chance: random.Random) -> list[tuple[str, bytes, list[bytes], int]]:
    """Return test streams. Each has a name, its bytes, the messages in it, and the number of frames
    that a receiver drops."""
    one, two = b"\x14\x01", b"\x12\x02\x01"
    first, second = frame(one), frame(two)
    noise = bytes(chance.randrange(1, 256) for _ in range(40))
    return [
        ("two-frames", first + second, [one, two], 0),
        ("zeros-before-and-between", bytes(3) + first + bytes(2) + second + b"\0", [one, two], 0),
        ("tail-of-another", second[3:] + first, [one], 1),
        ("noise-before", noise + b"\0" + first, [one], 1),
        ("noise-that-eats-one", noise + first + second, [two], 1),
        ("zero-lost-between", first[:-1] + second + first, [one], 1),
        ("too-long-then-good", b"\x01" * 300 + b"\0" + first, [one], 1),
        ("bad-good-bad-good", b"\x05\0" + first + b"\x02\x14\0" + second, [one, two], 2),
        ("unfinished", first + second[:-1], [one], 0),
    ]


def no_commands() -> list[tuple[str, bytes]]:
    """Return the names and bytes of messages that the controller must drop."""
    two = message("lights", lights(5, 1 << 24 | 1 << 25, [0x102030] * 6))
    nothing = message("lights", lights(5, 0, []))
    store = message("store", {"number": 5, **DEFAULTS})
    return [
        ("unknown-type", b"\x16\x05"),
        ("type-0", b"\0\x05"),
        ("type-only", b"\x14"),
        ("here-too-long", b"\x14\x05\0"),
        ("restart-too-long", b"\x15\x05\0"),
        ("ask-too-short", b"\x12\x05"),
        ("ask-too-long", b"\x12\x05\x01\0"),
        ("ask-for-0", b"\x12\x05\0"),
        ("ask-for-4", b"\x12\x05\x04"),
        ("lights-too-short", two[:-1]),
        ("lights-too-long", two + b"\0"),
        ("lights-short-of-its-places", nothing[:-1]),
        ("lights-with-number-alone", nothing[:2]),
        *(
            (
                f"lights-of-place-{place}-and-{len(rest)}",
                nothing[:2] + (1 << place).to_bytes(4, "little") + rest,
            )
            for place in (27, 28, 29)
            for rest in (b"", bytes(6), bytes(12))
        ),
        ("lights-of-all-places", message("lights", lights(5, (1 << 27) - 1, [0] * 104))[:200]),
        ("store-too-short", store[:-1]),
        ("store-too-long", store + b"\0"),
        ("here-number-0", b"\x14\0"),
        ("lights-number-0", two[:1] + b"\0" + two[2:]),
        ("its-own-state", message("state", STATE)),
    ]


def no_reports() -> list[tuple[str, bytes]]:
    """Return the names and bytes of messages that the Pi must drop."""
    hello, nothing = message("hello", HELLO), message("state", STATE)
    touched = {**STATE, "touched": 1 << 12}
    no_pad, unread = {**STATE, "noisy": 1 << 31}, {**STATE, "deaf": 2, "noisy": 3}
    counted = {**STATE, "counters": [0] * 12 + [1] + [0] * 14}
    return [
        ("unknown-type", b"\x05\x05"),
        ("a-command", b"\x14\x05"),
        ("hello-too-short", hello[:-1]),
        ("hello-too-long", hello + b"\0"),
        ("state-too-short", nothing[:-1]),
        ("state-too-long", nothing + b"\0"),
        ("state-touched-uncounted", message("state", touched)),
        ("state-counted-untouched", message("state", counted)),
        ("state-perhaps-without-a-place", message("state", {**STATE, "perhaps": 1 << 27})),
        ("state-perhaps-and-touched", message("state", state({7: 1}, perhaps=1 << 7))),
        ("state-perhaps-and-deaf", message("state", {**STATE, "deaf": 2, "perhaps": 2})),
        ("state-noisy-without-a-pad", message("state", no_pad)),
        ("state-noisy-and-deaf", message("state", unread)),
        ("raw-too-short", bytes([0x03, 1]) + bytes(123)),
        ("settings-too-short", bytes([0x04, 1, 0]) + bytes(94)),
    ]


def as_text(value: int | list[int], in_hex: int) -> str:
    if isinstance(value, list):
        return ",".join(as_text(item, in_hex) for item in value)
    return f"0x{value:0{in_hex}x}" if in_hex else str(value)


def main() -> None:
    chance = random.Random(5)
    in_hex = {
        "colours": 6,
        "places": 8,
        "touched": 7,
        "heavy": 7,
        "deaf": 7,
        "check": 4,
        "noisy": 8,
    }
    print(HEAD, end="")
    for name, data in codec(chance):
        print(f"frame {name} | {data.hex()} | {frame(data).hex()}")
    for name, data in bad(chance):
        print(f"bad {name} | {data.hex()}")
    for name, data, found, dropped in streams(chance):
        messages_in = ",".join(message.hex() for message in found)
        print(f"stream {name} | {data.hex()} | {messages_in} | {dropped}")
    for kind, name, fields in messages(chance):
        data = message(kind, fields)
        pairs = (
            f"{field}={as_text(value, in_hex.get(field, 0) if kind in ('state', 'lights') else 0)}"
            for field, value in fields.items()
        )
        print(f"{kind} {name} | {' '.join(pairs)} | {data.hex()} | {frame(data).hex()}")
    for kind, lines in (("no-command", no_commands()), ("no-report", no_reports())):
        for name, data in lines:
            print(f"{kind} {name} | {data.hex()} | {frame(data).hex()}")


if __name__ == "__main__":
    main()
