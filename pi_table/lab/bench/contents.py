"""The list of all measurements that `pi-table bench` can make."""

from fnmatch import fnmatchcase
from typing import Final

import msgspec


class Subject(msgspec.Struct, frozen=True):
    """A line of the list of measurements, about one or several similar ones."""

    names: str
    """Name of the measurement. A ``*`` in it stands for any text."""
    what: str
    unit: str
    goal: str = ""
    """Target value on the hardware of a table; empty if there is no target."""


CONTENTS: Final = (
    Subject("rules/peer/games_per_s", "full random games of the packaged peer, one core", "1/s"),
    Subject("rules/*/games_per_s", "full random games by our rules, one core", "1/s"),
    Subject("rules/*/times_peer", "ours to the peer's, both in its Python", "times", "≥ 9"),
    Subject("rules/*/times_peer_elsewhere", "the same, each in its own Python", "times"),
    Subject("rules/*/instructions", "instructions of a full random game by our rules", "thousands"),
    Subject(
        "rules/*/times_peer_in_instructions",
        "the peer's instructions for an act to ours, both in its Python",
        "times",
        "≥ 10",
    ),
    Subject("table/commit", "storing a guess on a real disk, and no more", "ms"),
    Subject(
        "table/guess_to_light",
        "a touch that is a guess, until the lights tell that it is stored",
        "ms",
        "≤ 2, p99 ≤ 5",
    ),
    Subject("table/stamps/seen", "the same, where the table notes the time of each step", "ms"),
    Subject("table/stamps/*", "a touch, until this step of its guess is done", "ms"),
    Subject(
        "table/first_guess_to_light",
        "the same, for the first guess after a start",
        "ms",
        "as the others",
    ),
    Subject(
        "table/guess_to_light_among_records",
        "the same, while the hidden screen asks for the record, 1,000 times in all",
        "ms",
        "p99 ≤ 5",
    ),
    Subject(
        "table/guess_to_light_while_checking",
        "the same, while a desk has a backup looked through that takes as long as it can",
        "ms",
        "≤ 2, p99 ≤ 5",
    ),
    Subject(
        "table/guess_to_light_with_phones",
        "a guess until its light, with a phone for every seat and 28 forged frames a beat",
        "ms",
        "≤ 2, p99 ≤ 5",
    ),
    Subject("table/rest_pss", "memory of the engine in mid-game", "MiB", "≤ 30"),
    Subject("table/rest_cpu", "the engine's share of a core in mid-game", "% of a core", "≤ 1"),
    Subject("table/phones_pss", "memory of the engine with four phones", "MiB"),
    Subject("table/phones_cpu", "its share of a core with four phones", "% of a core"),
    Subject("table/ready_s", "start of the engine, with 10,000 events stored", "s", "≤ 0.5"),
    Subject(
        "link/touch_to_glow",
        "a finger on the emulated chip, until the first glow on its pin",
        "ms",
        "≤ 15, p99.9 ≤ 50",
    ),
    Subject(
        "link/hold_end_to_reveal",
        "the end of a hold, until the lights tell that the guess is stored",
        "ms",
        "p99 ≤ 20",
    ),
    Subject(
        "link/pi/touch_to_glow",
        "the same, with the controller on the Pi itself and simulated chips",
        "ms",
        "≤ 10",
    ),
    Subject(
        "link/pi/hold_end_to_reveal",
        "the end of a hold there, until the lights tell that the guess is stored",
        "ms",
    ),
    Subject("link/pi/core/*", "what that controller takes of a core", "%", "≤ 1 at rest"),
    Subject("link/pi/bus/*/*", "how long its I²C bus is busy, at this speed", "%"),
    Subject(
        "link/whole_table_frames/*",
        "frames over the whole table that reach the pin, of so many a second that are wanted",
        "frames/s",
    ),
    Subject("link/recovery/*", "a fault of the controller, until fingers are felt again", "ms"),
    Subject("link/bit_worst_ns", "the worst bit of the lights' signal off its time", "ns", "≤ 150"),
    Subject("link/off_worst_us", "the longest time with interrupts off", "µs", "≤ 60"),
    Subject("link/gap_worst_us", "the longest gap within a frame of the lights", "µs"),
    Subject("link/overruns", "bytes lost on their way to the controller", "bytes", "0"),
    Subject("link/current_worst_ma", "the most that the lights drew", "mA"),
    Subject("link/flash", "the firmware's size", "bytes"),
    Subject("link/ram", "the firmware's memory before the stack", "bytes"),
    Subject(
        "stalls/*/lifted_fingers_that_guessed",
        "fingers lifted in time while the table stood still, and taken for a guess",
        "of the tries",
        "0",
    ),
    Subject("stalls/*/held_fingers_that_guessed", "fingers held to the end", "of the tries"),
    Subject(
        "wear/*/evening",
        "what twelve games in virtual time write to the card, with the file system's own writes",
        "MB",
    ),
    Subject("wear/*/year", "the same, for 300 evenings", "GB"),
    Subject("lights/usual_frame", "composing a frame of the scene that costs the median", "µs"),
    Subject("lights/core", "composing the dearest scene, 50 frames a second", "% of a core", "≤ 5"),
    Subject("lights/core_of_1000_leds", "the same, if there were 1,000 LEDs", "% of a core"),
    Subject("web/*_viewers/admitted", "viewers of so many that the pages admit", "viewers"),
    Subject(
        "web/*_viewers/news_to_viewer",
        "an act on the public socket, until each viewer of the pages has it",
        "ms",
        "p99 ≤ 100",
    ),
    Subject("web/*_viewers/news_cpu", "what serves the pages, for an act and a viewer", "µs"),
    Subject("web/*_viewers/pss", "memory of what serves the pages", "MiB", "≤ 60"),
    Subject(
        "web/*_viewers/rest_cpu",
        "its share of a core while nothing happens",
        "% of a core",
        "≤ 1",
    ),
    Subject(
        "web/guess_to_light",
        "a touch that is a guess, while 200 viewers come and go and one floods; pages and viewers "
        "have one core",
        "ms",
        "p99 ≤ 5",
    ),
    Subject(
        "web/guess_to_light_crammed",
        "the same, where the viewers' own programs have every core of the table, too",
        "ms",
    ),
    Subject(
        "siege/other_guest_waits",
        "another guest for the board, while eight addresses with 64 connections each ask for "
        "everything that the pages have",
        "ms",
        "p99 ≤ 1,000",
    ),
    Subject("siege/watchdog_gap", "the longest time without a word to systemd", "s", "≤ 10"),
    Subject("siege/open_files", "files that the pages had open at most", "files", "≤ 576"),
    Subject("siege/log", "what the pages wrote into the log", "lines", "≤ 10"),
    Subject("siege/pss", "memory of the pages at the end", "MiB", "≤ 160"),
    Subject("siege/boards_that_stay", "boards at a hostile address, open before", "of 20", "20"),
    Subject("siege/phones_that_stay", "phones at a hostile address, open before", "of 6", "6"),
    Subject("siege/guess_to_light", "a touch that is a guess meanwhile", "ms", "p99 ≤ 5"),
    Subject("bridge/pss", "memory of a bridge that is connected", "MiB", "≤ 30"),
    Subject("bridge/rest_cpu", "its share of a core while nothing happens", "% of a core", "≤ 1"),
    Subject("bridge/growth_by_messages", "memory that 10,000 messages add", "MiB", "≤ 0.5"),
    Subject("bridge/growth_by_reconnects", "memory that an hour's reconnects add", "MiB", "≤ 0.5"),
    Subject(
        "bridge/guess_to_light_*",
        "a touch that is a guess: without a bridge; with its broker there, away, or sending 10,000 "
        "commands a second",
        "ms",
        "≤ 2, p99 ≤ 5",
    ),
    Subject(
        "packs/*_words/save", "storing an uploaded pack of so many words, with its check", "ms"
    ),
    Subject("packs/*_words/ready_s", "start of the engine, with the pack on its shelf", "s"),
    Subject("packs/*_words/first_game", "the first request for a game, until it has begun", "ms"),
    Subject("packs/*_words/later_game", "every later request", "ms"),
    Subject("packs/*_words/game_with_blanks", "the same, with two words of guests", "ms"),
    Subject("packs/*_words/pss", "memory of the engine after these games", "MiB"),
    Subject("journal/*/store", "storing a game, with so many stored; all its events at once", "µs"),
    Subject("journal/*/ready", "start of the engine then", "s", "≤ 0.5"),
    Subject("journal/*/record", "`pi-table record`, and its peak memory", "s"),
    Subject("journal/*/check", "`pi-table journal check`, and its peak memory", "s"),
    Subject("collector/*/keep_one", "storing a game, with a million stored", "µs"),
    Subject("collector/*/keep_batch", "the same in batches of 100", "µs"),
    Subject("collector/*/month", "a report on a month, and its peak memory", "s", "peak ≤ 60 MiB"),
    Subject(
        "collector/*/report", "a report on everything, and its peak memory", "s", "peak ≤ 60 MiB"
    ),
    Subject("clue/*/load", "reading a language's dictionaries", "ms"),
    Subject("clue/*/first_of_a_game", "the referee's first opinion in a game", "ms"),
    Subject("clue/*/warm", "every later opinion", "ms"),
    Subject("clue/*/pss", "memory that a language's referee takes", "MiB"),
    Subject(
        "small/rest/*",
        "what a program does in mid-game while nothing happens, as on a Pi Zero 2 W",
        "instructions/s",
        "≤ 5 % of a core",
    ),
    Subject("small/guess", "the engine there, from a touch to its light", "instructions"),
    Subject("small/guess_in_all", "the engine in the seconds around a guess", "instructions"),
    Subject("small/console_frame", "a picture of the key, drawn and painted", "instructions"),
    Subject("small/board_update", "the pages' program, for a guess and one viewer", "instructions"),
    Subject("small/board_update_once", "its part for any number of viewers", "instructions"),
    Subject("small/board_update_each_viewer", "its part for each viewer", "instructions"),
    Subject("small/ready/*", "the start of a program until it is ready", "instructions"),
    Subject("screen/*/first", "the first picture of all, its type still to be cut", "ms"),
    Subject("screen/*/full", "a picture of the key in mid-game, drawn and painted", "ms", "≤ 8"),
    Subject(
        "screen/*/clock_ticks", "a look at a running clock that shows the same as before", "ms"
    ),
    Subject("screen/*/unchanged", "a look at a screen that cannot have changed", "ms", "≤ 0.5"),
    Subject("screen/import", "importing the console's compiled modules", "s of a core"),
    Subject(
        "screen/start_to_first_frame",
        "start of the console, until its first picture in mid-game is painted",
        "s",
    ),
    Subject("screen/start_cpu", "the same, its processor time alone", "s of a core"),
    Subject("screen/rest_pss", "memory of the console in mid-game", "MiB", "≤ 60"),
    Subject("screen/rest_cpu", "the console's share of a core in mid-game", "% of a core", "≤ 1"),
)


def subject_of(name: str) -> Subject | None:
    return next((each for each in CONTENTS if fnmatchcase(name, each.names)), None)


def table(groups: tuple[str, ...]) -> str:
    rows = [("name", "what", "unit", "goal")]
    for each in CONTENTS:
        if each.names.startswith(tuple(f"{group}/" for group in groups)):
            rows.append((each.names, each.what, each.unit, each.goal))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
    return "\n".join(lines)
