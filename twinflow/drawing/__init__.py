"""What notebooks show: HTML and SVG in the colors of the notebook, without scripts.

cards.py    a title, tables and folded parts
plots.py    heat maps, histograms, curves
numbers.py  what a large array looks like: its statistics and one of the plots
screens.py  where standard output goes, and a place in a notebook that is drawn anew
bars.py     how far something is, in a line that is written anew

This index loads what an object shows of itself at the first use.
"""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
