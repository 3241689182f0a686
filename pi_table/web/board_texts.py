"""What the board says that everybody sees."""

from typing import Final

from pi_table.language import Say, say, say_many

_WORD_GAMES: Final = {
    "no-game": say("No game has begun: choose one on the hidden screen."),
    "paused": say("A pause"),
    "lays-word": say("{team} lays {word}: touch an empty cell"),
    "lays": say("{team} lays a card: touch its cell"),
    "awaits-clue": say("{team} waits for its clue"),
    "guesses": say("{team} guesses"),
    "may-cover": say("{team} may cover a cell"),
    "covers": say("{team} covers one of {other}"),
    "challenged": say("{team}’s clue is challenged: the other spymaster judges"),
    "guesses-left": say_many("{count} guess left", "{count} guesses left", 2),
    "guesses-unlimited": say("Guesses without limit"),
    "agents-left": say_many("{count} agent to find", "{count} agents to find", 2),
    "assets-left": say_many("{count} asset left", "{count} assets left", 2),
    "clue": say("Clue"),
    "clue-told": say("Clue: {word}, {number}"),
    "hand": say("Hand of {team}"),
    "nuke-armed": say("The nuke is armed"),
    "nuke-safe": say("The nuke is not armed yet"),
    "turn-of": say("It is {team}’s turn"),
}
_CODEX: Final = {
    "codex-to-screen": say("{agent}, to the hidden screen"),
    "codex-to-phones": say("To your phones: {agents}"),
    "codex-discuss": say("Talk, and lie if you like"),
    "codex-votes": say("{agent} votes: touch an agent"),
    "codex-machine": say("{agent} is at the truth machine"),
    "codex-then": say("Then: {agents}"),
    "codex-roles": say("Roles in play: {one}, {two}, {three}"),
    "codex-awaited": say("The time starts when they are there."),
    "codex-added": say("The visit lasts longer: a message is missing."),
    "codex-votes-from": say("Votes from {agents}"),
    "codex-at-screen": say("at the hidden screen"),
    "codex-on-phone": say("visits on a phone"),
    "codex-has-phone": say("has a phone"),
    "codex-voting": say("votes now"),
    "codex-belongs": say("plays for {team}"),
}
_CELLS: Final = {
    "cell": say("{place}: {word}"),
    "cell-covered": say("{place}: {word}, covered: {what}"),
    "cell-known": say("{place}: {word}, was {what}"),
    "cell-shown": say("{place}: {word}, taken back, was seen: {what}"),
    "cell-marked": say("{cell}, marked by {team}"),
    "cell-empty": say("{place}: no card yet"),
    "cell-card": say("{place}: a card"),
    "cell-card-covered": say("{place}: covered: {what}"),
    "cell-card-known": say("{place}: was {what}"),
    "cell-card-shown": say("{place}: taken back, was seen: {what}"),
    "legend": say("What is what"),
    "grid": say("The 25 cells of the table"),
    "row": say("Row {row}"),
}
_TIMES: Final = {
    "time-hourglass": say("Hourglass"),
    "time-clock": say("Clock"),
    "time-visit": say("Visit"),
    "time-discussion": say("Discussion"),
    "time-stands": say("stands still"),
    "time-left": say("{time} left"),
}
_ENDS: Final = {
    "group-wins": say("The group wins"),
    "score": say("{score} of 8"),
    "why-agents": say("all agents are found"),
    "why-assassin": say("the assassin was found"),
    "why-absent-team": say("the absent team’s agents are all found"),
    "why-assets": say("all assets are eliminated"),
    "why-nuke": say("the nuke was hit"),
    "why-code": say("the code was found"),
    "why-stopped": say("it was ended"),
    "key-open": say("Whose each card was"),
    "codex-open": say("Who everybody was"),
}
_AROUND: Final = {
    "scan-to-watch": say("Scan to watch"),
    "qr": say("QR code of this page: {address}"),
    "join-wifi": say("On the Wi-Fi of this place."),
    "invite": say("Would you like to play?"),
    "invite-how": say("Touch the table to begin."),
    "still-playing": say("Still playing?"),
    "touch-to-go-on": say("Touch or press to go on."),
    "game-waits": say("A game is waiting"),
    "out-of-order": say("Out of order"),
    "out-of-order-more": say("The table cannot be played at just now. The staff knows more."),
    "in-service": say("The table is in service"),
    "in-service-more": say("Its parts are being tried; nobody can play meanwhile."),
    "games": say("Games"),
    "how-to-play": say("How to play"),
    "how-page": say("Page {page} of {pages}"),
    "form-basic": say("Basic nuke"),
    "form-mad": say("Mutual destruction"),
    "form-teams": say("Two teams"),
    "form-cooperative": say("One group"),
    "form-shared-operative": say("Three players"),
    "full-screen": say("Full screen"),
}

BOARD: Final[dict[str, Say]] = {
    **_WORD_GAMES,
    **_CODEX,
    **_CELLS,
    **_TIMES,
    **_ENDS,
    **_AROUND,
}
"""By name."""
