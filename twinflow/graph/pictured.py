"""What a Graph shows of itself; what draws is imported when something is drawn."""

from twinflow.graph import picture


class Pictured:
    """What a graph shows of itself: `print` a text tree, a notebook a card."""

    __slots__ = ()

    def __str__(self) -> str:
        return picture.tree_text(self)

    def _repr_html_(self) -> str:
        return picture.graph_card(self)
