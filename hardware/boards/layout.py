"""Builds a board with KiCad's pcbnew, from parts, tracks, pours and texts. The router adds the
missing tracks."""

from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pcbnew

from hardware.boards import router, symbols
from hardware.boards.board import Board, Layer, Part, Point, Text, Track, Via
from hardware.boards.sexpr import children, plain
from hardware.boards.sheet import ident
from hardware.boards.wires import Net, net_of

OWN: Final = Path(__file__).with_name("library")
KICAD: Final = Path("/usr/share/kicad/footprints")
MIDDLE: Final = (100.0, 100.0)
"""Place of the board's middle on KiCad's sheet, in mm."""
LAYERS: Final[dict[Layer, int]] = {"F.Cu": pcbnew.F_Cu, "B.Cu": pcbnew.B_Cu}
SPOKE: Final = 1.0
"""Width in mm of each of the four copper bridges from a pad to its pour. Four bridges together
carry a plug's 3 A."""


def _mm(value: float) -> int:
    return int(pcbnew.FromMM(round(value, 4)))


def at(point: Point) -> Any:
    """Convert a place on the board to KiCad's units, where y grows towards the operatives."""
    return pcbnew.VECTOR2I(_mm(MIDDLE[0] + point[0]), _mm(MIDDLE[1] - point[1]))


def place_of(vector: Any) -> Point:
    """Convert a point in KiCad's units to a place on the board."""
    x, y = pcbnew.ToMM(vector.x) - MIDDLE[0], MIDDLE[1] - pcbnew.ToMM(vector.y)
    return (round(x, 4), round(y, 4))


class Layout:
    """A KiCad board under construction."""

    def __init__(self, board: Board, nets: dict[str, Net]) -> None:
        pcbnew.KIID.SeedGenerator(1)  # so that identifiers are the same in each run
        self.board = board
        self.net = net_of(nets)
        self.pcb: Any = pcbnew.BOARD()
        settings = self.pcb.GetDesignSettings()
        settings.SetBoardThickness(_mm(board.thickness))
        settings.SetAuxOrigin(at((0, 0)))
        title = self.pcb.GetTitleBlock()
        title.SetTitle(board.title)
        title.SetRevision("B")
        title.SetCompany("pi-table")
        self.nets: dict[str, Any] = {}
        for name in sorted({*nets}):
            self.nets[name] = pcbnew.NETINFO_ITEM(self.pcb, name)
            self.pcb.Add(self.nets[name])
        self.footprints: dict[str, Any] = {}

    def lay_out(self) -> Any:
        """Return the finished KiCad board; its pours are not yet filled."""
        for part in self.board.parts:
            self._part(part)
        self._edge()
        for outline in self.board.no_pour:
            self._rule_area(outline)
        tracks, vias = [*self.board.tracks], [*self.board.vias]
        for drop, (dx, dy) in self.board.drops:
            pad, net = self._pad(drop)
            x, y = place_of(pad.GetPosition())
            layer: Layer = "F.Cu" if pad.IsOnLayer(pcbnew.F_Cu) else "B.Cu"
            tracks.append(Track(net, layer, 0.5, ((x, y), (x + dx, y + dy))))
            vias.append(Via(net, (x + dx, y + dy)))
        pads = [*self._router_pads(), *map(_keep_free, self.board.no_pour)]
        found = router.route(
            self.board.across,
            self.board.down,
            self.board.grid,
            pads,
            (tracks, vias),
            self.board.routed,
        )
        for track in [*tracks, *found[0]]:
            self._track(track)
        for via in [*vias, *found[1]]:
            self._via(via)
        for lone in self.board.apart:
            self._pad(lone)[0].SetLocalZoneConnection(pcbnew.ZONE_CONNECTION_NONE)
        for text in self.board.texts:
            self._text(text)
        for begin, end in self.board.lines:
            self._line(begin, end)
        for priority, pour in enumerate(self.board.pours):
            zone = self._zone(pour.outline)
            zone.SetAssignedPriority(priority)
            zone.SetLayer(LAYERS[pour.layer])
            zone.SetNet(self.nets[pour.net])
            zone.SetPadConnection(pcbnew.ZONE_CONNECTION_THERMAL)
            zone.SetThermalReliefSpokeWidth(_mm(SPOKE))
            zone.SetThermalReliefGap(_mm(0.35))
            zone.SetLocalClearance(_mm(0.3))
            zone.SetMinThickness(_mm(0.3))
            zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)
        return self.pcb

    def _part(self, part: Part) -> None:
        library, _, name = part.footprint.partition(":")
        own = OWN / f"{library}.pretty"
        folder = own if own.exists() else KICAD / own.name
        footprint = pcbnew.FootprintLoad(str(folder), name)
        if footprint is None:
            raise KeyError(f"{part.ref}: there is no footprint {part.footprint}.")
        footprint.SetFPID(pcbnew.LIB_ID(library, name))
        footprint.SetReference(part.ref)
        footprint.SetValue(part.value)
        footprint.SetField("Part", part.id)
        for field in ("Datasheet", "Description"):
            footprint.SetField(field, _property(part.symbol, field))
        for field in footprint.GetFields():
            if field.GetName() not in ("Reference", "Value"):
                field.SetVisible(False)
                field.SetLayer(pcbnew.F_Fab)
        footprint.SetPath(pcbnew.KIID_PATH("/" + ident(self.board.name, part.ref, 1)))
        self.pcb.Add(footprint)
        footprint.SetPosition(at(part.place))
        footprint.SetOrientationDegrees(part.turn)
        if part.below:
            footprint.Flip(at(part.place), pcbnew.FLIP_DIRECTION_LEFT_RIGHT)
        if not part.id:
            footprint.SetExcludedFromBOM(True)
            footprint.SetExcludedFromPosFiles(True)
        reference = footprint.Reference()
        reference.SetTextSize(pcbnew.VECTOR2I(_mm(0.9), _mm(0.9)))
        reference.SetTextThickness(_mm(0.14))
        reference.SetKeepUpright(True)
        reference.SetVisible(part.symbol != "Mechanical:MountingHole")
        if part.label is not None:
            reference.SetPosition(
                at((part.place[0] + part.label[0], part.place[1] + part.label[1]))
            )
            reference.SetTextAngleDegrees(0)
        for pad in footprint.Pads():
            if pad.GetNumber():
                net = self.net.get((part.ref, pad.GetNumber())) or self._open_net(part, pad)
                pad.SetNet(self.nets[net])
        self.footprints[part.ref] = footprint

    def _open_net(self, part: Part, pad: Any) -> str:
        """Add a net for an unconnected pin, and return its name. The name is the same as in KiCad's
        schematic."""
        number = pad.GetNumber()
        (pin,) = (each for each in symbols.pins(part.symbol) if each.number == number)
        title = "" if pin.name == "~" else f"{pin.name.replace('/', '{slash}')}-"
        name = f"unconnected-({part.ref}-{title}Pad{number})"
        self.nets[name] = pcbnew.NETINFO_ITEM(self.pcb, name)
        self.pcb.Add(self.nets[name])
        return name

    def _pad(self, end: str) -> tuple[Any, str]:
        """Return the pad with the name "REF.PIN", and the pad's net."""
        ref, _, pin = end.partition(".")
        number = symbols.numbers_of(self.board.part(ref).symbol, pin)[0]
        return self.footprints[ref].FindPadByNumber(number), self.net[ref, number]

    def _router_pads(self) -> list[router.Pad]:
        found = []
        for ref in sorted(self.footprints):
            for number, pad in enumerate(self.footprints[ref].Pads()):
                box = pad.GetBoundingBox()
                net = (
                    pad.GetNetname() or f"{ref}.{number}"
                )  # holes and open pins have no net: invent a name
                layers = tuple(
                    index for index, each in enumerate(LAYERS.values()) if pad.IsOnLayer(each)
                )
                hole = pad.GetAttribute() == pcbnew.PAD_ATTRIB_NPTH
                half = (pcbnew.ToMM(box.GetWidth()) / 2, pcbnew.ToMM(box.GetHeight()) / 2)
                middle = place_of(box.GetCenter())
                if hole:
                    half = (half[0] + 0.3, half[1] + 0.3)
                found.append(router.Pad(net, (0, 1) if hole else layers, middle, half))
        return found

    def _edge(self) -> None:
        shape = pcbnew.PCB_SHAPE(self.pcb, pcbnew.SHAPE_T_RECT)
        x, y = self.board.across / 2, self.board.down / 2
        shape.SetStart(at((-x, y)))
        shape.SetEnd(at((x, -y)))
        shape.SetLayer(pcbnew.Edge_Cuts)
        shape.SetWidth(_mm(0.1))
        self.pcb.Add(shape)

    def _track(self, track: Track) -> None:
        for start, end in pairwise(track.points):
            item = pcbnew.PCB_TRACK(self.pcb)
            item.SetStart(at(start))
            item.SetEnd(at(end))
            item.SetWidth(_mm(track.width))
            item.SetLayer(LAYERS[track.layer])
            item.SetNet(self.nets[track.net])
            self.pcb.Add(item)

    def _via(self, via: Via) -> None:
        item = pcbnew.PCB_VIA(self.pcb)
        item.SetPosition(at(via.place))
        item.SetWidth(_mm(router.VIA))
        item.SetDrill(_mm(0.35))
        item.SetNet(self.nets[via.net])
        self.pcb.Add(item)

    def _zone(self, outline: tuple[Point, ...]) -> Any:
        zone = pcbnew.ZONE(self.pcb)
        corners = pcbnew.VECTOR_VECTOR2I([at(point) for point in outline])
        zone.AddPolygon(corners)
        self.pcb.Add(zone)
        return zone

    def _rule_area(self, outline: tuple[Point, ...]) -> None:
        zone = self._zone(outline)
        zone.SetIsRuleArea(True)
        layers = pcbnew.LSET()
        for layer in LAYERS.values():
            layers.AddLayer(layer)
        zone.SetLayerSet(layers)
        zone.SetDoNotAllowCopperPour(True)
        for allow in ("Tracks", "Vias", "Pads", "Footprints"):
            getattr(zone, f"SetDoNotAllow{allow}")(False)

    def _text(self, text: Text) -> None:
        item = pcbnew.PCB_TEXT(self.pcb)
        item.SetText(text.words)
        item.SetPosition(at(text.place))
        item.SetTextSize(pcbnew.VECTOR2I(_mm(text.height), _mm(text.height)))
        item.SetTextThickness(_mm(text.height * 0.15))
        item.SetTextAngleDegrees(text.turn)
        item.SetLayer(pcbnew.B_SilkS if text.below else pcbnew.F_SilkS)
        item.SetMirrored(text.below)
        self.pcb.Add(item)

    def _line(self, start: Point, end: Point) -> None:
        item = pcbnew.PCB_SHAPE(self.pcb, pcbnew.SHAPE_T_SEGMENT)
        item.SetStart(at(start))
        item.SetEnd(at(end))
        item.SetWidth(_mm(0.2))
        item.SetLayer(pcbnew.F_SilkS)
        self.pcb.Add(item)


def _keep_free(outline: tuple[Point, ...]) -> router.Pad:
    """Return the box around this outline as an obstacle for the router: copper without a net on
    both layers."""
    (left, right), (low, high) = ((min(each), max(each)) for each in zip(*outline, strict=True))
    half = ((right - left) / 2, (high - low) / 2)
    return router.Pad("", (0, 1), ((left + right) / 2, (low + high) / 2), half)


def _property(symbol: str, field: str) -> str:
    for prop in children(symbols.symbol(symbol), "property"):
        if plain(prop[1]) == field:
            return plain(prop[2])
    return ""


def save(board: Board, nets: dict[str, Net], file: Path) -> None:
    """Write the board's .kicad_pcb. Its .kicad_pro, with the rules for pours, must already
    exist."""
    pcbnew.SaveBoard(str(file), Layout(board, nets).lay_out(), True)
    pcb = pcbnew.LoadBoard(str(file))  # KiCad fills pours only in a board read from a file
    pcbnew.ZONE_FILLER(pcb).Fill(pcb.Zones())
    pcbnew.SaveBoard(str(file), pcb, True)
