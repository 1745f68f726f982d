"""The backend of matplotlib in notebooks: `plt.show()` writes PNG files."""

from matplotlib._pylab_helpers import Gcf
from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas

from twinflow.cli.notebooks import plots

__all__ = ["FigureCanvas", "show"]


def show(*args, **kwargs) -> None:
    """Keep every open figure, and close it."""
    for manager in Gcf.get_all_fig_managers():
        figure = manager.canvas.figure
        if figure.axes or figure.texts or figure.images:
            figure.savefig(plots.current().path(), bbox_inches="tight")
    Gcf.destroy_all()
