# Made by `make stubs` from the table of the index.
from twinflow.drawing.cards import Markup as Markup
from twinflow.drawing.cards import beside as beside
from twinflow.drawing.cards import card as card
from twinflow.drawing.cards import code as code
from twinflow.drawing.cards import folded as folded
from twinflow.drawing.cards import line as line
from twinflow.drawing.cards import shape_text as shape_text
from twinflow.drawing.cards import size_text as size_text
from twinflow.drawing.cards import table as table
from twinflow.drawing.cards import text as text
from twinflow.drawing.numbers import array_card as array_card
from twinflow.drawing.numbers import array_parts as array_parts
from twinflow.drawing.plots import curves as curves
from twinflow.drawing.plots import heat_map as heat_map
from twinflow.drawing.plots import histogram as histogram
from twinflow.drawing.screens import Board as Board
from twinflow.drawing.screens import screen_of as screen_of

__all__ = [
"Markup", "beside", "card", "code", "folded", "line", "shape_text", "size_text",
"table", "text", "array_card", "array_parts", "curves", "heat_map", "histogram",
"Board", "screen_of"
]
