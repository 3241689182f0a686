"""What the doctor says: a verdict on each thing, a sentence, and what to do."""

import enum
from typing import Final

import msgspec

from pi_table.common.language import Lang, Say, Words, in_english, say, written


class Verdict(enum.Enum):
    """How a thing is."""

    OK = "ok"
    LOOK = "look"
    """The thing works, or may work; somebody should have a look."""
    BROKEN = "broken"
    NOT_HERE = "not here"
    """The thing is not there, and what is set up here does not need it."""


class Finding(msgspec.Struct, frozen=True):
    """One line of the doctor's."""

    what: str
    verdict: Verdict
    says: str
    do: str = ""
    """What to do about the thing, as a sentence; empty if nothing."""
    rows: tuple[str, ...] = ()
    """More to read, as lines of text."""
    figures: dict[str, object] = {}
    """What was found, for programs, as JSON values."""

    def text(self, lang: Lang = "en") -> str:
        """The finding for people: a line, and its rows below that."""
        verdict = written(Say(self.verdict.value), lang)
        what = written(Say(self.what), lang)
        says, do = written(self.says, lang), written(self.do, lang)
        line = f"{verdict:<9} {what:<12} {says} {do}".rstrip()
        return "\n".join((line, *(" " * 23 + written(row, lang) for row in self.rows)))

    def json(self) -> str:
        """The finding for programs: one JSON object, on one line."""
        said = {
            "what": self.what,
            "verdict": self.verdict.value,
            "says": self.says,
            "do": self.do,
            "figures": self.figures,
        }
        return msgspec.json.encode(said, enc_hook=in_english).decode()


NAMES: Final[tuple[Words, ...]] = (
    say("ok"),
    say("look"),
    say("broken"),
    say("not here"),
    say("backlight"),
    say("board"),
    say("boot loader"),
    say("calibration"),
    say("case"),
    say("chips"),
    say("clock"),
    say("closed"),
    say("colours"),
    say("config"),
    say("controller"),
    say("corners"),
    say("disk"),
    say("drivers"),
    say("electrodes"),
    say("firmware"),
    say("game"),
    say("heard"),
    say("journal"),
    say("knobs"),
    say("lights"),
    say("loudspeaker"),
    say("machine"),
    say("order"),
    say("overlay"),
    say("pages"),
    say("parts"),
    say("pins"),
    say("port"),
    say("power"),
    say("restored"),
    say("rim"),
    say("screen"),
    say("settings"),
    say("sockets"),
    say("sound"),
    say("start"),
    say("supply"),
    say("temperature"),
    say("updates"),
    say("usb"),
    say("versions"),
    say("voice"),
    say("wi-fi"),
    say("light device"),
    say("hidden screen"),
    say("light of the guess"),
)
"""The verdicts, and what findings are about, so that they are translated."""
