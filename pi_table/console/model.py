"""What the console knows and shows, and how each thing that happens changes it. Pure."""

from itertools import takewhile
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from pi_table.console.clue_entry import ENTER
from pi_table.console.happenings import Choose, Happening, Typed
from pi_table.console.menus import Home, More
from pi_table.console.reading import Faults
from pi_table.console.screen import Ask, Become, Choice, Effect, Go, Screen, Told, moment
from pi_table.hal.contracts import Input
from pi_table.ipc.client import Connected, Disconnected
from pi_table.ipc.messages import Answer, Request, TableMessage


class Model(msgspec.Struct, frozen=True):
    """The console at one instant."""

    table: TableMessage | None = None
    """The latest message, None while the table is away."""
    arrived: float = 0.0
    """When it came, in seconds."""
    screens: tuple[Screen, ...] = (Home(),)
    """The way from the home screen to the one that is seen."""
    peeking: bool = False
    notice: str | None = None
    """A sentence for whoever did something last: why it was refused."""
    next_id: int = 1

    @property
    def screen(self) -> Screen:
        return self.screens[-1]

    @property
    def choices(self) -> tuple[Choice, ...]:
        return () if self.table is None else self.screen.choices(self.table)

    @property
    def selected(self) -> int:
        """The place of the selected choice; 0 if there is none."""
        return max(0, min(self.screen.selected, len(self.choices) - 1))

    @property
    def can_peek(self) -> bool:
        """Is there a grid on which the key could be shown or hidden?"""
        public = None if self.table is None else self.table.public
        if public is None or public.key is not UNSET:
            return False
        return self.screen.has_grid and not self.shows_key

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
    match happening:
        case TableMessage():
            return _seen(model, happening, now), ()
        case Answer():
            return _answered(model, happening), ()
        case Connected() | Disconnected():
            return Model(next_id=model.next_id), ()
    if model.table is None:
        return model, ()
    return _driven(replace(model, notice=None), model.table, happening)


def visible_key(model: Model) -> str | None:
    """The key's 25 letters, if the screen is to show them."""
    table = model.table
    if table is None or table.public is None:
        return None
    if table.public.key is not UNSET:
        return table.public.key
    return table.key if model.peeking or model.shows_key else None


def _seen(model: Model, table: TableMessage, now: float) -> Model:
    """The table tells how it stands."""
    old = model.table
    same_game = old is not None and old.game == table.game
    screens = model.screens if same_game else (Home(),)
    screens = tuple(takewhile(lambda screen: screen.possible(table), screens))
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
        peeking=model.peeking and same_game and _new_keys(old) == _new_keys(table),
    )


def _from_the_top(screen: Screen) -> Screen:
    return replace(screen, selected=0) if isinstance(screen, Home | More) else screen


def _new_keys(table: TableMessage | None) -> int:
    return 0 if table is None or table.public is None else table.public.new_keys


def _answered(model: Model, answer: Answer) -> Model:
    """The table says what became of a request."""
    asking = [screen for screen in model.screens if _asked_by(screen, answer)]
    if not answer.ok:
        screens = tuple(screen for screen in model.screens if screen not in asking)
        sentence = answer.sentence or "The table refused that."
        return replace(model, notice=sentence, screens=screens)
    try:
        screens = tuple(
            screen.hear(answer.told) if isinstance(screen, Told) and screen in asking else screen
            for screen in model.screens
        )
    except msgspec.ValidationError:
        return replace(model, notice="The console does not understand the table’s answer.")
    return replace(model, screens=screens)


def _asked_by(screen: Screen, answer: Answer) -> bool:
    return isinstance(screen, Told) and screen.asked == answer.id


def _driven(model: Model, table: TableMessage, by: Input | Choose | Typed) -> Step:
    """Somebody does something at the console."""
    match by:
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


def _typed(model: Model, table: TableMessage, sign: str) -> Step:
    effect = model.screen.typed(sign, table)
    if effect is not None:
        return _done(model, effect)
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
    return replace(model, peeking=not model.peeking) if model.can_peek else model


def _pressed(model: Model, table: TableMessage) -> Step:
    if not model.choices:
        return model, ()
    effect = model.choices[model.selected].does
    return (model, ()) if effect is None else _done(model, effect)


def _done(model: Model, effect: Effect) -> Step:
    match effect:
        case Ask(do=do):
            model, request = _asking(model, do)
            return replace(model, screens=model.screens[:1]), (request,)
        case Go(screen=screen, ask=None):
            return replace(model, screens=(*model.screens, screen)), ()
        case Go(screen=screen, ask=do):
            assert do is not None
            model, request = _asking(model, do)
            asked = replace(screen, asked=request.id)
            return replace(model, screens=(*model.screens, asked)), (request,)
        case Become(screen=screen):
            return _on_top(model, screen), ()
    return _gone_back(model, effect.below), ()


def _asking(model: Model, do: dict[str, Any]) -> tuple[Model, Request]:
    return replace(model, next_id=model.next_id + 1), Request(model.next_id, do)


def _gone_back(model: Model, below: Screen | None) -> Model:
    if len(model.screens) == 1:
        return _select(model, 0)
    *earlier, under, top = model.screens
    return replace(model, screens=(*earlier, below or top.behind(under)))


def _on_top(model: Model, screen: Screen) -> Model:
    return replace(model, screens=(*model.screens[:-1], screen))
