"""Compare two snapshots of the table, and return announcements of the changes."""

from collections.abc import Iterator

from pi_table.common.language import say, say_many
from pi_table.games.announcer import codex, phones, word_games
from pi_table.games.announcer.announcement import WIN_ECHO, Announcement, What
from pi_table.games.announcer.first_game import Step
from pi_table.games.announcer.standing import Standing
from pi_table.games.rules.codex.views import CodexView
from pi_table.games.rules.word_games.views import PublicView


def announce(old: Standing | None, new: Standing) -> tuple[Announcement, ...]:
    """Return the announcements of the changes from ``old`` to ``new``, in order.

    ``old`` is None when the table has just started.
    """
    if old is None:
        return tuple(_at_start(new))
    said = (*_of_the_table(old, new), *_of_the_game(old, new))
    if new.sleeps:  # SLEEPS has already announced the pause
        said = tuple(each for each in said if each.what is not What.PAUSE)
    said = tuple(sorted(said, key=lambda each: each.after))
    return (*said, *_explain(old, new, said))


def _at_start(new: Standing) -> Iterator[Announcement]:
    if new.out_of_order:
        yield _fault()
    elif new.view is not None and new.view.outcome is None and not new.view.paused:
        yield Announcement(What.GOES_ON, say("The game goes on where it stood."))


def _of_the_table(old: Standing, new: Standing) -> Iterator[Announcement]:
    if new.out_of_order and not old.out_of_order:
        yield _fault()
    if new.service and not old.service:
        yield Announcement(
            What.SERVICE, say("The table is being serviced: nobody can play just now.")
        )
    if new.out_of_service and not old.out_of_service:
        words = say("This table is out of service: no new game can begin.")
        yield Announcement(What.CLOSED, words)
    if new.closing is not None and new.closing != old.closing:
        minutes = new.closing.minutes
        words = say_many("We close in {count} minute.", "We close in {count} minutes.", minutes)
        yield Announcement(What.CLOSING, words)
    if _is_shut(old) and not _is_shut(new):
        yield Announcement(What.IN_ORDER, say("The table is open again."))
    if new.blocked and not old.blocked:
        words = say("Something wet, or an arm, is on the table: wipe it dry, or lift the arm.")
        yield Announcement(What.WIPE, words)
    if new.refused is not None and new.refused != old.refused:
        yield Announcement(What.REFUSED, new.refused.why, place=new.refused.place)
    is_played = new.view is not None and new.view.outcome is None
    if new.asks and not old.asks:
        words = say("Is anybody still playing? Touch the table to go on.")
        yield Announcement(What.STILL_PLAYING, words)
    if new.sleeps and not old.sleeps and is_played:
        words = say("The game is put aside: touch the table, and go on when you like.")
        yield Announcement(What.SLEEPS, words)
    if old.sleeps and not new.sleeps:
        words = say("The game is where you left it.") if is_played else say("Welcome!")
        yield Announcement(What.JOIN, words)
    if new.peeking and not old.peeking:
        yield Announcement(What.PEEK, say("The key is on the hidden screen."))
    yield from phones.announce(old, new)


def _is_shut(standing: Standing) -> bool:
    return standing.out_of_order or standing.service or standing.out_of_service


def _of_the_game(old: Standing, new: Standing) -> Iterator[Announcement]:
    match old.view, new.view:
        case _, None:
            return
        case _, PublicView() as view if old.game != new.game or old.view is None:
            yield from word_games.begins(view)
        case _, CodexView() as view if old.game != new.game or old.view is None:
            yield from codex.begins(view, new.has_screen)
        case PublicView() as before, PublicView() as view if before is not view:
            yield from word_games.announce(before, view, new.at - old.at)
        case CodexView() as before, CodexView() as view if before is not view:
            yield from codex.announce(before, view, new.has_screen)
    if new.hurry and not old.hurry:
        yield Announcement(What.HURRY, say("Time is running out."))
    if new.urging and not old.urging:
        yield Announcement(What.TIME_UP, say("The time is up."))


def _explain(
    old: Standing, new: Standing, said: tuple[Announcement, ...]
) -> Iterator[Announcement]:
    """Yield the explanation of a step that people do not know yet. All other announcements come
    first."""
    words, now = new.first_game.words, new.first_game.now
    if words is not None and now is not None and now != old.first_game.now:
        after = max((each.after for each in said), default=0.0)
        yield Announcement(
            What.EXPLAIN, words, after + (WIN_ECHO if now.step is Step.OVER else 0.0)
        )


def _fault() -> Announcement:
    return Announcement(What.FAULT, say("The table is out of order: call the staff."))
