"""Functions that make lines of scenarios for clips and walks; `scenario` reads these lines."""

from typing import Any, Final

Line = dict[str, Any]

KEY: Final = "rbnrbrnbrnbrabrnrbrnbnrbn"
"""A key with identities of each kind in every corner of the table."""
ALIAS_KEY: Final = "rbnrbrnbrnbr-brnrbrabnrbn"


def game(profile: str = "codenames", key: str | None = KEY, **options: Any) -> Line:
    return {"game": {"profile": profile, "options": options, "words": None, "key": key}}


def act(at: float, seat: str, name: str, **fields: Any) -> Line:
    return {"at": at, "act": {"seat": seat, "act": name, **fields}}


def clue(at: float, team: str = "red", number: int | str = 3) -> Line:
    return act(at, f"{team}-spymaster", "clue", number=number)


def hold(at: float, place: str, seconds: float = 0.5) -> tuple[Line, Line]:
    return {"at": at, "touch": place}, {"at": at + seconds, "release": place}


def guess(at: float, cell: str, team: str = "red") -> Line:
    return act(at, f"{team}-operatives", "guess", cell=cell)


def tick(at: float) -> Line:
    """Return a line that only advances the time."""
    return {"at": at, "act": {"act": "tick"}}
