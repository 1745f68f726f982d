"""Where the plots of a notebook are kept: PNG files, numbered by cell."""

import os
import pkgutil
import sys

_BACKEND = "module://twinflow.cli.notebooks.backend"
_SHOW = "twinflow.cli.notebooks.backend:show"  # whatever backend the notebook chose


class Plots:
    """The folder of the plots, and how many the cell has so far.

    Args:
        folder: made when the first plot is kept.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._cell = self._count = 0

    def begin(self, cell: int) -> None:
        """Number what comes by this cell."""
        self._cell, self._count = cell, 0

    def path(self, kind: str = "png") -> str:
        """The path of the next plot; says where it is."""
        os.makedirs(self.folder, exist_ok=True)
        self._count += 1
        path = os.path.join(self.folder, f"cell_{self._cell:02d}_{self._count}.{kind}")
        print(f"twinflow: a plot is in {path}", file=sys.stderr)
        return path

    def keep(self, data: bytes, kind: str) -> None:
        """Write a picture that is there as a file."""
        with open(self.path(kind), "wb") as file:
            file.write(data)


class _Current:
    plots: Plots | None = None


def begin(folder: str) -> Plots:
    """Let matplotlib, if a notebook imports it, keep its plots in a folder."""
    os.environ["MPLBACKEND"] = _BACKEND
    _Current.plots = Plots(folder)
    return _Current.plots


def current() -> Plots:
    """The plots of the notebook that runs."""
    if _Current.plots is None:
        raise RuntimeError("no notebook runs: plots are kept by `twinflow run`")
    return _Current.plots


def flush() -> None:
    """Keep the figures that a cell leaves open, as a notebook shows them."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None and pyplot.get_fignums():
        pkgutil.resolve_name(_SHOW)()
