"""What the console knows and shows, and how each thing that happens changes it. Pure."""

from itertools import takewhile
from typing import Any, Final

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from pi_table.console.codex.public_menu import Public, Seldom
from pi_table.console.codex.visit import inside, is_another_visit, veiled
from pi_table.console.codex.visit_menu import begin
from pi_table.console.console_events import Choose, Happening, Lifted, Typed
from pi_table.console.game_records import Faults
from pi_table.console.judge import Judged
from pi_table.console.keyboard import ENTER
from pi_table.console.screen import (
    Ask,
    Become,
    Choice,
    Do,
    Effect,
    Go,
    Return,
    Screen,
    Told,
    moment,
)
from pi_table.console.setup import language
from pi_table.console.word_games.game_menu import Home, More
from pi_table.hal.contracts import Input
from pi_table.ipc.client import Connected, Disconnected
from pi_table.ipc.messages import (
    Answer,
    AnyTableMessage,
    Busy,
    CodexMessage,
    Request,
    TableMessage,
)
from pi_table.language import LANGUAGES, Lang, Say, Words, say

PEEK_ENDS: Final = 20.0
"""The last seconds of a peek, which are announced."""
KEPT_SECONDS: Final = 1.0
"""A press renews a peek unless it was renewed within these seconds."""


class PeekAsked(msgspec.Struct, frozen=True):
    """The latest request to peek, or not to; the table has not answered it yet."""

    id: int
    renews: bool = False
    """Did the request only renew a peek? Then nobody waits for the answer."""


class Model(msgspec.Struct, frozen=True):
    """The console at one instant."""

    table: AnyTableMessage | None = None
    """The latest message, None while the table is away. What of it is shown is `visible`."""
    arrived: float = 0.0
    """When it came, in seconds."""
    screens: tuple[Screen, ...] = (Home(),)
    """The way from the home screen to the one that is seen."""
    peeking: bool = False
    """Has somebody asked to see what is hidden? In Codex: do they hold PEEK?"""
    by_finger: bool = False
    """Is it a finger on the screen that holds PEEK?"""
    peek_asked: PeekAsked | None = None
    """None while the table has answered every request to peek."""
    kept: float = 0.0
    """When the table was asked for a peek last, in seconds."""
    notice: Words | None = None
    """A sentence for whoever did something last: why it was refused."""
    lang: Lang = "en"
    """The language of the screen: that of the game, unless somebody chose another for it."""
    judged: Judged | None = None
    """What the referee answered last, whatever it was asked."""
    next_id: int = 1

    @property
    def screen(self) -> Screen:
        return self.screens[-1]

    @property
    def choices(self) -> tuple[Choice, ...]:
        return () if self.visible is None else self.screen.choices(self.visible)

    @property
    def visible(self) -> AnyTableMessage | None:
        """The table as far as the screen may show it now; for the key see `visible_key`."""
        if isinstance(self.table, CodexMessage) and not self.peeking:
            return veiled(self.table)
        return self.table

    @property
    def selected(self) -> int:
        """The place of the selected choice; 0 if there is none."""
        return max(0, min(self.screen.selected, len(self.choices) - 1))

    @property
    def can_peek(self) -> bool:
        """Is there a hidden key, and a grid on which it could be shown or hidden?"""
        if isinstance(self.table, CodexMessage):
            return inside(self.table) is not None
        public = None if self.table is None else self.table.public
        if public is None or public.key is not UNSET or public.outcome is not None:
            return False
        if public.placed is not UNSET:  # the teams are still laying out the cards
            return False
        return self.screen.has_grid and not self.shows_key and not self.screen.hides_key

    @property
    def wants_secrets(self) -> bool:
        """Is the table to send what is hidden?"""
        return self.peeking or self.shows_key or self.screen.needs_secrets

    @property
    def shows_key(self) -> bool:
        """Must the key be seen, whether somebody peeks or not?"""
        return any(screen.shows_key for screen in self.screens)

    def __repr__(self) -> str:
        return f"Model({type(self.screen).__name__}, key hidden)"

    def __rich_repr__(self) -> list[tuple[str, str]]:
        return [("screen", type(self.screen).__name__), ("key", "hidden")]


Step = tuple[Model, tuple[Request, ...]]
"""The console after something happened, and what it asks of the table."""


def update(model: Model, happening: Happening, now: float) -> Step:
    """Let something happen at ``now`` (seconds)."""
    after, requests = _updated(model, happening, now)
    if isinstance(happening, Connected | Disconnected):
        return after, requests
    if model.wants_secrets is not after.wants_secrets:
        return _ask_to_peek(after, requests, now)
    if after.wants_secrets and isinstance(happening, Input | Choose | Typed):
        return _renewed(after, requests, now)
    return after, requests


def _ask_to_peek(model: Model, requests: tuple[Request, ...], now: float) -> Step:
    """Ask the table for what is hidden, or not to send it any more."""
    table = model.table
    seat = None if table is None else peeking_seat(table)
    if table is None or seat is None:
        return model, requests
    if model.wants_secrets:
        model, request = _asking(model, {"seat": seat, "act": "peek"})
        asked = PeekAsked(request.id)
        return replace(model, peek_asked=asked, kept=now), (*requests, request)
    if table.peek is None and model.peek_asked is None:
        return model, requests  # it is over already
    model, request = _asking(model, {"seat": seat, "act": "unpeek"})
    return replace(model, peek_asked=PeekAsked(request.id)), (*requests, request)


def _renewed(model: Model, requests: tuple[Request, ...], now: float) -> Step:
    """A press keeps what is seen, before whatever else the press does."""
    table = model.table
    if table is None or table.peek is None or table.peek.left is None:
        return model, requests
    if model.peek_asked is not None or now - model.kept < KEPT_SECONDS:
        return model, requests
    model, request = _asking(model, {"seat": peeking_seat(table), "act": "peek"})
    asked = PeekAsked(request.id, renews=True)
    return replace(model, peek_asked=asked, kept=now), (request, *requests)


def peeking_seat(table: AnyTableMessage) -> str | None:
    """The seat in whose name somebody peeks; None where there is none."""
    if isinstance(table, CodexMessage):
        return None if table.door is None else table.door.seat.value
    return next((seat for seat in table.may if seat.endswith("-spymaster")), None)


def hides_in(model: Model, now: float) -> float | None:
    """The seconds until the key that is seen hides by itself, once they are few."""
    table = model.table
    if table is None or table.peek is None or table.peek.left is None:
        return None
    left = max(0.0, table.peek.left - (now - model.arrived))
    return left if left <= PEEK_ENDS and visible_key(model) is not None else None


def _updated(model: Model, happening: Happening, now: float) -> Step:
    match happening:
        case TableMessage() | CodexMessage():
            return _seen(model, happening, now), ()
        case Answer():
            return _answered(model, happening), ()
        case Judged():
            return replace(model, judged=happening), ()
        case Connected() | Disconnected() | Busy():
            return Model(next_id=model.next_id, lang=model.lang), ()
    if isinstance(happening, Lifted) or happening is Input.UNPEEK:
        return _let_go(model, happening), ()
    if model.table is None:
        return model, ()
    return _driven(replace(model, notice=None), model.table, happening)


def visible_key(model: Model) -> str | None:
    """The key's 25 letters, if the screen is to show them."""
    table = model.table
    if not isinstance(table, TableMessage) or table.public is None or model.screen.hides_key:
        return None
    if table.public.key is not UNSET:
        return table.public.key
    return table.key if model.peeking or model.shows_key else None


def home(table: AnyTableMessage) -> Screen:
    """The home screen of a table."""
    if isinstance(table, TableMessage):
        return Home()
    visit = inside(table)
    return Public() if visit is None else begin(table, visit)


def _seen(model: Model, table: AnyTableMessage, now: float) -> Model:
    """The table tells how it stands."""
    old = model.table
    same_game = old is not None and old.game == table.game
    screens = model.screens if same_game else ()
    screens = tuple(takewhile(lambda screen: screen.possible(table), screens))
    may_peek = table.peek is not None or model.peek_asked is not None
    if not may_peek:
        screens = tuple(takewhile(lambda screen: not screen.shows_key, screens))
    screens = screens or (home(table),)
    notice = model.notice
    if is_another_visit(old, table):
        cut_short = len(screens) < len(model.screens)
        notice = say("The visit is over.") if cut_short else None
    if old is None or moment(old) != moment(table):
        # What is likeliest to be wanted next has changed: the selection goes there.
        screens = tuple(_from_the_top(screen) for screen in screens)
    faults_are_new = old is None or table.faults != old.faults
    being_read = any(isinstance(screen, Faults) for screen in screens)
    if table.faults and faults_are_new and not being_read:
        screens = (*screens, Faults())
    return replace(
        model,
        table=table,
        arrived=now,
        screens=screens,
        notice=notice,
        lang=model.lang if same_game or table.game is None else language(table),
        peeking=model.peeking and may_peek and same_game and _same_secrets(old, table),
    )


def _from_the_top(screen: Screen) -> Screen:
    return (
        replace(screen, selected=0) if isinstance(screen, Home | More | Public | Seldom) else screen
    )


def _same_secrets(old: AnyTableMessage | None, table: AnyTableMessage) -> bool:
    """Was no new key drawn, or is it the same agent's visit?"""
    if isinstance(old, CodexMessage) and isinstance(table, CodexMessage):
        return inside(table) is not None and inside(table) == inside(old)
    return _new_keys(old) == _new_keys(table)


def _new_keys(table: AnyTableMessage | None) -> int:
    return table.public.new_keys if isinstance(table, TableMessage) and table.public else 0


def _answered(model: Model, answer: Answer) -> Model:
    """The table says what became of a request."""
    asked = model.peek_asked
    if asked is not None and asked.id == answer.id:
        model = replace(model, peek_asked=None)
        if not answer.ok:
            screens = tuple(takewhile(lambda screen: not screen.shows_key, model.screens))
            model = replace(model, peeking=False, screens=screens)
            return model if asked.renews else _refused(model, answer)
    if not answer.ok:
        return _refused(model, answer)
    try:
        screens = tuple(
            screen.hear(answer.told)
            if isinstance(screen, Told) and screen.asked == answer.id
            else screen
            for screen in model.screens
        )
    except msgspec.ValidationError:
        return replace(model, notice=say("The console does not understand the table’s answer."))
    return replace(model, screens=screens)


def _refused(model: Model, answer: Answer) -> Model:
    """Whoever asked for it is told why not, or else everybody."""
    sentence = Say(answer.sentence) if answer.sentence else say("The table refused that.")
    notice: Words | None = sentence
    screens: tuple[Screen, ...] = ()
    for screen in model.screens:
        kept: Screen | None = screen
        if isinstance(screen, Told) and screen.asked == answer.id:
            kept, notice = screen.refuse(sentence)
        if kept is not None:
            screens = (*screens, kept)
    return replace(model, notice=notice, screens=screens)


def _let_go(model: Model, by: Lifted | Input) -> Model:
    """What is only seen while PEEK is held is gone; the notice of what was tapped stays."""
    is_held_still = isinstance(by, Lifted) and not model.by_finger
    if is_held_still or not isinstance(model.table, CodexMessage):
        return model
    return replace(model, peeking=False, by_finger=False)


def _driven(model: Model, table: AnyTableMessage, by: Input | Choose | Typed) -> Step:
    """Somebody does something at the console."""
    match by:
        case Choose(target=Input.PEEK):
            return replace(_peeked(model), by_finger=True), ()
        case Choose(target=Input() as same):
            return _driven(model, table, same)
        case Choose(target=target):
            if target in model.choices:
                return _pressed(_select(model, model.choices.index(target)), table)
            return model, ()
        case Typed(sign=sign):
            return _typed(model, table, sign)
        case Input.PRESS:
            return _pressed(model, table)
        case Input.RIGHT:
            return _turned(model, 1), ()
        case Input.LEFT:
            return _turned(model, -1), ()
        case Input.BACK:
            return _gone_back(model, None), ()
        case Input.PEEK:
            return _peeked(model), ()
        case Input.UNPEEK:
            return model, ()


def _typed(model: Model, table: AnyTableMessage, sign: str) -> Step:
    effect = model.screen.typed(sign, table)
    if effect is not None:
        return _done(model, table, effect)
    if sign == ENTER:
        return _pressed(model, table)
    if sign in ("p", "P"):
        return _peeked(model), ()
    return model, ()


def _turned(model: Model, steps: int) -> Model:
    count = len(model.choices)
    return _select(model, (model.selected + steps) % count) if count else model


def _select(model: Model, selected: int) -> Model:
    return _on_top(model, replace(model.screen, selected=selected))


def _peeked(model: Model) -> Model:
    """In Codex PEEK shows for as long as it is held; elsewhere it shows and hides in turn."""
    if not model.can_peek:
        return model
    return replace(model, peeking=isinstance(model.table, CodexMessage) or not model.peeking)


def _pressed(model: Model, table: AnyTableMessage) -> Step:
    if not model.choices:
        return model, ()
    effect = model.choices[model.selected].does
    return (model, ()) if effect is None else _done(model, table, effect)


def _done(model: Model, table: AnyTableMessage, effect: Effect) -> Step:
    match effect:
        case Do(what=what):
            return _done(model, table, model.screen.does(what, table))
        case Ask(do=do, stay=stay):
            model, request = _asking(model, do)
            home, *others = model.screens
            screens = (home.asking(request), *(others if stay else ()))
            return replace(model, screens=screens), (request,)
        case Go(screen=screen, ask=None):
            peeking = model.peeking and not screen.hides_key
            return replace(model, screens=(*model.screens, screen), peeking=peeking), ()
        case Go(screen=screen, ask=do):
            assert do is not None
            model, request = _asking(model, {**do, "lang": model.lang})
            asked = replace(screen, asked=request.id)
            return replace(model, screens=(*model.screens, asked)), (request,)
        case Become(screen=screen):
            return _on_top(model, screen), ()
        case Return(below=below):
            return _gone_back(model, below), ()
    return replace(model, lang=_after(model.lang)), ()


def _after(lang: Lang) -> Lang:
    known = [*LANGUAGES]
    return known[(known.index(lang) + 1) % len(known)]


def _asking(model: Model, do: dict[str, Any]) -> tuple[Model, Request]:
    return replace(model, next_id=model.next_id + 1), Request(model.next_id, do)


def _gone_back(model: Model, below: Screen | None) -> Model:
    if len(model.screens) == 1:
        return _select(model, 0)
    *earlier, under, top = model.screens
    return replace(model, screens=(*earlier, below or top.behind(under)))


def _on_top(model: Model, screen: Screen) -> Model:
    return replace(model, screens=(*model.screens[:-1], screen))
