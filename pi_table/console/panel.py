"""The right side of the screen: how the game stands, and what can be done about it."""

import math
from typing import Final

from pi_table.console import look
from pi_table.console.clue_entry import Give, MendNumber, PickNumber, Word, clue_text
from pi_table.console.confirm import Confirm
from pi_table.console.lists import Box, fits, letter_tiles, lines, number_tiles
from pi_table.console.menus import Home
from pi_table.console.model import Model, visible_key
from pi_table.console.reading import Clues, TheClue
from pi_table.console.screen import name
from pi_table.console.setup import duration
from pi_table.console.shapes import Circle, Line, Polygon, Rect, Scene, Shape, Text
from pi_table.console.signs import AGENT, COLOURS, sign
from pi_table.hal.contracts import Input
from pi_table.ipc.messages import TableMessage
from pi_table.rules.board import UNLIMITED, Number, Outcome, Phase, Why
from pi_table.rules.key import Team
from pi_table.rules.views import PublicView

X: Final = look.PANEL_X
W: Final = look.PANEL_WIDTH
_BELOW_HEAD: Final = look.MARGIN + look.HEAD_HEIGHT + look.GAP * 2
