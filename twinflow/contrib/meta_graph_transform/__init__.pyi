# Made by `make stubs` from the table of the index.
from twinflow.contrib.meta_graph_transform import meta_graph_transform as meta_graph_transform

__all__ = [
"meta_graph_transform"
]
