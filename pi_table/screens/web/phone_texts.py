"""The texts of a seat's phone."""

from typing import Final

from pi_table.common.language import Say, say, say_many

PHONE: Final[dict[str, Say]] = {
    # The link and the seat
    "phone-no-link": say("This is not a link to a seat."),
    "phone-fresh-code": say("Get a fresh code, and scan it."),
    "phone-refused-link": say("This link is not yours any more."),
    "phone-refused-link-why": say(
        "Another phone opened it first, its minute is over, its game is over, or it was "
        "disconnected."
    ),
    "phone-try-again": say("Try again"),
    "phone-taken-over": say("This seat is open in another window."),
    "phone-show-here": say("Show it here"),
    "phone-tried": say(
        "Another phone has tried to open your link, and saw nothing. If your code was seen, "
        "get a fresh one."
    ),
    "phone-nothing": say("Nothing for this seat now"),
    "phone-nothing-why": say(
        "No game with this seat is under way. When one begins, it is shown here."
    ),
    "phone-stay": say("Another game has begun"),
    "phone-stay-why": say(
        "Are you still in this seat? Then hold the button below for a second. If somebody else is, "
        "leave it: this phone then loses the seat in a minute."
    ),
    "phone-service": say("The table is being serviced: nobody can play just now."),
    "phone-out-of-order": say("Nobody can play at the table now. The staff can see why."),
    "phone-lost": say(
        "The connection broke just then. Check whether it was done; if not, do it again."
    ),
    "phone-refused": say("The table did not accept that."),
    "phone-sending": say("Sending …"),
    "phone-no-back": say("No, go back"),
    "phone-more": say("More…"),
    # Holding a finger
    "phone-hold": say("Hold to see your secrets"),
    "phone-hold-key": say("Hold to see the key"),
    "phone-hold-to-stay": say("Hold to keep this seat"),
    "phone-opens": say("One moment …"),
    "phone-let-go": say("Let go, and it is hidden"),
    "phone-hold-to-read": say("Hold the button below to read."),
    # Seats
    "phone-spymaster": say("{team}: spymaster"),
    "phone-operatives": say("{team}: operatives"),
    # The headline
    "phone-paused": say("Paused"),
    "phone-turn": say("{team}’s turn"),
    "phone-places": say("{team} lays a card"),
    "phone-own-card": say("One of its own"),
    "phone-clue-awaited": say("Waiting for {team}’s clue"),
    "phone-judges": say("{team} judges"),
    "phone-challenged": say("Clue challenged"),
    "phone-may-cover": say("{team} may cover"),
    "phone-was-invalid": say("The clue was invalid"),
    "phone-covers": say("{team} covers"),
    "phone-cover-absent": say("Cover one of {team}’s"),
    "phone-guesses": say("{team} guesses"),
    "phone-no-limit": say("No limit"),
    "phone-guesses-left": say_many("The last guess", "{count} guesses left", 2),
    "phone-clue-spoken": say("Clue as spoken"),
    "phone-assets-left": say("assets left"),
    "phone-to-find": say("to find"),
    "phone-score": say("Won, with {score} of 8"),
    # The grid
    "phone-grid": say("The grid"),
    "phone-covered": say("covered: {identity}"),
    "phone-was-shown": say("was seen to be: {identity}"),
    "phone-marked": say("marked as meant"),
    "phone-turn-grid": say("Turn the grid"),
    "phone-first-clue": say(
        "Hold the button below: the cards in your colour are yours. Then say one word, and how "
        "many of them it is about."
    ),
    "phone-mark-hint": say(
        "Tap the words that you mean: everybody sees the mark. A mark is not a guess. To guess, "
        "hold a finger on the card."
    ),
    "phone-mark-later": say("While your team guesses, you can mark words here."),
    # Giving a clue
    "phone-write-clue": say("Give the clue"),
    "phone-clue-word": say("The word"),
    "phone-clue-aloud": say("Leave it empty if you only say it aloud."),
    "phone-aloud": say("as spoken"),
    "phone-how-many": say("For how many words?"),
    "phone-fewer": say("One fewer"),
    "phone-more-words": say("One more"),
    "phone-number-first": say("Choose the number first"),
    "phone-give": say("Give: {clue}"),
    "phone-give-doubtful": say("The referee doubts it. Give this clue all the same?"),
    "phone-give-invalid": say("The referee thinks it invalid. Give this clue all the same?"),
    "phone-give-all-the-same": say("Yes, give it"),
    "phone-referee-thinks": say("The referee is thinking…"),
    "phone-verdict-fine": say("The referee: fine"),
    "phone-verdict-doubtful": say("The referee: doubtful"),
    "phone-verdict-invalid": say("The referee: invalid"),
    "phone-rule-none": say("It finds nothing against this clue."),
    "phone-rule-cl-1": say("One word; the house may allow compounds and abbreviations."),
    "phone-rule-cl-2": say("No form of a word on the table, no compound with it."),
    "phone-rule-cl-3": say("No part of a word on the table, nothing related to a part."),
    "phone-rule-cl-4": say("The same spelling is the same word."),
    "phone-rule-cl-8": say("A rhyme is good for its meaning alone."),
    "phone-rule-cl-9": say("Letters and numbers are good for their meaning alone."),
    "phone-rule-cl-11": say("Only words that the language uses."),
    "phone-rule-cl-12": say("Names of several words only as the house allows."),
    "phone-rule-al-13": say("One word for its meaning; no alias in play, no part of one."),
    "phone-group-decides": say("Only an opinion: the group decides."),
    "phone-other-decides": say("Only an opinion: the other spymaster decides."),
    "phone-ask-other": say("Only an opinion. Ask the other spymaster, quietly."),
    # Acts and their questions
    "phone-challenge": say("{team} challenges it"),
    "phone-challenge-sure": say("Challenge {other}’s clue? You, {team}’s spymaster, then decide."),
    "phone-challenge-yes": say("Yes, challenge it"),
    "phone-allow": say("{team} allows the clue"),
    "phone-allow-sure": say("Allow {other}’s clue? {other} goes on guessing."),
    "phone-allow-yes": say("Yes, allow it"),
    "phone-uphold": say("{team}: it is invalid"),
    "phone-uphold-sure": say(
        "Is {other}’s clue invalid? {other}’s turn ends at once, and {team} may cover a cell."
    ),
    "phone-uphold-sure-plain": say("Is {other}’s clue invalid? {other}’s turn ends at once."),
    "phone-uphold-yes": say("Yes, it is invalid"),
    "phone-decline": say("{team} covers none"),
    "phone-decline-sure": say("{team} covers none, and takes no penalty?"),
    "phone-decline-yes": say("Yes, cover none"),
    "phone-reveal": say("Show everybody the key"),
    "phone-reveal-sure": say("Show everybody the key of this game?"),
    "phone-reveal-yes": say("Yes, show it"),
    "phone-new-key": say("Draw a new key"),
    "phone-new-key-sure": say(
        "Draw another key for the same words, because somebody saw this one? Everybody is told."
    ),
    "phone-new-key-yes": say("Yes, a new key"),
    "phone-resume": say("Go on with the game"),
    "phone-hourglass": say("Turn the hourglass"),
    "phone-pause": say("Pause"),
    "phone-cover-hint": say("Tap the cell to be covered. Hold the button below to see the key."),
    "phone-cover-sure": say("{team} covers {cell}?"),
    "phone-cover-yes": say("Yes, cover it"),
    # Codex: the round
    "phone-now-discuss": say("Say what you like, true or false."),
    "phone-now-vote": say("{agent} votes: a finger on another agent’s cell."),
    "phone-now-machine": say("{agent} chooses what everybody will see."),
    "phone-now-all": say("Everybody visits on the phone."),
    "phone-now-together": say("On their phones: {agents}."),
    "phone-now-screen": say("Without a phone: {agent}."),
    "phone-time-stands": say("All clocks are stopped."),
    "phone-you": say("you"),
    "phone-votes-for": say("votes: {agent}"),
    "phone-roles": say("Roles in play"),
    "phone-no-visit": say("It is not your visit now."),
    "phone-no-phones": say("In this game nobody visits on a phone."),
    "phone-fact-nickname": say("Nickname"),
    "phone-fact-named": say("nickname {nickname}"),
    "phone-power-hacker": say(
        "In every phase the Hacker may name an agent, who cannot enter a code in that phase and "
        "learns why. Never the same agent in two phases running."
    ),
    "phone-power-infiltrator": say(
        "The Infiltrator’s identikit shows the wrong faction. The code, the fragment and the "
        "victory are the other faction’s."
    ),
    "phone-power-informer": say(
        "The Informer may tell two facts in a message instead of one. One of the two must then be "
        "the role."
    ),
    "phone-power-inquisitor": say(
        "The Inquisitor names a fact, before the vote. If the agent the Inquisitor votes for goes "
        "to the truth machine, that fact is shown. It works once in the game."
    ),
    "phone-power-leader": say(
        "The Leader may try a code once in every phase, without limit. Everybody else has one "
        "attempt in the whole game."
    ),
    "phone-power-profiler": say(
        "Once in the game the Profiler may ask about a message that has just come, and learns "
        "one more fact about its sender."
    ),
    # Codex: the way into a visit
    "phone-your-visit": say("Your visit, here on your phone. Turn it away from the others."),
    "phone-i-am": say("I am {agent}"),
    "phone-is-here": say("{agent}, you are here."),
    "phone-missing": say("Still missing: {agents}"),
    "phone-own-code": say("Your code"),
    "phone-own-code-help": say("The four digits that you chose at your first visit."),
    "phone-choose-code": say("Choose a code"),
    "phone-choose-code-help": say(
        "Four digits that only you know. They are asked for at every visit."
    ),
    "phone-code-again": say("The same code again"),
    "phone-codes-differ": say("The two were different. Choose your code again."),
    "phone-wrong-own-code": say_many(
        "Wrong code: {count} attempt left", "Wrong code: {count} attempts left", 2
    ),
    "phone-locked": say("Three wrong codes: your visit comes last in this lap."),
    "phone-locked-machine": say("Three wrong codes: ask the operator to let you choose another."),
    "phone-is-done": say("You are done. Nobody is told who is done first."),
    "phone-erase": say("Erase"),
    "phone-signs-entered": say("{filled} of {count} entered"),
    # Codex: the visit
    "phone-send": say("Send a message"),
    "phone-name-target": say("Name a target"),
    "phone-who": say("Who you are"),
    "phone-messages": say("Messages so far"),
    "phone-done": say("I am done"),
    "phone-message-first": say("Send a message first."),
    "phone-done-sure": say("Are you done? Nothing more can be entered or read in this visit."),
    "phone-done-yes": say("Yes, I am done"),
    "phone-ask": say("Ask about a message"),
    "phone-demand": say("Demand a fact"),
    "phone-enter-code": say("Enter a code"),
    "phone-choose-revealed": say("Choose what is revealed"),
    "phone-entered": say("entered"),
    "phone-send-to": say("A message to…"),
    "phone-send-to-help": say("They get your fragment and a fact about you. Not who sent it."),
    "phone-send-fact": say("Which fact about you?"),
    "phone-second-fact": say("A second fact?"),
    "phone-second-fact-help": say(
        "Only an Informer’s second fact arrives. One of the two is the role."
    ),
    "phone-no-second": say("No second fact"),
    "phone-send-sure": say("Send {agent} your fragment and this: {fact}?"),
    "phone-send-two-sure": say("Send {agent} your fragment and this: {fact}, {other}?"),
    "phone-send-yes": say("Yes, send it"),
    "phone-target": say("Who is kept from entering a code?"),
    "phone-target-help": say("It has no effect unless you are a Hacker."),
    "phone-nobody": say("Nobody"),
    "phone-ask-about": say("Ask about which message?"),
    "phone-ask-help": say("It has no effect unless you are a Profiler."),
    "phone-message-number": say("Message {number}"),
    "phone-ask-fact": say("Which fact about its sender?"),
    "phone-ask-fact-help": say("The answer is in the menu while you hold."),
    "phone-demand-fact": say("Which fact do you demand?"),
    "phone-demand-help": say(
        "Of the agent you vote for. It has no effect unless you are an Inquisitor."
    ),
    "phone-reveal-fact": say("What is revealed?"),
    "phone-reveal-help": say("If an Inquisitor demanded another fact, that one is shown instead."),
    "phone-reveal-fact-sure": say("Choose this to be shown to everybody: {fact}?"),
    "phone-yes-this": say("Yes, this"),
    "phone-code-help": say("Three fragments, in the order of their positions."),
    "phone-code-sure": say("Enter this code?"),
    "phone-code-once": say("Once in the whole game; the Leader, once in every phase."),
    "phone-code-yes": say("Yes, enter it"),
    "phone-enter": say("Enter"),
    "phone-own-fragment": say("My own"),
    "phone-fragment-number": say("No. {number}"),
    # Codex: the agent
    "phone-belongs": say("You belong to"),
    "phone-code-attempt": say("Code attempt"),
    "phone-power": say("Your power"),
    "phone-left": say("left"),
    "phone-used-up": say("used up"),
    "phone-asked": say("asked: {fact}"),
    "phone-no-effect": say("It had no effect"),
    "phone-blocked": say("A Hacker prevented you from entering a code in this phase."),
    "phone-not-blocked": say("No Hacker prevents you from entering a code."),
    "phone-attempt-right": say("The right code"),
    "phone-attempt-wrong": say("Wrong code"),
    "phone-attempt-blocked": say("A Hacker prevented it"),
    "phone-attempt-none-left": say("You have no attempts left"),
}
"""The texts of a phone's page, by their names. All names begin with ``phone-``."""
