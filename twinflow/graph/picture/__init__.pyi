# Made by `make stubs` from the table of the index.
from twinflow.graph.picture.picture import picture_of_graph as picture_of_graph
from twinflow.graph.picture.text import tree_text as tree_text

__all__ = [
"picture_of_graph", "tree_text"
]
