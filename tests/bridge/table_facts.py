"""Complete facts of a table as a bridge may know them, for tests of its payloads."""

from house_table import HOUSE, said
from msgspec.structs import replace

from pi_table.fleet.bridge.facts import Facts, LinkHealth, MachineHealth
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.views import ClueView, LeftView, PublicView
from pi_table.protocols.ipc.house import Latest
from pi_table.protocols.ipc.messages import PublicMessage

VIEW = PublicView(
    profile="codenames",
    phase=Phase.GUESS,
    turn=Team.RED,
    clue=ClueView("flight", 3),
    guesses_left=4,
    left=LeftView(5, 6),
    cells={},
    outcome=None,
    starts=Team.RED,
    timer=None,
    paused=False,
    guesses=0,
    shown={},
    corrections=0,
    new_keys=0,
)
PLAYED = PublicMessage(VIEW, out_of_order=False, said=(said(41), said(42)))
FARES = replace(HOUSE, counts={"link_lost": 2, "chip_restarts": 1}, latest=Latest(17, "0" * 32, 9))
MACHINE = MachineHealth(
    uptime=86400, temperature=51.3, throttled=False, disk_free=11_264_000_000, disk_wear=3
)
WHOLE = Facts(
    at=1_795_550_400.25,
    public=PLAYED,
    house=FARES,
    games=17,
    machine=MACHINE,
    link=LinkHealth(
        taken_over=7, certificate_ends=1_827_086_400.0, own_certificate_ends=4_000_000_000.0
    ),
    connected=True,
    queued=2,
    dropped=1,
    published=900,
    heard=5,
    refused=4,
)
"""A table that is played, and of which everything is known."""
