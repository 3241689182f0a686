"""The tiles of the games: all at once, on every screen, in the order of the encoder."""

import pytest
from every_screen import LOOKS
from msgspec.structs import replace
from playing import Desk, RulesTable, choose

from pi_table.common.language import LANGUAGES, Lang, translate
from pi_table.devices.hal.contracts import Input
from pi_table.games.lines.offers import OFFERS
from pi_table.games.rules.profile import PROFILES
from pi_table.protocols.ipc.messages import Answer
from pi_table.screens.console import style
from pi_table.screens.console.console_events import Choose
from pi_table.screens.console.game_tiles import EMBLEMS, GameTile, game_tiles
from pi_table.screens.console.games_on_offer import Games
from pi_table.screens.console.layout import Box
from pi_table.screens.console.look import convert_scene
from pi_table.screens.console.painter import measure
from pi_table.screens.console.scene import scene
from pi_table.screens.console.screen import Choice, NewGame
from pi_table.screens.console.setup import Setup, title
from pi_table.screens.console.shapes import Face, Rect, Scene, Text, hit
from pi_table.screens.console.text_setting import set_text

every_look = pytest.mark.parametrize("name", LOOKS)
every_language = pytest.mark.parametrize("lang", LANGUAGES)


def games(name: str, lang: Lang = "en") -> Desk:
    """The list of games on a screen that looks like this."""
    desk = choose(Desk(RulesTable().begin()), "New game…")
    desk.model = replace(desk.model, lang=lang, layout=LOOKS[name].layout)
    return desk


def tiles(found: Scene) -> list[Rect]:
    """Return the tiles that choose a game, in drawing order."""
    return [
        shape
        for shape in found
        if isinstance(shape, Rect) and isinstance(shape.target, Choice) and shape.target.does
    ]


@every_language
@every_look
def test_title_players_minutes_and_sentence_of_every_game_are_seen_at_once(
    name: str, lang: Lang
) -> None:
    texts = games(name, lang).texts
    assert {*OFFERS} == {*EMBLEMS} == {*PROFILES}
    for profile, offer in OFFERS.items():
        assert translate(title(profile), lang) in texts
        assert translate(offer.sentence, lang) in texts
        assert any(offer.minutes in text and offer.players in text for text in texts)


@every_language
@every_look
def test_all_tiles_are_set_in_the_same_type(name: str, lang: Lang) -> None:
    look = LOOKS[name]
    model = games(name, lang).model
    found = [shape for shape in convert_scene(scene(model, 0.0), look) if isinstance(shape, Text)]
    for of_a_game in (
        {translate(title(profile), lang) for profile in PROFILES},
        {translate(offer.sentence, lang) for offer in OFFERS.values()},
    ):
        settings = [set_text(text, measure) for text in found if text.text in of_a_game]
        assert len(settings) == len(PROFILES)
        assert len({(each.face, each.size) for each in settings}) == 1
        assert all(each.squeezed == 1.0 for each in settings)


@pytest.mark.parametrize("name", ["800 × 480, 7 inches", "1024 × 600, 7 inches"])
def test_screens_of_seven_inches_have_room_for_the_wide_face_and_a_question(name: str) -> None:
    desk = games(name)
    sentence = translate(OFFERS["codex"].sentence, "en")
    faces = [
        shape.face for shape in desk.scene if isinstance(shape, Text) and shape.text == sentence
    ]
    assert faces == [Face.PLAIN]
    assert desk.texts[0] == "Which game?"


@every_look
def test_the_encoder_goes_through_them_in_the_order_of_reading(name: str) -> None:
    desk = games(name)
    found = tiles(desk.scene)
    assert [tile.target for tile in found] == [*desk.model.choices]
    assert found == sorted(found, key=lambda tile: (round(tile.y), tile.x))


@every_look
def test_the_selected_one_alone_is_marked_over_all_of_it(name: str) -> None:
    desk = games(name)
    for selected in range(len(PROFILES)):
        found = desk.scene
        (marked,) = (
            shape for shape in found if isinstance(shape, Rect) and shape.fill == style.ACCENT
        )
        felt = tiles(found)[selected]
        assert marked.w >= felt.w - 2 * style.GAP
        assert marked.h >= felt.h - 2 * style.GAP
        assert hit(found, marked.x + 1, marked.y + 1) == desk.model.choices[selected]
        desk.happen(Input.RIGHT)


@every_look
def test_a_touch_anywhere_on_a_tile_opens_its_game(name: str) -> None:
    desk = games(name)
    for profile, tile in zip(PROFILES, tiles(desk.scene), strict=True):
        for across, down in ((0.02, 0.02), (0.1, 0.3), (0.5, 0.5), (0.98, 0.98)):
            target = hit(desk.scene, tile.x + across * tile.w, tile.y + down * tile.h)
            desk.happen(Choose(target))
            assert isinstance(desk.model.screen, Setup)
            assert desk.model.screen.profile == profile
            desk.happen(Input.BACK)


@every_look
def test_what_the_table_refused_is_read_beside_the_tiles(name: str) -> None:
    desk = games(name).happen(Answer(99, False, "x", "The journal is full."))
    assert "The journal is full." in desk.texts


BOX = Box(8, 8, 640, 350)


def many(count: int, selected: int) -> Scene:
    """More games than there are, as tiles."""
    offer, emblem = OFFERS["codenames"], EMBLEMS["codenames"]
    return game_tiles(
        BOX,
        [GameTile(Choice(str(n), NewGame()), offer.sentence, emblem) for n in range(count)],
        selected,
    )


@pytest.mark.parametrize("count", [*range(1, 7)])
def test_few_games_fill_the_page(count: int) -> None:
    found = many(count, 0)
    assert len(tiles(found)) == count
    drawn = [shape for shape in found if isinstance(shape, Rect) and shape.target is None]
    assert max(tile.y + tile.h for tile in drawn) == pytest.approx(BOX.y + BOX.h)
    assert max(tile.x + tile.w for tile in drawn) == pytest.approx(BOX.x + BOX.w)
    assert Input.LEFT not in [shape.target for shape in found if isinstance(shape, Rect)]


@pytest.mark.parametrize("count", [7, 8, 11])
def test_of_too_many_games_those_around_the_selected_one_are_seen_beside_a_bar(count: int) -> None:
    seen = set()
    for selected in range(count):
        found = many(count, selected)
        labels = [tile.target.label for tile in tiles(found) if isinstance(tile.target, Choice)]
        (marked,) = (
            shape for shape in found if isinstance(shape, Rect) and shape.fill == style.ACCENT
        )
        target = hit(found, marked.x + 1, marked.y + 1)
        assert isinstance(target, Choice)
        assert target.label == str(selected)
        seen |= {*labels}
        for shape in found:
            if isinstance(shape, Rect | Text):
                assert BOX.x - style.GAP <= shape.x
                assert shape.x + shape.w <= BOX.x + BOX.w + style.GAP
                assert BOX.y - style.GAP <= shape.y
                assert shape.y + shape.h <= BOX.y + BOX.h + style.GAP
        targets = [shape.target for shape in found if isinstance(shape, Rect)]
        assert Input.LEFT in targets
        assert Input.RIGHT in targets
    assert len(seen) == count


def test_the_game_that_was_played_last_is_selected() -> None:
    table = RulesTable(profile="nome-in-codice", lang="en").begin().do("operator", "abandon")
    desk = choose(Desk(table), "New game…")
    assert isinstance(desk.model.screen, Games)
    assert [*PROFILES][desk.model.selected] == "nome-in-codice"
