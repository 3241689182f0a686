"""Finds new pictures, announcements and messages. A picture or message is sent only if it differs
from the last one.

This module decides when an announcement is due, and when its light scene begins. The waits are the
constants of ``games/announcer/announcement.py``, such as `TENSION` before the answer to a guess.
"""

from msgspec.structs import replace

from pi_table.common.house_settings import brightness
from pi_table.common.language import LANGUAGES, translate
from pi_table.devices.lights.light import on_beat
from pi_table.devices.lights.picture import Attention, Look, Picture, Playing
from pi_table.devices.lights.scenes import SCENES
from pi_table.devices.lights.service import Tried
from pi_table.games.announcer.announcement import CANCEL_OTHERS, ECHO, TENSION, Announcement, What
from pi_table.games.announcer.announcer import announce
from pi_table.games.announcer.first_game import FirstGame
from pi_table.games.announcer.standing import RefusedTouch, Standing
from pi_table.games.rules import games
from pi_table.games.rules.games import AnyBoard
from pi_table.games.rules.seat import Role
from pi_table.protocols.ipc.messages import AnyView, Presence, Said
from pi_table.table.engine.families.registry import family_of
from pi_table.table.engine.outputs import Announce, Audience, Publish
from pi_table.table.engine.snapshot import Snapshot
from pi_table.table.engine.state.game_in_play import GameInPlay
from pi_table.table.engine.state.service import light_test

AFTER_AN_ANSWER = frozenset(
    {
        *(What.TURN, What.CLUE, What.COVER, What.HURRY, What.TIME_UP, What.EXPLAIN),
        *(What.CHALLENGE, What.ALLOWED, What.PENALTY, What.PHONE, What.CLOSING),
    }
)
"""Announcements that wait until people have seen and heard the answer to a guess.

If they came earlier, they would reveal whether the turn continues, or disturb the suspense. The
announcement of a refused touch is not among them: it waits only until the answer begins.
"""
MAX_ANNOUNCEMENTS = 8
"""Maximum number of announcements in a message. The newest is the last."""
LAST_SECONDS = 10.0
"""Seconds before the end of a countdown at which people are warned."""
ROUNDING_SECONDS = 1e-6
"""Largest rounding error when two times are added, in seconds."""


class Presenter:
    """Remembers the last announcements, picture and messages, to find new ones.

    The public gets a message only if something public has changed. If a hidden change also caused
    a message, the time of that message would reveal the change (ALL-1).
    """

    def __init__(self) -> None:
        self.wakes: float | None = None
        """Time of the next announcement that comes without an input; None if there is none."""
        self.said: tuple[Said, ...] = ()
        """The last announcements, in the form for messages."""
        self._standing: Standing | None = None
        self._of: tuple[AnyBoard, bool] | None = None
        """The source of the view in `_standing`: the board, and whether the players were urged."""
        self._playing: tuple[Playing, ...] = ()
        self.answered = 0.0
        """Time (seconds) at which people have seen and heard the answer to the latest guess."""
        self._unsaid: tuple[Announcement, ...] = ()
        """New announcements that `news` has not returned yet."""
        self._picture: Picture | None = None
        self._published: dict[Audience, tuple[object, ...]] = {}
        """For each audience, the data of its newest message. If the data change, a new message is
        sent."""

    def look(
        self, snapshot: Snapshot, attention: Attention, refused: RefusedTouch | None, now: float
    ) -> Picture | None:
        """Return the picture for the lights; None if it has not changed. This also finds the new
        announcements, because the lights show them. `news` returns these announcements."""
        standing = self._build_standing(snapshot, refused, now)
        said = () if standing == self._standing else announce(self._standing, standing)
        self._standing = standing
        if said:
            self._unsaid = self._each_in_its_time(said, now)
            self._play_scenes(self._unsaid, now)
        picture = Picture(
            standing, attention, self._playing, _look(snapshot), _light_test_of(snapshot)
        )
        if picture == self._picture:
            return None
        self._picture = picture
        return picture

    def news(self, snapshot: Snapshot, now: float) -> list[Announce | Publish]:
        """Return the new announcements, and the audiences that need a new message. Call `look`
        first."""
        standing, game = self._standing, snapshot.game
        assert standing is not None
        out: list[Announce | Publish] = []
        said, self._unsaid = self._unsaid, ()
        if said:
            self._remember(said)
            out.append(Announce(said, None if game is None else game.board.settings.lang))
        state, board = (None, None) if game is None else (game.state, game.board)
        presence = snapshot.idle.presence
        shut = standing.out_of_order, standing.service, standing.out_of_service
        seen = (*shut, standing.urging, self.said, presence, standing.seated)
        if self._is_new(Audience.PUBLIC, board, *seen, standing.marks, snapshot.tonight):
            out.append(Publish(Audience.PUBLIC))
        more = (snapshot.faults, snapshot.closed, snapshot.peek, snapshot.house, snapshot.lock)
        pages = (
            snapshot.phones.relayed and snapshot.phones.address,
            snapshot.phones.seat_phones(now),
        )
        service = snapshot.service
        tries = None if service is None else (service, snapshot.touch, snapshot.counts)
        line = snapshot.line
        desk = line.link, line.state(now), line.handshake.tried, snapshot.desk.is_open
        packs = snapshot.every_pack
        if self._is_new(Audience.CONSOLE, state, *seen, *more, tries, pages, *desk, packs):
            out.append(Publish(Audience.CONSOLE))
        touch, in_force = snapshot.touch, snapshot.in_force
        fares = (snapshot.faults, standing.out_of_order, touch.deaf, touch.blocked)
        orders = (standing.located, in_force.free_until is not None, snapshot.house)
        finds = (snapshot.latest, snapshot.time_of_day, snapshot.closed)
        if self._is_new(Audience.HOUSE, None, *fares, *orders, *finds):
            out.append(Publish(Audience.HOUSE))
        return out

    def _build_standing(
        self, snapshot: Snapshot, refused: RefusedTouch | None, now: float
    ) -> Standing:
        self.wakes = None
        presence = snapshot.idle.presence
        standing = Standing(
            blocked=snapshot.touch.blocked,
            out_of_order=snapshot.out_of_order,
            service=snapshot.service is not None,
            out_of_service=snapshot.out_of_service,
            located=snapshot.in_force.located_until is not None,
            closing=snapshot.in_force.closing,
            asks=presence is Presence.ASKED,
            sleeps=presence is Presence.IDLE,
            refused=refused,
        )
        game, peek = snapshot.game, snapshot.peek
        if game is None:
            return standing
        family, time = family_of(game.board), game.time(now)
        urging = family.urging(game.board, time)
        view, at, first_game = self._view(game, urging, time)
        return replace(
            standing,
            view=view,
            game=game.number,
            first_game=first_game,
            at=at,
            hurry=self._hurries(game, now),
            urging=urging,
            hourglass=family.has_hourglass(game.board),
            peeking=peek is not None and peek.seat.role is Role.SPYMASTER,
            seated=snapshot.seated,
            has_screen=snapshot.has_screen,
            marks=tuple(snapshot.marks.by_name),
        )

    def _view(
        self, game: GameInPlay, urging: bool, time: float
    ) -> tuple[AnyView, float, FirstGame]:
        """Return the public view, the time at which it was made, and the progress of first-time
        players. The last result is reused until the board or ``urging`` changes."""
        before = self._standing or Standing()
        is_new = self._of is None or self._of[0] is not game.board or self._of[1] is not urging
        if not is_new and before.view is not None:
            return before.view, before.at, before.first_game
        self._of = game.board, urging
        view = games.public_view(game.board, time)
        return view, time, before.first_game.after(view, game.board.settings)

    def _hurries(self, game: GameInPlay, now: float) -> bool:
        """True in the last seconds of a countdown. If they have not begun yet, set `wakes` to the
        time at which they begin."""
        countdown = family_of(game.board).announced_countdown(game.board)
        if countdown is None or countdown.ends is None:
            return False
        ends = game.zero + countdown.ends
        if now >= ends:
            return False
        if now < ends - LAST_SECONDS - ROUNDING_SECONDS:
            self.wakes = ends - LAST_SECONDS
            return False
        return True

    def _each_in_its_time(
        self, said: tuple[Announcement, ...], now: float
    ) -> tuple[Announcement, ...]:
        """Delay announcements that must not come before the answer to a guess."""
        now = on_beat(now)
        kinds = {each.what for each in said}
        if kinds & CANCEL_OTHERS:
            self.answered = now
        waits = dict.fromkeys(AFTER_AN_ANSWER, round(max(0.0, self.answered - now), 3))
        waits[What.REFUSED] = round(max(0.0, self.answered - ECHO - now), 3)
        if What.REVEALING in kinds:
            self.answered = now + TENSION + ECHO
        return tuple(
            replace(each, after=max(each.after, waits.get(each.what, 0.0))) for each in said
        )

    def _play_scenes(self, said: tuple[Announcement, ...], now: float) -> None:
        now = on_beat(now)
        still = [each for each in self._playing if now < each.at + SCENES[each.said.what].seconds]
        if any(each.what in CANCEL_OTHERS for each in said):
            still = []
        new = [Playing(each, now + each.after) for each in said if each.what in SCENES]
        self._playing = tuple(sorted([*still, *new], key=lambda each: each.at))

    def _remember(self, said: tuple[Announcement, ...]) -> None:
        number = self.said[-1].number if self.said else 0
        told = [_as_said(number + index, each) for index, each in enumerate(said, start=1)]
        self.said = (*self.said, *told)[-MAX_ANNOUNCEMENTS:]

    def _is_new(self, audience: Audience, of_the_game: object, *more: object) -> bool:
        newest = self._published.get(audience)
        if newest is not None and newest[0] is of_the_game and newest[1:] == more:
            return False
        self._published[audience] = of_the_game, *more
        return True


def _look(snapshot: Snapshot) -> Look:
    """Return the house's light settings for this time of the day."""
    house = snapshot.house
    share = brightness(house, snapshot.time_of_day) / 100
    return Look(house.palette, share, house.idle_lights and not snapshot.out_of_service)


def _light_test_of(snapshot: Snapshot) -> Tried | None:
    service, touch = snapshot.service, snapshot.touch
    return None if service is None else light_test(service, touch.touched, touch.deaf | touch.noisy)


def _as_said(number: int, said: Announcement) -> Said:
    return Said(
        number,
        said.what.value,
        {lang: translate(said.words, lang) for lang in LANGUAGES},
        said.after,
        said.spoken,
    )
