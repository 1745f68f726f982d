"""Pictures of graphs, functions and models.

tree.py     scopes and nodes as a tree, fold.py folds it; text.py prints it
drawing.py  boxes and lines; layers.py and layout.py say where they lie
svg.py      as SVG, dot.py in the language of Graphviz
picture.py  all of it, for `print`, notebooks and files

This index loads what a Graph shows of itself at the first use.
"""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
