"""Why a gradient is None, zero or not finite.

history.py  what a tape with `lines=True` has seen, in order
paths.py    from the target of a gradient to its source, and what cuts the way
why.py      GradientTape.explain

This index loads them at the first use: most tapes are never asked.
"""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
