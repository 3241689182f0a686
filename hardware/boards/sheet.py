"""Draws a board's schematic. A short wire leads from each pin to the name of its net, or to a
supply symbol."""

import uuid
from typing import Final

from hardware.boards import symbols
from hardware.boards.board import Board, Part, Point
from hardware.boards.sexpr import Node, child, children, dump, plain, quote
from hardware.boards.symbols import Pin
from hardware.boards.wires import Net, net_of

STEP: Final = 2.54
SUPPLIES: Final = {"+5V": "power:+5V", "+3V3": "power:+3V3", "GND": "power:GND"}
FLAG: Final = "power:PWR_FLAG"
"""Symbol by which KiCad's check knows that a net gets its power from outside the board."""
_SPACE: Final = uuid.uuid5(uuid.NAMESPACE_URL, "pi-table/hardware/boards")


def ident(board: str, *what: object) -> str:
    """Return a unique identifier, which KiCad needs for each drawn thing. It is the same in each
    run, so that files do not change without a reason."""
    return str(uuid.uuid5(_SPACE, "/".join(map(str, (board, *what)))))


def _number(value: float) -> str:
    return f"{round(value, 4):g}"


def _at(x: float, y: float, angle: int = 0) -> Node:
    return ["at", _number(x), _number(y), str(angle)]


def _effects(size: float = 1.27, *more: Node) -> Node:
    return ["effects", ["font", ["size", _number(size), _number(size)]], *more]


def _fields(source: Node, values: dict[str, str], x: float, y: float, turn: int) -> list[Node]:
    """Return the text fields of a symbol at this place on the sheet: the library's fields first,
    then this project's fields."""
    hidden: Node = ["hide", "yes"]
    found: list[Node] = []
    left = dict(values)
    rx, ry = (
        abs(float(plain(each)))
        for prop in children(source, "property")
        if plain(prop[1]) == "Reference"
        for each in child(prop, "at")[1:3]
    )
    flat = ry < rx  # the library puts the name beside the symbol
    for prop in children(source, "property"):
        field = plain(prop[1])
        if field.startswith("ki_"):
            continue
        px, py, angle = map(plain, child(prop, "at")[1:4])
        dx, dy = float(px), -float(py)
        justify = [
            each for effects in children(prop, "effects") for each in children(effects, "justify")
        ]
        shown = field == "Value" or (field == "Reference" and not values[field].startswith("#"))
        if turn % 180 and shown:
            dx, dy = (0.0, -2.54) if flat else (3.0, -1.27)
            if field == "Value":
                dy += 5.08 if flat else 2.54
            justify = [] if flat else [["justify", "left"]]
            angle = str(turn % 180)
        kept = plain(prop[2]) if field in ("Datasheet", "Description") else ""
        text = left.pop(field, kept)
        at = _at(x + dx, y + dy, int(angle))
        more = justify if shown else [hidden]
        found.append(["property", quote(field), quote(text), at, _effects(1.27, *more)])
    found += [
        ["property", quote(field), quote(text), _at(x, y), _effects(1.27, hidden)]
        for field, text in left.items()
    ]
    return found


class Sheet:
    """The schematic of one board under construction."""

    def __init__(self, board: Board, nets: dict[str, Net]) -> None:
        self.board = board
        self.net = net_of(nets)
        self.root = ident(board.name, "sheet")
        self.items: list[Node] = []
        self.used: set[str] = set()
        self.supplies = 0

    def text(self) -> str:
        """Return the text of the whole schematic file."""
        linked = {end for link in self.board.links for end in link}
        for part in self.board.parts:
            for unit, place in enumerate(part.sheet, start=1):
                self._draw(part, unit, place)
                for pin in symbols.pins(part.symbol):
                    if (
                        pin.unit in (0, unit)
                        and not {
                            f"{part.ref}.{pin.name}",
                            f"{part.ref}.{pin.number}",
                        }
                        & linked
                    ):
                        self._lead(part, pin, place)
        for link in self.board.links:
            self._link(*link)
        for number, (net, (x, y)) in enumerate(self.board.flags, start=1):
            self._symbol(SUPPLIES[net], f"#PWR{900 + number}", net, x * STEP, y * STEP)
            self._symbol(FLAG, f"#FLG{number:02}", "PWR_FLAG", x * STEP, y * STEP)
        for number, (at, words) in enumerate(self.board.notes):
            self._note(number, at, words)
        library: Node = ["lib_symbols", *(symbols.symbol(name) for name in sorted(self.used))]
        title: Node = [
            "title_block",
            ["title", quote(self.board.title)],
            ["rev", '"B"'],
            ["company", '"pi-table"'],
            ["comment", "1", quote("Its nets are those of hardware/wiring.csv")],
        ]
        head: list[Node] = [
            ["version", "20250114"],
            ["generator", '"pi-table"'],
            ["generator_version", '"9.0"'],
            ["uuid", quote(self.root)],
            ["paper", '"A3"' if self.board.name == "carrier" else '"A4"'],
            title,
            library,
        ]
        tail: Node = ["sheet_instances", ["path", '"/"', ["page", '"1"']]]
        return dump(["kicad_sch", *head, *self.items, tail, ["embedded_fonts", "no"]]) + "\n"

    def _draw(self, part: Part, unit: int, place: Point) -> None:
        x, y = place[0] * STEP, place[1] * STEP
        fields = {"Footprint": part.footprint, "Part": part.id}
        self._symbol(part.symbol, part.ref, part.value, x, y, unit, part.sheet_turn, fields)

    def _symbol(
        self,
        name: str,
        ref: str,
        value: str,
        x: float,
        y: float,
        unit: int = 1,
        turn: int = 0,
        fields: dict[str, str] | None = None,
    ) -> None:
        self.used.add(name)
        source = symbols.symbol(name)
        bought = bool(fields and fields["Part"])
        node: Node = [
            "symbol",
            ["lib_id", quote(name)],
            _at(x, y, turn),
            ["unit", str(unit)],
            ["exclude_from_sim", "no"],
            ["in_bom", "yes" if bought else "no"],
            ["on_board", "yes"],
            ["dnp", "no"],
            ["uuid", quote(ident(self.board.name, ref, unit))],
        ]
        node += _fields(source, {"Reference": ref, "Value": value, **(fields or {})}, x, y, turn)
        for pin in symbols.pins(name):
            if pin.unit in (0, unit):
                node.append(
                    [
                        "pin",
                        quote(pin.number),
                        ["uuid", quote(ident(self.board.name, ref, unit, pin.number))],
                    ]
                )
        path: Node = [
            "path",
            quote(f"/{self.root}"),
            ["reference", quote(ref)],
            ["unit", str(unit)],
        ]
        node.append(["instances", ["project", quote(self.board.name), path]])
        self.items.append(node)

    def _free_end(self, part: Part, pin: Pin, place: Point) -> tuple[float, float, float, float]:
        """Return four numbers: x and y of the point on the sheet where the pin's wire begins, and
        the wire's direction away from the symbol."""
        x, y, angle = pin.x, pin.y, pin.angle
        for _ in range(part.sheet_turn // 90):
            x, y, angle = -y, x, (angle + 90) % 360
        out = {0: (-1, 0), 90: (0, 1), 180: (1, 0), 270: (0, -1)}[angle]
        return place[0] * STEP + x, place[1] * STEP - y, out[0], out[1]

    def _lead(self, part: Part, pin: Pin, place: Point) -> None:
        x, y, dx, dy = self._free_end(part, pin, place)
        net = self.net.get((part.ref, pin.number))
        name = f"{part.ref}.{pin.number}"
        if net is None:
            self.items.append(
                [
                    "no_connect",
                    _at(x, y)[:3],
                    ["uuid", quote(ident(self.board.name, "open", name))],
                ]
            )
            return
        end = (x + dx * STEP, y + dy * STEP)
        self._wire(name, (x, y), end)
        if net in SUPPLIES and self._has_room(part, pin, net, int(dy)):
            self.supplies += 1
            self._symbol(SUPPLIES[net], f"#PWR{self.supplies:03}", net, *end)
            return
        angle, justify = {(-1, 0): (180, "right"), (1, 0): (0, "left"), (0, -1): (90, "left")}.get(
            (int(dx), int(dy)), (270, "right")
        )
        self._label(name, net, end, angle, justify)

    def _has_room(self, part: Part, pin: Pin, net: str, dy: int) -> bool:
        """True if a supply symbol at this pin would touch no other pin. The symbol for 5 V points
        upwards, the symbol for ground downwards."""
        upright = net != "GND"
        if dy:
            return (dy < 0) == upright
        beside = [
            (other.y - pin.y) * (1 if part.sheet_turn < 180 else -1)
            for other in symbols.pins(part.symbol)
            if other != pin and other.angle == pin.angle
        ]
        return not any(0 < (away if upright else -away) < 2.5 * STEP for away in beside)

    def _label(self, name: str, net: str, at: Point, angle: int, justify: str) -> None:
        self.items.append(
            [
                "global_label",
                quote(net),
                ["shape", "passive"],
                _at(*at, angle),
                _effects(1.27, ["justify", justify]),
                ["uuid", quote(ident(self.board.name, "label", name))],
            ]
        )

    def _wire(self, name: str, start: Point, end: Point) -> None:
        ends: list[Node] = [["xy", _number(x), _number(y)] for x, y in (start, end)]
        points: Node = ["pts", *ends]
        stroke: Node = ["stroke", ["width", "0"], ["type", "default"]]
        self.items.append(
            ["wire", points, stroke, ["uuid", quote(ident(self.board.name, "wire", name))]]
        )

    def _link(self, start: str, end: str) -> None:
        ends = []
        for each in (start, end):
            ref, _, title = each.partition(".")
            part = self.board.part(ref)
            (number,) = symbols.numbers_of(part.symbol, title)
            pin = next(pin for pin in symbols.pins(part.symbol) if pin.number == number)
            ends.append(self._free_end(part, pin, part.sheet[max(pin.unit, 1) - 1])[:2])
            net = self.net[ref, number]
        (x0, y0), (x1, y1) = ends
        self._wire(f"{start}-{end}", (x0, y0), (x1, y1))
        self._label(f"{start}-{end}", net, (x0 + STEP, y0), 90, "left")

    def _note(self, number: int, at: Point, words: str) -> None:
        self.items.append(
            [
                "text",
                quote(words),
                ["exclude_from_sim", "no"],
                _at(at[0] * STEP, at[1] * STEP),
                _effects(1.5, ["justify", "left", "top"]),
                ["uuid", quote(ident(self.board.name, "note", number))],
            ]
        )


def draw(board: Board, nets: dict[str, Net]) -> str:
    """Return the text of the board's .kicad_sch."""
    return Sheet(board, nets).text()
