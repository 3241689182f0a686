"""The reaction of the console to each event: its new state, and its requests to the table."""

from itertools import takewhile
from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.common.language import LANGUAGES, Lang, Words, say
from pi_table.devices.hal.contracts import Input
from pi_table.games.referee.reasons import Verdict
from pi_table.protocols.ipc.client import Connected, Disconnected
from pi_table.protocols.ipc.messages import (
    Answer,
    AnyTableMessage,
    Busy,
    ConsoleMessage,
    Presence,
    Request,
)
from pi_table.screens.console.acts import Act, act, by_operator
from pi_table.screens.console.caption import caption_after
from pi_table.screens.console.console_events import Choose, Happening, Lifted, Stopped, Typed
from pi_table.screens.console.families import family_of
from pi_table.screens.console.game_records import Faults
from pi_table.screens.console.games_on_offer import games_on_offer
from pi_table.screens.console.how_to_play.screens import HowToPlay, WhichGame, how_to_play
from pi_table.screens.console.judge import Judged
from pi_table.screens.console.model import Model, PeekAsked
from pi_table.screens.console.phones import LinkCode
from pi_table.screens.console.screen import (
    AnswerScreen,
    AnyScreen,
    Ask,
    Become,
    Do,
    Effect,
    Explain,
    Go,
    Help,
    NewGame,
    Return,
    language,
    moment,
)
from pi_table.screens.console.setup import Setup
from pi_table.screens.console.typing_screen import ENTER

SERVED_SECONDS: Final = 10.0
"""Seconds: the minimum time between two reports to the table that service mode is in use."""
KEPT_SECONDS: Final = 1.0
"""Seconds: the minimum time from the request or renewal of a peek to its next renewal."""

Step = tuple[Model, tuple[Request, ...]]
"""The console after an event, and its requests to the table."""


def update(model: Model, happening: Happening, now: float) -> Step:
    """Apply an event at ``now`` (seconds). Return the new state, and the requests to the table."""
    after, requests = _dispatch(model, happening, now)
    after = _close_covered_screens(after)
    if isinstance(happening, Connected | Disconnected):
        return after, requests
    after, requests = _send_presence(model, happening, after, requests)
    after, requests = _report_service(model, after, happening, requests, now)
    after, requests = _end_codes(model, after, requests)
    after, requests = _lock_page(model, after, requests)
    if model.wants_secrets is not after.wants_secrets:
        return _ask_to_peek(after, requests, now)
    if after.wants_secrets and isinstance(happening, Input | Choose | Typed):
        return _renew_peek(after, requests, now)
    return after, requests


def let_time_pass(model: Model, now: float) -> Model:
    """Return the console at ``now``. Screens whose time limit has passed since the last press are
    closed."""
    for at, screen in enumerate(model.screens):
        if screen.closes_after is not None and now >= model.pressed + screen.closes_after:
            return replace(model, screens=model.screens[:at])
    return model


def _close_covered_screens(model: Model) -> Model:
    *under, top = model.screens
    if all(screen.closes_after is None for screen in under):
        return model
    kept = (screen for screen in under if screen.closes_after is None)
    return replace(model, screens=(*kept, top))


def _send_presence(
    before: Model, happening: Happening, after: Model, requests: tuple[Request, ...]
) -> Step:
    """Report to the table that somebody is there, if something is pressed while the table is idle
    or asks whether anybody still plays."""
    table = before.table
    pressed = isinstance(happening, Input | Choose | Typed)
    if table is None or table.idle is Presence.PLAYING or not pressed or requests:
        return after, requests
    after, request = _with_request(after, by_operator("here"))
    return after, (request,)


def _report_service(
    before: Model, after: Model, happening: Happening, requests: tuple[Request, ...], now: float
) -> Step:
    """In service mode, report to the table that the page has changed or closed, or that somebody is
    there."""
    if before.service_page is None or before.table is None or before.table.service is None:
        return after, requests  # opening the first page makes its own request
    if after.service_page is None:
        if after.table is None or after.table.service is None:
            return after, requests  # the table has ended service mode
        after, request = _with_request(after, by_operator("leave-service"))
        return after, (*requests, request)
    pressed = isinstance(happening, Input | Choose | Typed)
    is_another = after.service_page is not before.service_page
    if not is_another and (not pressed or requests or now - after.served < SERVED_SECONDS):
        return after, requests
    after, request = _with_request(after, by_operator("service", page=after.service_page))
    return replace(after, served=now), (*requests, request)


def _end_codes(before: Model, after: Model, requests: tuple[Request, ...]) -> Step:
    """End the link of a QR code that leaves the screen, so that a photograph of the code is
    useless."""
    if after.table is None:
        return after, requests
    still = {screen.asked for screen in after.screens if isinstance(screen, LinkCode)}
    for screen in before.screens:
        if not isinstance(screen, LinkCode) or screen.asked in still:
            continue
        if (end := screen.end(after.table)) is not None:
            after, request = _with_request(after, end)
            requests = (*requests, request)
    return after, requests


def _lock_page(before: Model, after: Model, requests: tuple[Request, ...]) -> Step:
    """Lock the operator's page when people leave it. If the table still checks a PIN, the right PIN
    would open the page after they have left."""
    table = before.table
    left = before.at_the_operators and not after.at_the_operators
    opens = any(request.do["act"] == "unlock" for request in after.unanswered)
    if table is None or not left or not (table.lock.open or opens):
        return after, requests
    sets_one = any(request.do["act"] == "set-pin" for request in requests)
    if not table.lock.pin and not sets_one:
        return after, requests
    after, request = _with_request(after, by_operator("lock"))
    return after, (*requests, request)


def _ask_to_peek(model: Model, requests: tuple[Request, ...], now: float) -> Step:
    table = model.table
    seat = None if table is None else family_of(table).peeking_seat(table)
    if table is None or seat is None:
        return model, requests
    if model.wants_secrets:
        model, request = _with_request(model, act(seat, "peek"))
        asked = PeekAsked(request.id)
        return replace(model, peek_asked=asked, kept=now), (*requests, request)
    if table.peek is None and model.peek_asked is None:
        return model, requests  # there is no peek to end
    model, request = _with_request(model, act(seat, "unpeek"))
    return replace(model, peek_asked=PeekAsked(request.id)), (*requests, request)


def _renew_peek(model: Model, requests: tuple[Request, ...], now: float) -> Step:
    """Renew the peek because something was pressed. This request precedes the requests of the press
    itself. If the table has ended the peek, ask for another one, unless the press has requests."""
    table = model.table
    if table is not None and table.peek is None and model.peek_asked is None and not requests:
        return _ask_to_peek(model, requests, now)
    if table is None or table.peek is None or table.peek.left is None:
        return model, requests
    if model.peek_asked is not None or now - model.kept < KEPT_SECONDS:
        return model, requests
    seat = family_of(table).peeking_seat(table)
    if seat is None:
        return model, requests
    model, request = _with_request(model, act(seat, "peek"))
    asked = PeekAsked(request.id, renews=True)
    return replace(model, peek_asked=asked, kept=now), (request, *requests)


def _dispatch(model: Model, happening: Happening, now: float) -> Step:
    match happening:
        case ConsoleMessage():
            return _on_table_message(model, happening, now), ()
        case Answer():
            return _on_answer(model, happening), ()
        case Judged():
            return _avoid_unsure_clue(replace(model, judged=happening)), ()
        case Busy():
            return replace(_without_table(model), elsewhere=True), ()
        case Connected() | Disconnected():
            # A refused console reconnects every few seconds: keep `elsewhere` until a message.
            return replace(_without_table(model), elsewhere=model.elsewhere), ()
        case Stopped(why=why):
            return replace(model, stopped=why), ()
    if isinstance(happening, Lifted) or happening is Input.UNPEEK:
        return _on_release(model, happening), ()
    table = model.table
    if table is None:
        return model, ()
    if model.invites(now):  # a press on the invitation only wakes the screen
        return replace(model, pressed=now), ()
    return _on_input(replace(model, notice=None, pressed=now), table, happening)


def _without_table(model: Model) -> Model:
    """Return what remains of the console's state without a connection to the table. The console's
    first notice remains until the table's first message: only then can it be seen."""
    return Model(
        next_id=model.next_id,
        lang=model.lang,
        layout=model.layout,
        stopped=model.stopped,
        notice=model.notice if model.table is None else None,
    )


def _avoid_unsure_clue(model: Model) -> Model:
    """Select the second choice unless the referee finds the clue fine. So the next press does not
    give the clue."""
    judged, family = model.judged, model.family
    if judged is None or judged.opinion is None or family is None or model.screen.selected:
        return model
    is_fine = judged.opinion.verdict is Verdict.FINE
    about_this = family.question(model) == judged.question
    return _select(model, 1) if about_this and not is_fine else model


def _on_table_message(model: Model, table: AnyTableMessage, now: float) -> Model:
    old = model.table
    same_game = old is not None and old.game == table.game
    screens = model.screens if same_game else ()
    screens = tuple(takewhile(lambda screen: screen.possible(table), screens))
    may_peek = table.peek is not None or model.peek_asked is not None
    if not may_peek and not model.screen.hides_key:
        screens = tuple(takewhile(lambda screen: not screen.shows_key, screens))
    screens = screens or (family_of(table).home(table),)
    notice = model.notice
    if family_of(table).another_visit(old, table):
        cut_short = len(screens) < len(model.screens)
        notice = say("The visit is over.") if cut_short else None
    if old is None or moment(old) != moment(table):
        # The likeliest next choice has changed: select it.
        screens = tuple(screen.anew(table) for screen in screens)
    faults_are_new = old is None or table.faults != old.faults or old.service is not None
    being_read = any(isinstance(screen, Faults) for screen in screens)
    if table.service is None and table.faults and faults_are_new and not being_read:
        screens = (*screens, Faults())
    first_game = model.first_game
    if table.public is not None and table.settings is not None:
        first_game = first_game.after(table.public, table.settings)
    after = replace(
        model,
        family=family_of(table),
        table=table,
        first_game=first_game,
        explains=model.explains or not same_game,
        elsewhere=False,
        arrived=now,
        caption=caption_after(model.caption, old, table, now),
        screens=screens,
        notice=notice,
        lang=model.lang if old is not None or table.game is None else language(table),
        peeking=model.peeking
        and may_peek
        and same_game
        and family_of(table).same_secrets(old, table),
    )
    if old is not None and not same_game:
        after = replace(after, begun=now)
    if old is not None and after.invites(now) and not model.invites(now):
        after = replace(after, notice=None)  # people have seen it
    others_come = not same_game or after.invites(now)
    return replace(after, bookmark=None) if others_come else after


def _on_answer(model: Model, answer: Answer) -> Model:
    unanswered = tuple(each for each in model.unanswered if each.id != answer.id)
    model = replace(model, unanswered=unanswered)
    asked = model.peek_asked
    if asked is not None and asked.id == answer.id:
        model = replace(model, peek_asked=None)
        if not answer.ok:
            screens = tuple(takewhile(lambda screen: not screen.shows_key, model.screens))
            model = replace(model, peeking=False, screens=screens)
            return model if asked.renews else _on_refusal(model, answer)
    if not answer.ok:
        return _on_refusal(model, answer)
    try:
        screens = tuple(
            screen.hear(answer.told)
            if isinstance(screen, AnswerScreen) and screen.asked == answer.id
            else screen
            for screen in model.screens
        )
    except msgspec.ValidationError:
        return replace(model, notice=say("The console does not understand the table’s answer."))
    return replace(model, screens=screens)


def _on_refusal(model: Model, answer: Answer) -> Model:
    """Apply the refusal of a request.

    The screen that made the request decides whether it closes and which notice is shown. Without
    such a screen, the notice gives the reason.
    """
    sentence = answer.sentence or say("The table refused that.")
    notice: Words | None = sentence
    screens: tuple[AnyScreen, ...] = ()
    for screen in model.screens:
        kept: AnyScreen | None = screen
        if isinstance(screen, AnswerScreen) and screen.asked == answer.id:
            kept, notice = screen.refuse(sentence)
        if kept is not None:
            screens = (*screens, kept)
    return replace(model, notice=notice, screens=screens)


def _on_release(model: Model, by: Lifted | Input) -> Model:
    """Apply the release of PEEK or of a finger. The release hides secrets that are visible only
    while PEEK is held."""
    is_held_still = isinstance(by, Lifted) and by.finger != model.held_by
    held = model.family is not None and model.family.PEEKS_WHILE_HELD
    if isinstance(by, Input) and model.table is not None:
        effect = model.screen.knob(by, model.table)
        if isinstance(effect, Become):
            return _on_top(model, effect.screen)
    if is_held_still or not held:
        return model
    return replace(model, peeking=False, held_by=None)


def _on_input(model: Model, table: AnyTableMessage, by: Input | Choose | Typed) -> Step:
    effect = model.screen.knob(by, table) if isinstance(by, Input) else None
    if effect is not None:
        return _apply_effect(model, table, effect)
    return _usual_effect(model, table, by)


def _usual_effect(model: Model, table: AnyTableMessage, by: Input | Choose | Typed) -> Step:
    """Apply the usual effect of an input. The usual effect is the same on every screen."""
    match by:
        case Choose(target=Input.PEEK, finger=finger):
            return replace(_peek(model), held_by=finger), ()
        case Choose(target=Help()) | Typed(sign="?"):
            return _apply_effect(model, table, Help())
        case Choose(target=Input() as same):
            return _usual_effect(model, table, same)
        case Choose(target=target):
            if target in model.choices:
                return _press(_select(model, model.choices.index(target)), table)
            return model, ()
        case Typed(sign=sign):
            return _on_character(model, table, sign)
        case Input.PRESS:
            return _press(model, table)
        case Input.RIGHT:
            return _turn(model, 1), ()
        case Input.LEFT:
            return _turn(model, -1), ()
        case Input.BACK:
            return _go_back(model, None), ()
        case Input.PEEK:
            return _peek(model), ()
        case Input.UNPEEK:
            return model, ()


def _on_character(model: Model, table: AnyTableMessage, sign: str) -> Step:
    effect = model.screen.on_character(sign, table)
    if effect is not None:
        return _apply_effect(model, table, effect)
    if sign == ENTER:
        return _press(model, table)
    if sign in ("p", "P"):
        return _peek(model), ()
    return model, ()


def _turn(model: Model, steps: int) -> Model:
    count = len(model.choices)
    return _select(model, (model.selected + steps) % count) if count else model


def _select(model: Model, selected: int) -> Model:
    return _on_top(model, replace(model.screen, selected=selected))


def _peek(model: Model) -> Model:
    """Apply PEEK: in Codex it shows secrets while held; in other games it toggles the key."""
    if model.family is None or not model.can_peek:
        return model
    return replace(model, peeking=model.family.PEEKS_WHILE_HELD or not model.peeking)


def _press(model: Model, table: AnyTableMessage) -> Step:
    if not model.choices:
        return model, ()
    effect = model.choices[model.selected].does
    return (model, ()) if effect is None else _apply_effect(model, table, effect)


def _apply_effect(model: Model, table: AnyTableMessage, effect: Effect) -> Step:
    match effect:
        case Do(what=what):
            return _apply_effect(model, table, model.screen.does(what, table))
        case Ask(do=do) if any(each.do == do.as_json() for each in model.unanswered):
            return model, ()  # a double press means one request
        case Ask(do=do, stay=stay):
            model, request = _with_request(model, do)
            model = replace(model, unanswered=(*model.unanswered, request))
            home, *others = (screen.asking(request) for screen in model.screens)
            screens = (home, *(others if stay else ()))
            return replace(model, screens=screens), (request,)
        case Go(screen=screen, ask=None):
            opened = _set_up_screen(model, screen)
            peeking = model.peeking and not screen.hides_key
            return replace(model, screens=(*model.screens, opened), peeking=peeking), ()
        case Go(screen=screen, ask=do):
            assert do is not None
            model, request = _with_request(model, do.also(lang=model.lang))
            asked = replace(screen, asked=request.id)
            return replace(model, screens=(*model.screens, asked)), (request,)
        case Become(screen=screen):
            return _on_top(model, screen), ()
        case Return(below=below):
            return _go_back(model, below), ()
        case Explain():
            on = not model.explains
            said = say("Each phase is explained.") if on else say("No more explanations.")
            return replace(model, explains=on, notice=said), ()
        case Help() if isinstance(model.screen, HowToPlay | WhichGame):
            return _go_back(model, None), ()
        case Help():
            return _apply_effect(model, table, Go(how_to_play(model.screens, table)))
        case NewGame():
            return _apply_effect(model, table, Go(games_on_offer(table)))
    lang = _after(model.lang)
    return replace(
        model, lang=lang, screens=tuple(screen.with_language(lang) for screen in model.screens)
    ), ()


def _set_up_screen(model: Model, screen: AnyScreen) -> AnyScreen:
    """Return ``screen`` as it opens for the people at the table. The screen of a new game gets
    their language and may offer explanations. Pages on how to play open where reading was
    interrupted."""
    if isinstance(screen, Setup):
        return replace(screen.with_language(model.lang), asks=not model.knows_games)
    mark = model.bookmark
    return mark if mark is not None and replace(mark, selected=0) == screen else screen


def _after(lang: Lang) -> Lang:
    known = [*LANGUAGES]
    return known[(known.index(lang) + 1) % len(known)]


def _with_request(model: Model, do: Act) -> tuple[Model, Request]:
    return replace(model, next_id=model.next_id + 1), Request(model.next_id, do.as_json())


def _go_back(model: Model, below: AnyScreen | None) -> Model:
    if len(model.screens) == 1:
        return _select(model, 0)
    *earlier, under, top = model.screens
    if isinstance(top, HowToPlay):
        model = replace(model, bookmark=top.place)
    return replace(model, screens=(*earlier, below or top.behind(under)))


def _on_top(model: Model, screen: AnyScreen) -> Model:
    return replace(model, screens=(*model.screens[:-1], screen))
