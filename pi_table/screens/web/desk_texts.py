"""The texts of the operator's desk."""

from typing import Final

from pi_table.common.language import Say, say, say_many

DESK: Final[dict[str, Say]] = {
    "desk-title": say("The operator’s desk"),
    "desk-sections": say("Sections"),
    "desk-away": say(
        "The table cannot be reached. What you asked for is sent again when it is back."
    ),
    "desk-lock": say("Lock"),
    "desk-locks-in": say_many(
        "locks itself in {count} minute", "locks itself in {count} minutes", 2
    ),
    "desk-no-link": say("There is no way in from here"),
    "desk-no-link-help": say(
        "This link has ended, or it belongs to another device. Whoever has the PIN gets a new "
        "one on the operator’s page: scan its QR code. A table without that page writes one "
        "to its card when it is switched on."
    ),
    "desk-pin": say("Enter the PIN"),
    "desk-pin-label": say("The operator’s PIN"),
    "desk-pin-help": say(
        "Five wrong PINs in a row end this link. If nobody uses it, the desk locks itself after "
        "a quarter of an hour."
    ),
    "desk-no-pin": say(
        "No PIN is set, and the desk needs one: set it on the operator’s page, or in the "
        "settings on the card."
    ),
    "desk-open": say("Open the desk"),
    "desk-play": say("Play"),
    "desk-next-game": say("The next game"),
    "desk-game-language": say("Language of the game"),
    "desk-cards": say("Cards"),
    "desk-cards-own": say("Our own cards"),
    "desk-cards-dealt": say("Words from a pack"),
    "desk-words": say("Words"),
    "desk-words-usual": say("the usual ones"),
    "desk-explain": say("Explain the game: somebody plays for the first time"),
    "desk-start": say("Start the game"),
    "desk-again": say("Once more"),
    "desk-again-phones": say("Once more, with the same phones"),
    "desk-again-swapped": say("Rematch, sides swapped"),
    "desk-seats": say("Seats"),
    "desk-seats-help": say(
        "Give each player with secrets a code for a phone. A new code ends the one before it."
    ),
    "desk-seat-code": say("Show a code"),
    "desk-seat-end": say("Disconnect this phone"),
    "desk-seat-end-sure": say("Disconnect this phone? It shows nothing secret any more."),
    "desk-seat-none": say("no phone"),
    "desk-seat-waiting": say("not scanned yet"),
    "desk-seat-asked": say("has to confirm"),
    "desk-seat-here": say("here"),
    "desk-seat-away": say("away"),
    "desk-seat-tried": say("Another phone has tried this link."),
    "desk-code-help": say(
        "Scan this with the phone that will have the seat. The first phone to open it gets the "
        "seat, so let nobody else see it. The code ends after a minute."
    ),
    "desk-code-alt": say("The seat’s QR code"),
    "desk-code-here": say("Take the seat on this device"),
    "desk-code-close": say("Close"),
    "desk-do-ready": say("Do not wait any longer"),
    "desk-do-hourglass": say("Turn the hourglass"),
    "desk-do-vote": say("End the discussion"),
    "desk-do-correct": say("Take the latest guess back"),
    "desk-do-number": say("Correct the clue’s number"),
    "desk-do-new-key": say("Draw a new key"),
    "desk-do-new-code": say("A new personal code for an agent"),
    "desk-do-reveal": say("Show everybody the key"),
    "desk-do-choose": say("Choose the word to lay next"),
    "desk-do-try-again": say("Open the journal again"),
    "desk-do-set-aside": say("Set the damaged journal aside"),
    "desk-do-set-aside-sure": say(
        "Set the damaged journal aside? It is kept, and a fresh one begins. "
        "The game in it cannot go on."
    ),
    "desk-do-sure": say("Are you sure?"),
    "desk-do-it": say("Do it"),
    "desk-now": say("Now"),
    "desk-settings": say("Settings"),
    "desk-packs": say("Word packs"),
    "desk-records": say("Games played"),
    "desk-statistics": say("Statistics"),
    "desk-doctor": say("How is the table?"),
    "desk-backup": say("Backup"),
    "desk-no-game": say("No game is being played"),
    "desk-begun": say_many("Began {count} minute ago", "Began {count} minutes ago", 2),
    "desk-phones": say("Phones: {seats}"),
    "desk-pause": say("Pause"),
    "desk-resume": say("Resume"),
    "desk-end": say("End the game"),
    "desk-end-sure": say("End this game for everybody at the table?"),
    "desk-sound": say("Sound"),
    "desk-volume": say("Volume {volume} %"),
    "desk-muted": say("Muted"),
    "desk-quiet": say("Silent: these are the quiet hours."),
    "desk-mute": say("Mute"),
    "desk-unmute": say("Unmute"),
    "desk-machine": say("Machine"),
    "desk-wipe": say("Something wet, or an arm, is on the table: wipe it dry, or lift the arm."),
    "desk-temperature": say("Temperature"),
    "desk-uptime": say("Switched on for"),
    "desk-days": say_many("{count} day", "{count} days", 2),
    "desk-hours": say("{hours} h {minutes} min"),
    "desk-short": say_many("{count} minute", "{count} minutes", 2),
    "desk-settings-help": say(
        "Each setting is in force as soon as you change it, and kept when the table is switched "
        "off."
    ),
    "desk-rules-help": say(
        "The house rules of each game: it is offered with these. A dot marks the game’s own "
        "default."
    ),
    "desk-kept": say("Saved: {setting}"),
    "desk-change-pin": say("Change the PIN"),
    "desk-pin-old": say("The current PIN"),
    "desk-pin-new": say("A new PIN"),
    "desk-pin-again": say("The new PIN again"),
    "desk-pins-differ": say("The two PINs were different. Choose one again."),
    "desk-pin-changed": say("The new PIN is set: enter it to go on."),
    "desk-packs-help": say(
        "What you save here is dealt from the next game on. Nothing with a fault is saved. Any "
        "list of words will do: paste it, or drop its file here."
    ),
    "desk-list-paste": say("Paste a list"),
    "desk-list-text": say("Words, one a line, with commas, or from a table"),
    "desk-list-reads": say("The table reads the list …"),
    "desk-list-encoding": say("The file does not say how it writes letters with accents."),
    "desk-list-reads-right": say("Which of these reads right?"),
    "desk-list-doubts": say("Is this right?"),
    "desk-list-words": say("The words"),
    "desk-list-left-out": say_many("{count} was left out", "{count} were left out", 2),
    "desk-list-more": say("and {count} more"),
    "desk-list-separator": say("The words are"),
    "desk-list-by": say("{name}: {words}"),
    "desk-list-column": say("The words are in"),
    "desk-list-columns": say("all columns"),
    "desk-list-one-column": say("column {number}"),
    "desk-list-title": say("What is the pack called?"),
    "desk-list-language": say("In which language are the words?"),
    "desk-list-choose": say("choose…"),
    "desk-list-adults": say("For adults only"),
    "desk-list-make": say("Make a pack from this list"),
    "desk-list-source": say("a list at the desk"),
    "desk-pack-new": say("Write a pack"),
    "desk-pack-upload": say("Take one from a file…"),
    "desk-pack-words": say_many("{count} word", "{count} words", 2),
    "desk-pack-adults": say("for adults"),
    "desk-pack-own": say("the house’s own"),
    "desk-pack-shipped": say("comes with the table"),
    "desk-pack-few": say("too few words as yet"),
    "desk-pack-faults": say_many("{count} thing is wrong", "{count} things are wrong", 2),
    "desk-pack-edit": say("Change"),
    "desk-pack-read": say("Read"),
    "desk-pack-remove": say("Delete"),
    "desk-pack-sure": say("Delete the pack “{title}”? Its words are gone then."),
    "desk-pack-gone": say("“{title}” is deleted."),
    "desk-pack-too-long": say("That file is too long: a pack has 256 KiB at most."),
    "desk-pack-text": say("A head, an empty line, then one word a line"),
    "desk-pack-is-shipped": say("This pack comes with the table and stays as it is."),
    "desk-pack-checks": say("Checking …"),
    "desk-pack-in-order": say_many("In order: {count} word.", "In order: {count} words.", 2),
    "desk-pack-line": say("Line {count}"),
    "desk-pack-save": say("Save"),
    "desk-pack-kept": say("“{title}” is saved."),
    "desk-pack-unsaved": say("Leave without saving what you have written?"),
    "desk-pack-leave": say("Leave"),
    "desk-pack-many": say_many(
        "{count} word has two senses or more", "{count} words have two senses or more", 2
    ),
    "desk-pack-kin": say("Related words, which are never dealt together: {pairs}"),
    "desk-pack-shared": say_many(
        "{count} word is also in {title}", "{count} words are also in {title}", 2
    ),
    "desk-game": say("Game"),
    "desk-all-games": say("Any game"),
    "desk-all-languages": say("Any language"),
    "desk-records-none": say("No finished game yet."),
    "desk-records-more": say("Earlier games"),
    "desk-stats-games": say_many("{count} game", "{count} games", 2),
    "desk-stats-counting": say("Counting: {read} of {of} games …"),
    "desk-plot-evenings": say("Games per evening"),
    "desk-evening": say("Evening"),
    "desk-plot-weekdays": say("Games by weekday"),
    "desk-weekday": say("Weekday of the evening"),
    "desk-plot-hours": say("Games by hour"),
    "desk-hour": say("Hour at which the game began"),
    "desk-plot-lengths": say("Length of games"),
    "desk-minutes": say("Minutes"),
    "desk-plot-clues": say("Time to a clue"),
    "desk-seconds": say("Seconds"),
    "desk-plot-won": say("Who won"),
    "desk-won-red": say("Red"),
    "desk-won-blue": say("Blue"),
    "desk-won-nobody": say("Nobody"),
    "desk-won-ended": say("Stopped early"),
    "desk-plot-guesses": say("Results of guesses"),
    "desk-guess-right": say("Right"),
    "desk-guess-nobody": say("Nobody’s"),
    "desk-guess-other": say("The other team’s"),
    "desk-guess-fatal": say("Game lost"),
    "desk-words-found": say("Words found most often"),
    "desk-words-missed": say("Words guessed wrong most often"),
    "desk-words-lost": say("Words that lost games"),
    "desk-word": say("Word"),
    "desk-rate": say("How often"),
    "desk-found-of": say("found {times} of {dealt}"),
    "desk-missed-of": say("wrong {times} of {dealt}"),
    "desk-lost-of": say("lost {times} of {dealt}"),
    "desk-count": say("Number"),
    "desk-as-table": say("As a table"),
    "desk-yes": say("Yes"),
    "desk-no": say("No"),
    "desk-none": say("none"),
    "desk-well": say("All is well"),
    "desk-version": say("Version"),
    "desk-stores": say("Games are kept"),
    "desk-wet": say("Wet, or covered"),
    "desk-deaf": say("Places that do not respond"),
    "desk-counts": say("What went wrong"),
    "desk-counts-help": say("Counted since the table was switched on."),
    "desk-pads": say("What the pads feel"),
    "desk-pads-help": say(
        "Test them while nobody plays: touches have no effect meanwhile, and the table’s lights "
        "show them."
    ),
    "desk-pads-try": say("Test the pads"),
    "desk-pads-stop": say("End the test"),
    "desk-pads-legend": say(
        "Seen from where the operatives sit. The fuller a pad, the more it feels; a dot is a "
        "touch, a wave is noise, a dash cannot be read."
    ),
    "desk-pad-end-turn": say("End the turn"),
    "desk-pad-hourglass": say("Hourglass"),
    "desk-pad-most": say("At most"),
    "desk-pad-from": say("A touch from"),
    "desk-rim-far": say("Far rim"),
    "desk-rim-left": say("Left rim"),
    "desk-rim-right": say("Right rim"),
    "desk-rim-near": say("Near rim"),
    "desk-off": say("Switch the machine off"),
    "desk-off-help": say("The game is kept, and goes on when the machine is on again."),
    "desk-off-sure": say("Switch the machine off?"),
    "desk-off-begun": say("The machine switches itself off."),
    "desk-backup-make": say("Make a backup"),
    "desk-backup-help": say(
        "All games, the house’s settings and its word packs in one file; the PIN too, which "
        "cannot be read from it. Whoever has the file has all that: keep it where no guest can "
        "get at it. It is not made while a game is under way, because it would contain its key."
    ),
    "desk-backup-making": say("The table makes the backup …"),
    "desk-backup-comes": say("How much of the backup has come"),
    "desk-backup-save": say("Save the file"),
    "desk-backup-games": say_many("{count} game", "{count} games", 2),
    "desk-backup-packs": say_many("{count} word pack", "{count} word packs", 2),
    "desk-restore": say("Restore a backup"),
    "desk-restore-help": say(
        "Everything that the table has now is replaced: games, settings, word packs and the PIN. "
        "What was there is kept on its disk. The table stops for that and starts again, within "
        "half a minute."
    ),
    "desk-restore-choose": say("Choose a backup…"),
    "desk-restore-goes": say("How much of the backup is there"),
    "desk-restore-reads": say("The backup goes to the table, and is read there …"),
    "desk-restore-sure": say("Replace all that the table has with this backup?"),
    "desk-restore-sure-help": say(
        "The table stops and starts again. Then the PIN of the backup is the one to use, and is "
        "asked for here."
    ),
    "desk-restore-config": say(
        "The configuration in it is left out, because it belongs to root: `pi-table restore` "
        "restores that."
    ),
    "desk-restore-yes": say("Yes, restore it"),
    "desk-restore-works": say("The table restores the backup …"),
    "desk-restore-done": say(
        "The backup is restored, and the table starts again. Enter the PIN of the backup then."
    ),
}
"""The texts of the desk, by their names. All names begin with ``desk-``."""
