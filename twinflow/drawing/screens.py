"""Where standard output goes, and lines there that are written anew.

Note [Screens]: a progress bar is the text of TensorFlow 1.12 in a terminal, and where a
program catches its own output. A log (a file or a pipe) gets no control characters, and
a line now and then. A notebook gets one display for all epochs, which is updated.
"""

import sys
from typing import Any

from twinflow.drawing.cards import Markup, card, code

NOTEBOOK, TERMINAL, LOG, CAUGHT = "notebook", "terminal", "log", "caught"
# Seconds between two lines or pictures, at the least.
SECONDS = {NOTEBOOK: 0.2, TERMINAL: 0.0, LOG: 10.0, CAUGHT: 0.0}
_MOST_PAST = 100  # lines of a display, with that of now


def screen_of(out: Any) -> str:
    """NOTEBOOK, TERMINAL, LOG or CAUGHT, for a stream such as sys.stdout."""
    if type(out).__module__.partition(".")[0] == "ipykernel":
        return NOTEBOOK
    try:
        if out.isatty():
            return TERMINAL
        out.fileno()
    except (AttributeError, OSError, ValueError):  # it is no file, or closed
        return CAUGHT
    return LOG


class Board:
    """A place in a notebook that shows how far something is.

    Attributes:
        past: the lines of what is done. text: the line of now. part: from 0 to 1, or
            None where the end is not known.
    """

    def __init__(self) -> None:
        self.past: list[str] = []
        self.text = ""
        self.part: float | None = None
        self._handle: Any = None

    def show(self, text: str, part: float | None, done: bool) -> None:
        """Put a line in the place of the last one, unless that was done."""
        self.text, self.part = text, part
        if done:
            self.past, self.text = [*self.past, text][-_MOST_PAST:], ""
        if self._handle is None:
            show = sys.modules["IPython.display"].display
            self._handle = show(self, display_id=True)
        else:
            self._handle.update(self)

    def __repr__(self) -> str:
        return "\n".join([*self.past, self.text]).strip("\n")

    def _repr_html_(self) -> str:
        part = "" if self.part is None else f" value='{self.part:.4f}'"
        bar = Markup(f"<progress max='1'{part} style='width:100%'></progress>")
        over = not self.text if self.part is None else self.part >= 1
        return card("", code(repr(self)), "" if over else bar)
