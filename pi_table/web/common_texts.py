"""What every page may say: names of the game, of places and of what keeps a page from its table."""

from typing import Final

from pi_table.language import Say, say, say_many
from pi_table.rules.profile import PROFILES

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
    "unlimited": say("unlimited"),
    **{f"profile-{profile.id}": Say(profile.title) for profile in PROFILES.values()},
    "language": say("Language"),
    "close": say("Close"),
    "back": say("Back"),
    "next": say("Next"),
    "cancel": say("Cancel"),
    "connecting": say("Looking for the table …"),
    "server-away": say("No connection. What you see may be old; it comes back by itself."),
    "table-away": say("The table is away. What you see may be old; it comes back by itself."),
    "seconds": say_many("{count} second", "{count} seconds", 2),
    "needs-script": say("This page needs JavaScript."),
}
