"""Which language somebody at a terminal reads, by what the system's environment says.

The order is that of gettext, which `argparse` asks for its own words: `speak_to_the_reader` shows
it the catalogues of this package. Every command imports this module, which imports nothing that
takes time.
"""

import gettext
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

Lang = Literal["en", "it"]
DOMAIN: Final = "pi_table"
"""What the catalogues are called."""
CATALOGUES: Final = Path(__file__).parent / "locales"
VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""The variables that name a language, the first that is set being the one that holds."""


def language_of(environment: Mapping[str, str]) -> Lang | None:
    """The first language of the environment that the table speaks; None if it speaks none of them,
    or the environment names none, as in C and POSIX."""
    named = next((value for name in VARIABLES if (value := environment.get(name))), "")
    for each in named.split(":"):
        match each.partition(".")[0].partition("_")[0].lower():
            case "it":
                return "it"
            case "en":
                return "en"
    return None


def readers_language(configured: Lang | None = None) -> Lang:
    """The language to write to the terminal in: the environment's, or else the ``configured`` one,
    or else English."""
    return language_of(os.environ) or configured or "en"


def speak_to_the_reader() -> None:
    """Let `gettext.gettext`, by which argparse and the command line have their words, answer in the
    reader's language."""
    gettext.bindtextdomain(DOMAIN, CATALOGUES)
    gettext.textdomain(DOMAIN if readers_language() != "en" else "messages")
