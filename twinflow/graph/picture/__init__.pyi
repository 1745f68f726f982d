# Made by `make stubs` from the table of the index.
from twinflow.graph.picture.cards import graph_card as graph_card
from twinflow.graph.picture.cards import graph_parts as graph_parts
from twinflow.graph.picture.cards import node_card as node_card
from twinflow.graph.picture.cards import tensor_card as tensor_card
from twinflow.graph.picture.picture import picture_of_graph as picture_of_graph
from twinflow.graph.picture.text import tree_text as tree_text

__all__ = [
"graph_card", "graph_parts", "node_card", "tensor_card", "picture_of_graph", "tree_text"
]
