"""Renders the picture of an evening: the table in a bar, in the middle of a game, with its players.

`make -C enclosure evening` writes files/pictures/evening.png. The box's shapes are those of
assembly.py, words and lights those of the simulator. A path tracer (Mitsuba) and a denoiser (Open
Image Denoise) need 210 s of processor time. Each run gives slightly other pixels.

Nobody therefore compares the picture with a new one. Its text has hashes of what it shows instead:
`checks/evening.py` compares the box's, `tests/enclosure/test_evening_picture.py` the game's.
Lengths are in mm, in the table's coordinates.
"""

import argparse
import math
import random
from functools import cache
from pathlib import Path
from typing import Final

import mitsuba
import numpy as np
import pyoidn
from PIL import Image, ImageDraw, ImageFont
from PIL.PngImagePlugin import PngInfo
from scipy.ndimage import gaussian_filter

from enclosure.assembly import PARTS
from enclosure.checks import evening as checks
from enclosure.checks import table
from enclosure.checks.evening import CAMERA, LOOK, PICTURE, VIEW
from enclosure.dimensions import MM
from enclosure.guests import Guest, Mesh, shapes
from enclosure.levels import (
    COVER_TOP,
    FAR,
    FLOOR,
    GLASS,
    LEAN,
    MIDDLE,
    NEAR,
    OVERLAY_TOP,
    RIGHT,
    SCREEN_MIDDLE,
)
from enclosure.parts import bought, overlay
from enclosure.places import TILES
from enclosure.played import Game, read_game
from enclosure.scene import (
    BEER,
    BIRCH,
    BLACK,
    BOARDS,
    EDGE,
    FOAM,
    METAL,
    OAK,
    PLASTER,
    SHADE,
    WINE,
    Array,
    Colour,
    Paint,
    Scene,
    Transform,
    drawing,
)

SIZE: Final = (1600, 1000)
SAMPLES: Final = 20
"""Paths of light for each pixel, before the noise is removed."""
GROUND: Final = FLOOR - 740.0
"""z of the room's floor, under a table of 740 mm."""
WALL: Final = 2600.0
"""y of the wall behind the spymasters."""
FONT: Final = "pi_table/screens/console/typefaces/BarlowCondensed-SemiBold.ttf"
DOTS: Final = 2
"""Points per mm of the drawings of sheet and lights."""
FULL: Final = 26.0
"""Light of the sheet straight above an LED of full power. White paper under the dim lamp has about
0.3, as seen in the picture; in the simulator's brighter room an LED is ten times as bright as paper
(both estimated, not measured)."""
CARD_PASSES: Final = 0.13
"""Share of the sheet's light that a card lets through, as in the simulator's glow.py."""


def add_box(scene: Scene) -> None:
    """Add the parts of the box that can be seen from outside."""
    materials = {part.name: part.material for part in PARTS}
    loose = {part.name for part in PARTS if part.step == 0} | {"screen"}
    for number, body in enumerate(checks.seen(table.bodies())):
        if body.part in loose:
            continue
        corners, across = body.mesh.triangles, body.mesh.face_normals
        box = np.ptp(body.mesh.bounds, axis=0)
        thin, _, long = np.argsort(box)
        wide = 3 - thin - long
        flat = abs(across[:, thin]) > 0.7
        looks = {BLACK: flat | ~flat}
        if body.part in ("knob", "button"):
            looks = {METAL: flat | ~flat}
        elif "plywood" in materials[body.part] and "plate" not in body.part:
            looks = {EDGE: ~flat, BIRCH: flat}
        for paint, some in looks.items():
            if not some.any():
                continue
            points = corners[some].reshape(-1, 3)
            drawn = points[:, [long, wide]] / [600, 260] + [0.37 * number, 0.61 * number]
            if paint is EDGE:  # across the sheet, from its lower to its upper face
                layer = (points[:, thin] - body.mesh.bounds[0][thin]) / box[thin]
                drawn = np.c_[layer * 0, 0.05 + 0.9 * layer]
            scene.add_mesh(points, np.arange(len(points)).reshape(-1, 3), paint, None, drawn)


def glow(game: Game) -> Array:
    """Return the light that leaves the sheet, as a drawing: each LED shines on the sheet above it,
    its cell's white walls reflect it, the electrode keeps it off, and the sheet scatters it."""
    x = np.arange(-RIGHT, RIGHT, 1 / DOTS) + 0.5 / DOTS
    y = (np.arange(FAR, NEAR, -1 / DOTS) - 0.5 / DOTS)[:, None]
    found = np.zeros((len(y), len(x), 3))
    deep, half = MM["light_depth"] - 1.6, (MM["pitch_across"] / 2, MM["pitch_down"] / 2)
    leds = iter(game.leds)
    for i, (middle_x, middle_y) in enumerate(TILES):
        right, up = x - middle_x, y - middle_y
        here = (abs(right) < half[0] - MM["wall"] / 2) & (abs(up) < half[1] - MM["wall"] / 2)
        over = np.minimum(
            MM["electrode_across"] / 2 - abs(right), MM["electrode_down"] / 2 - abs(up)
        )
        passes = here * np.exp(-np.maximum(0, over) / 3)  # 3 mm as in the simulator's glow.py
        for side, far in ((-1, 1), (1, 1), (1, -1), (-1, -1))[: 4 if i < 25 else 2]:
            at = (side * MM["led_across"] / 2, far * MM["led_down"] / 2)
            light = 0.006
            for from_x, share_x in ((at[0], 1.0), (side * 2 * half[0] - at[0], 0.85)):
                for from_y, share_y in ((at[1], 1.0), (far * 2 * half[1] - at[1], 0.85)):
                    away = ((right - from_x) ** 2 + (up - from_y) ** 2) / deep**2
                    light = light + share_x * share_y / (1 + away) ** 2
            found += (light * passes)[..., None] * _linear(next(leds))
    near, wide = (gaussian_filter(found, (s * DOTS, s * DOTS, 0)) for s in (2.2, 14))
    return np.asarray(FULL * (0.85 * near + 0.15 * wide))


def _linear(colour: str) -> Array:
    return (np.array([*bytes.fromhex(colour[1:])]) / 255) ** 2.2


def add_surface(scene: Scene, game: Game) -> None:
    """Add the sheet with its engraved lines and its light, and the cards with their words."""
    light = glow(game)
    sheet = Image.new("L", light.shape[1::-1], 172)
    pen = ImageDraw.Draw(sheet)
    for edge in overlay.engraving():
        ends = [edge.position_at(share / 12) for share in range(13)]
        pen.line([((p.X + RIGHT) * DOTS, (FAR - MIDDLE - p.Y) * DOTS) for p in ends], 12, 1)
    paper = (np.asarray(sheet) / 255)[..., None] ** 2.2 * np.array([1, 0.98, 0.93])
    quad = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    faces = np.array([[0, 1, 2], [0, 2, 3]])
    ends = quad * [RIGHT, (FAR - NEAR) / 2] + [0, MIDDLE]
    upright = (quad * [1, -1] + 1) / 2
    place = np.c_[ends, np.full(4, OVERLAY_TOP + 0.05)]
    scene.add_mesh(place, faces, Paint(paper, 0.06), light, upright)

    # Nobody lays a card down quite straight.
    chance = random.Random(5)
    box = bought.card_large().bounding_box().size
    dots = 6
    font = ImageFont.truetype(FONT, 25 * dots)
    for word, (x, y) in zip(game.words, TILES, strict=False):
        card = Image.new("RGB", (round(box.X * dots), round(box.Y * dots)), (246, 240, 226))
        pen = ImageDraw.Draw(card)
        frame = (2 * dots, 2 * dots, card.width - 2 * dots, card.height - 2 * dots)
        pen.rounded_rectangle(frame, 3 * dots, outline=(170, 160, 140), width=2)
        pen.text((card.width / 2, card.height / 2), word, (22, 20, 20), font, anchor="mm")
        turned = chance.gauss(0, 0.012)
        turn = np.array([[1, turned], [-turned, 1]])
        at = [x + chance.gauss(0, 0.6), y + chance.gauss(0, 0.6)]
        place = np.c_[quad * [box.X / 2, box.Y / 2] @ turn + at, np.full(4, OVERLAY_TOP + box.Z)]
        left, top = round((x - box.X / 2 + RIGHT) * DOTS), round((FAR - y - box.Y / 2) * DOTS)
        below = light[top : top + round(box.Y * DOTS), left : left + round(box.X * DOTS)]
        ink = np.asarray(card.convert("L").resize(below.shape[1::-1]))[..., None] / 255
        paint = Paint((np.asarray(card) / 255) ** 2.2)
        scene.add_mesh(place, faces, paint, CARD_PASSES * below * ink**2, upright)


def add_room(scene: Scene) -> None:
    """Add the bar: its table with glasses, lamps, and bottles on a wall."""
    chance = random.Random(11)
    move = Transform().translate
    scene.add("cube", OAK, to_world=move([0, 50, FLOOR - 18]).scale([610, 465, 18]))
    scene.add_post((0, 40, GROUND), 60, 700, BLACK)
    scene.add("rectangle", BOARDS, to_world=move([0, 0, GROUND]).scale([5000, 5000, 1]))
    scene.add("rectangle", PLASTER, to_world=move([0, WALL, 0]).rotate([1, 0, 0], 90).scale(6000))
    scene.add("rectangle", PLASTER, to_world=move([2800, 0, 0]).rotate([0, 1, 0], -90).scale(6000))
    for z in (GROUND + 930, GROUND + 1330):
        scene.add("cube", OAK, to_world=move([300, WALL - 120, z - 15]).scale([2100, 120, 15]))
        strip = move([300, WALL - 10, z + 12]).rotate([1, 0, 0], 90).scale([2050, 9, 1])
        scene.add("rectangle", BLACK, (9, 4.6, 1.7), to_world=strip)
        x = -1750.0
        while x < 2300:
            x += chance.uniform(75, 150) + chance.choice([0, 0, 0, 0, 250])
            high, wide = chance.uniform(210, 300), chance.uniform(32, 45)
            glass = Paint(chance.choice(BOTTLES), 0.08)
            scene.add_post((x, WALL - 130, z), wide, 0.62 * high, glass)
            scene.add_post((x, WALL - 130, z + 0.62 * high), 0.36 * wide, 0.38 * high, glass)
    for x, y, z, bright in LAMPS:
        down = move([x, y, z]).rotate([1, 0, 0], 180).scale(110)
        scene.add("disk", BLACK, (bright, 0.6 * bright, 0.28 * bright), to_world=down)
        scene.add("cylinder", SHADE, p0=[x, y, z - 10], p1=[x, y, z + 150], radius=116)
    for x, y, high, wide, drink, top in GLASSES:
        full = 0.78 * high
        scene.add_post((x, y, FLOOR + 8), wide - 2, full, drink, top)
        if not scene.plain:
            scene.things[f"glass-{x}"] = {
                "type": "cylinder",
                "p0": [x, y, FLOOR + 1],
                "p1": [x, y, FLOOR + high],
                "radius": wide,
                "bsdf": {"type": "thindielectric"},
            }
    # A window to the street on the left, and the light of the hidden screen on two faces.
    window = Transform().look_at(origin=[-2600, -1800, 900], target=[0, 0, 100], up=[0, 0, 1])
    scene.add("rectangle", BLACK, (0.95, 0.75, 0.55), to_world=window.scale([500, 700, 1]))
    screen = move([0, GLASS + 1, SCREEN_MIDDLE]).rotate([1, 0, 0], math.degrees(LEAN) - 90)
    size = [MM["visible_across"] / 2, MM["visible_up"] / 2, 1]
    scene.add("rectangle", BLACK, (4.5, 4.9, 6.0), to_world=screen.scale(size))


BOTTLES: Final = (
    *((0.02, 0.1, 0.03), (0.22, 0.07, 0.01), (0.35, 0.28, 0.2)),
    *((0.1, 0.012, 0.012), (0.02, 0.05, 0.12), (0.28, 0.16, 0.03)),
)
LAMPS: Final = (
    (0, 60, FLOOR + 1250, 62),
    (-1500, 1500, FLOOR + 1250, 75),
    (1500, 1300, FLOOR + 1250, 75),
)
"""x, y, z and brightness of each lamp."""
GLASSES: Final = (
    (-430, -250, 150, 37, BEER, FOAM),
    (440, -190, 150, 37, BEER, FOAM),
    (-440, 200, 95, 40, WINE, WINE),
    (450, 190, 150, 37, BEER, FOAM),
)
"""x, y, height, radius, drink and its top of each glass."""
ON_BAR: Final = FLOOR + 30
ON_COVER: Final = COVER_TOP + 20
GUESTS: Final = (
    Guest(
        (-385, -680), -0.16, 1.0, 0.17, ((-450, -345, ON_BAR), (-100, -86, OVERLAY_TOP + 6)),
        (0.3, 0.055, 0.03), (0.5, 0.27, 0.17), (0.035, 0.016, 0.008), 0.1, -0.2, points=True,
    ),
    Guest(
        (755, 190), 1.65, 0.96, 0.21, ((520, 40, ON_BAR), (560, 330, ON_BAR)),
        (0.42, 0.27, 0.05), (0.28, 0.13, 0.07), (0.012, 0.008, 0.006), 0.25, 0.1, style="bun",
    ),
    Guest(
        (-800, 260), -1.7, 1.03, 0.14, ((-560, 420, ON_BAR), (-545, 90, ON_BAR)),
        (0.05, 0.14, 0.15), (0.55, 0.32, 0.22), (0.16, 0.075, 0.025), 0.2,
    ),
    Guest(
        (-235, 700), math.pi - 0.12, 0.98, 0.3, ((-165, 395, ON_COVER), (-285, 400, ON_COVER)),
        (0.12, 0.16, 0.36), (0.52, 0.3, 0.2), (0.05, 0.022, 0.01), 0.3, 0.05, -110, "long",
    ),
    Guest(
        (235, 700), math.pi + 0.12, 1.02, 0.3, ((285, 400, ON_COVER), (165, 395, ON_COVER)),
        (0.55, 0.5, 0.4), (0.36, 0.19, 0.11), (0.02, 0.012, 0.008), 0.3, -0.05, 110,
    ),
)  # fmt: skip
"""Three operatives, one of whom holds a finger on `played.HELD`, and two spymasters."""


@cache
def _shapes(guest: Guest) -> list[tuple[Mesh, Colour]]:
    return [*shapes(guest, GROUND)]


def render(game: Game, size: tuple[int, int], samples: int, plain: bool) -> Array:
    """Return the light of each pixel."""
    scene = Scene(plain)
    add_box(scene)
    add_surface(scene, game)
    add_room(scene)
    for guest in GUESTS:
        for (corners, faces), colour in _shapes(guest):
            scene.add_mesh(corners, faces, Paint(colour))
        x, y = guest.place
        scene.add_post((x, y, GROUND + 425), 185, 25, BLACK)
    eye = Transform().look_at(origin=[*CAMERA], target=[*LOOK], up=[0, 0, 1])
    scene.things |= {
        "camera": {
            "type": "thinlens",
            "fov": VIEW,
            "aperture_radius": 6.0,
            "focus_distance": math.dist(CAMERA, (0, 0, 0)),
            "to_world": eye,
            "film": {
                "type": "hdrfilm",
                "width": size[0],
                "height": size[1],
                "rfilter": {"type": "box"},
            },
            "sampler": {"type": "independent", "sample_count": samples, "seed": 1},
        },
        "integrator": {"type": "path", "max_depth": 1 if plain else 5},
    }
    if not plain:
        scene.things["air"] = {"type": "constant", "radiance": drawing((0.016, 0.016, 0.02))}
    return np.array(mitsuba.render(mitsuba.load_dict(scene.things)))[..., :3]


def develop(light: Array, exposure: float = 1.35) -> Image.Image:
    """Return the picture that a camera would take: bright light spreads a little, and keeps its
    colour."""
    blur = light.shape[1] / SIZE[0]
    spread = sum(
        share * gaussian_filter(np.minimum(light, 8), (blur * wide, blur * wide, 0))
        for wide, share in ((6, 0.05), (24, 0.035), (80, 0.02))
    )
    light = exposure * (0.9 * light + spread)
    most = light.max(axis=2, keepdims=True) + 1e-6
    shown = 0.8 * light * (1 - np.exp(-most)) / most + 0.2 * (1 - np.exp(-light))
    shown = np.clip(shown, 0, 1) ** (1 / 2.2)
    shown += 0.3 * (3 * shown**2 - 2 * shown**3 - shown)  # more contrast
    whole = Image.fromarray((255 * shown + 0.5).astype(np.uint8))
    return whole.quantize(palette=whole.quantize(256, kmeans=2))  # 600 kB, not 900


def main() -> None:
    parser = argparse.ArgumentParser(description="Renders the picture of an evening.")
    parser.add_argument("lights", type=Path, help="the simulator's lights.jsonl")
    parser.add_argument("--out", type=Path, default=PICTURE)
    parser.add_argument("--width", type=int, default=SIZE[0], help="smaller for a trial")
    parser.add_argument("--samples", type=int, default=SAMPLES)
    asked = parser.parse_args()
    game = read_game(asked.lights)
    size = (asked.width, asked.width * SIZE[1] // SIZE[0])
    colours = render(game, size, 8, plain=True)
    noisy = render(game, size, asked.samples, plain=False)
    clean = pyoidn.denoise(noisy, albedo=np.clip(colours, 0, 1), hdr=True)
    text = PngInfo()
    text.add_text("Box", checks.digest(table.bodies()))
    text.add_text("Game", game.digest())
    develop(clean).save(asked.out, pnginfo=text, optimize=True)


if __name__ == "__main__":
    main()
