"""Why a touch was refused, in words for whoever touched the table."""

from pi_table.engine.moves import Unable
from pi_table.errors import TableError
from pi_table.language import Say, Words, say
from pi_table.rules.refusal import Refused


def why_refused(refusal: TableError) -> Words:
    """The sentence that tells a guest why. What only the staff can mend is told to them, elsewhere
    and in full; a guest learns that, and no more."""
    if isinstance(refusal, Refused):
        return Say(refusal.reason.sentence)
    if isinstance(refusal, Unable) and refusal.reason in _FOR_GUESTS:
        return _FOR_GUESTS[refusal.reason]
    return say("The table cannot keep this: the staff can see why on the hidden screen.")


_FOR_GUESTS = {
    "no-game": say("No game has begun: choose one on the hidden screen."),
    "nothing-here": say("A touch means nothing here at the moment."),
}
