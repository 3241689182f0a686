"""What teams and roles are called, for whoever tells people of them."""

from typing import Final

from pi_table.language import Say, say
from pi_table.rules.codex.identikit import Role
from pi_table.rules.team import Team

TEAMS: Final[dict[Team, Say]] = {Team.RED: say("Red"), Team.BLUE: say("Blue")}
ROLES: Final[dict[Role, Say]] = {
    Role.HACKER: say("Hacker"),
    Role.INFILTRATOR: say("Infiltrator"),
    Role.INFORMER: say("Informer"),
    Role.INQUISITOR: say("Inquisitor"),
    Role.LEADER: say("Leader"),
    Role.PROFILER: say("Profiler"),
}
