"""The texts of every page: names of the game and of places, and reasons why a page cannot reach its
table."""

from typing import Final

from pi_table.common.language import Say, say, say_many
from pi_table.games.rules.profile import PROFILES

COMMON: Final[dict[str, Say]] = {
    "red": say("Red"),
    "blue": say("Blue"),
    "identity-red": say("agent of Red"),
    "identity-blue": say("agent of Blue"),
    "identity-bystander": say("bystander"),
    "identity-assassin": say("assassin"),
    "identity-decoy": say("decoy"),
    "identity-nuke": say("nuke"),
    "asset-red": say("asset of Red"),
    "asset-blue": say("asset of Blue"),
    "role-hacker": say("Hacker"),
    "role-infiltrator": say("Infiltrator"),
    "role-informer": say("Informer"),
    "role-inquisitor": say("Inquisitor"),
    "role-leader": say("Leader"),
    "role-profiler": say("Profiler"),
    "fact-faction": say("Faction"),
    "fact-role": say("Role"),
    "fact-position": say("Position"),
    "fact-fragment": say("Fragment"),
    "position": say("position {position}"),
    "unlimited": say("unlimited"),
    "nuke-basic": say("hit and lose"),
    "armed": say("ARMED"),
    "not-armed": say("not armed"),
    "agents": say("The six agents"),
    "phase": say("Phase {number}"),
    "step-send": say("Messages"),
    "step-act": say("Powers and codes"),
    "step-discuss": say("Discussion"),
    "step-vote": say("Vote"),
    "step-machine": say("Truth machine"),
    "votes-for": say_many("{count} vote", "{count} votes", 2),
    "time-up": say("Time is up"),
    "wins": say("{team} wins"),
    "nobody-wins": say("Nobody wins"),
    "both-lose": say("Both teams lose"),
    "group-loses": say("The group loses"),
    **{f"profile-{profile.id}": Say(profile.title) for profile in PROFILES.values()},
    "language": say("Language"),
    "close": say("Close"),
    "back": say("Back"),
    "next": say("Next"),
    "cancel": say("Cancel"),
    "connecting": say("Looking for the table …"),
    "server-away": say("No connection. What you see may be old; it comes back by itself."),
    "table-away": say(
        "The table cannot be reached. What you see may be old; it comes back by itself."
    ),
}
