"""Findings of the doctor: a verdict, a sentence, and advice."""

import enum
from typing import Final

import msgspec

from pi_table.common.language import Lang, Say, Words, say, to_json, translate


class Verdict(enum.Enum):
    """The result of a check."""

    OK = "ok"
    LOOK = "look"
    """A person should check the part: it may work or not."""
    BROKEN = "broken"
    NOT_HERE = "not here"
    """The part is missing, but this table does not need it."""


class Finding(msgspec.Struct, frozen=True):
    """The result of one check: a line of the doctor's report."""

    what: str
    verdict: Verdict
    says: str
    do: str = ""
    """Advice as one or more sentences; empty if there is no advice."""
    rows: tuple[str, ...] = ()
    """Lines of text that are printed below the sentence."""
    figures: dict[str, object] = {}
    """The measured values as JSON values, for programs that read the report."""

    def text(self, lang: Lang = "en") -> str:
        """Return the finding as text for a reader: one line, then its rows."""
        verdict = translate(Say(self.verdict.value), lang)
        what = translate(Say(self.what), lang)
        says, do = translate(self.says, lang), translate(self.do, lang)
        line = f"{verdict:<9} {what:<12} {says} {do}".rstrip()
        return "\n".join((line, *(" " * 23 + translate(row, lang) for row in self.rows)))

    def json(self) -> str:
        """Return the finding for programs: one JSON object on one line."""
        said = {
            "what": self.what,
            "verdict": self.verdict.value,
            "says": self.says,
            "do": self.do,
            "figures": self.figures,
        }
        return to_json(said).decode()


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
    say("game"),
    say("heard"),
    say("journal"),
    say("knobs"),
    say("layout"),
    say("lights"),
    say("loudspeaker"),
    say("machine"),
    say("bus"),
    say("interrupt"),
    say("service"),
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
    say("string"),
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
"""All verdicts and subjects of findings. The translators' tool finds them in this list."""
