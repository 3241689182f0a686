"""Whole games as text: read, replayed, and written again.

In a game's text a line that begins with ``{`` goes to ``pi-table play``; the first is the game, the
others are acts. The word ``views`` on a line of its own asks what every seat sees. What came of
either stands below it, indented by four spaces; and below that, after ``says``, what is announced
to everybody: so many seconds later, and in brackets where it is never spoken aloud. All other lines
are for the reader.

``PYTHONPATH=tests python tests/games/transcript.py`` plays all the games and writes what came of
them into the texts, and each sentence that is announced into
``tests/announcer/in-both-languages.txt``; look at the differences before you keep them.
"""

from pathlib import Path

from codex_transcript import CodexTable
from replaying import Table
from word_transcript import WordTable

from pi_table.common.language import LANGUAGES, Say, Words, translate
from pi_table.games.announcer.announcement import Announcement

FOLDER = Path(__file__).parent
BOTH_LANGUAGES = FOLDER.parent / "announcer/in-both-languages.txt"
INDENT = "    "


def texts(*, codex: bool) -> dict[str, str]:
    """The games by their names: those of Codex, or all others."""
    paths = sorted(path for path in FOLDER.glob("*.txt") if _is_codex(path.stem) is codex)
    return {path.stem: path.read_text("utf-8") for path in paths}


def _is_codex(name: str) -> bool:
    return name.startswith("codex-")


def table_for(text: str) -> Table:
    """A table for the game of this text."""
    return CodexTable() if '"profile": "codex"' in acts_of(text)[0] else WordTable()


def rewritten(text: str) -> str:
    """The same text, with what came of each line when it was played now."""
    table = table_for(text)
    lines = []
    for line in text.splitlines():
        if line.startswith(INDENT):
            continue
        lines.append(line)
        if line.startswith("{"):
            lines.append(INDENT + table.came(line))
            lines += [f"{INDENT}says  {spoken(each)}" for each in table.said]
        elif line == "views":
            lines += [(INDENT + seen).rstrip() for seen in table.views()]
    return "\n".join(lines) + "\n"


def spoken(said: Announcement) -> str:
    """An announcement in English, as it stands in the texts."""
    words = translate(said.words, "en")
    later = f"{said.after:g} s later: " if said.after else ""
    return f"{later}{words}" if said.spoken else f"({later}{words})"


def acts_of(text: str) -> list[str]:
    """The lines that are played, the game first."""
    return [line for line in text.splitlines() if line.startswith("{")]


def in_both_languages() -> str:
    """Each sentence that is announced in any of the games, once, as English and Italian."""
    found: dict[str, str] = {}
    for text in (texts(codex=False) | texts(codex=True)).values():
        table = table_for(text)
        for line in acts_of(text):
            table.came(line)
            for said in table.said:
                lines = (translate(said.words, lang) for lang in LANGUAGES)
                found.setdefault(f"{said.what.value}: {_sentence(said.words)}", "\n".join(lines))
    kinds = sorted(found, key=lambda name: (name.partition(":")[0], name))
    return "\n".join(f"{name.partition(':')[0]}\n{found[name]}\n" for name in kinds)


def _sentence(words: Words) -> str:
    """Return the key of a sentence, which is independent of its teams, words and agents."""
    if not isinstance(words, Say):
        return ""
    within = [_sentence(text) for name, text in words.fields if name in ("why", "what")]
    return " ".join([words.msgid, *within])


if __name__ == "__main__":
    for name, text in (texts(codex=False) | texts(codex=True)).items():
        (FOLDER / f"{name}.txt").write_text(rewritten(text), "utf-8")
    BOTH_LANGUAGES.write_text(in_both_languages(), "utf-8")
