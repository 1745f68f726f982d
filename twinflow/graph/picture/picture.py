"""A picture of a graph, function or model: text, SVG, DOT and pixels; `show` opens."""

import os
import shutil
import subprocess
from collections.abc import Callable
from typing import Any

from twinflow.base.annotations import Path
from twinflow.graph.picture.dot import dot
from twinflow.graph.picture.drawing import MOST_BOXES, Drawing, of_graph
from twinflow.graph.picture.layout import lay_out
from twinflow.graph.picture.svg import PLAIN, svg
from twinflow.graph.picture.text import tree_text


class Picture:
    """A drawing in several forms; a notebook shows it, `print` gives a text.

    Args:
        draw: makes the Drawing. text: makes the text.
        engine: "own", "dot" (Graphviz) or None: Graphviz where it is installed.
    """

    def __init__(
        self, draw: Callable[[], Drawing], text: Callable[[], str],
        engine: str | None = None,
    ) -> None:  # fmt: skip
        if engine not in (None, "own", "dot"):
            raise ValueError(
                f"Unknown engine {engine!r}; expected 'own', 'dot' or None: Graphviz "
                "where it is installed, else the own one."
            )
        if engine == "dot" and not has_graphviz():
            raise OSError(NO_GRAPHVIZ)
        self._draw, self._text, self._engine = draw, text, engine

    def __str__(self) -> str:
        return self._text()

    def svg(self) -> str:
        """The picture as SVG: one text, nothing is loaded from elsewhere."""
        if self._engine == "own" or not has_graphviz():
            drawing = self._draw()
            lay_out(drawing)
            return svg(drawing)
        return _graphviz(self.dot(), "svg").decode("utf-8")

    def dot(self) -> str:
        """The picture in the language of Graphviz."""
        return dot(self._draw())

    def save(self, path: Path) -> None:
        """Write the picture to a file.

        Args:
            path: its end says the format: .svg, .dot and .txt always; others (.png,
                .pdf) where Graphviz is installed.
        Raises:
            OSError: the format needs Graphviz, and there is none.
        """
        write(self, str(os.fspath(path)))

    def plain(self) -> str:
        """The own SVG in the colors of the text around, for notebooks: Note [Cards]."""
        drawing = self._draw()
        lay_out(drawing)
        return svg(drawing, PLAIN)

    def _repr_html_(self) -> str:
        found = self.svg() if self._engine == "dot" else self.plain()
        return f"<div style='overflow:auto'>{found}</div>"

    def _repr_svg_(self) -> str:
        return self.svg()


NO_GRAPHVIZ = (
    "The program `dot` of Graphviz is not installed (https://graphviz.org/download; "
    "Debian and Ubuntu: apt install graphviz). Without it pictures are written as "
    "'.svg', '.dot' or '.txt'."
)


def has_graphviz() -> bool:
    """Whether Graphviz is installed."""
    return shutil.which("dot") is not None


def write(picture: Picture, path: str) -> None:
    """Write a picture; see Picture.save."""
    kind = os.path.splitext(path)[1].removeprefix(".").lower()
    texts: dict[str, Callable] = {
        "svg": picture.svg, "dot": picture.dot, "txt": picture.__str__
    }  # fmt: skip
    if kind in texts:
        text = texts[kind]()
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return
    if not has_graphviz():
        raise OSError(f"Cannot write {path!r}: {NO_GRAPHVIZ}")
    pixels = _graphviz(picture.dot(), kind or "png")
    with open(path, "wb") as f:
        f.write(pixels)


def _graphviz(text: str, kind: str) -> bytes:
    done = subprocess.run(
        ["dot", f"-T{kind}"], input=text.encode(), capture_output=True, check=False
    )
    if done.returncode:
        words = done.stderr.decode("utf-8", "replace").strip()
        raise OSError(f"Graphviz does not draw this as {kind!r}: {words}")
    return done.stdout


def picture_of_graph(
    graph: Any, most: int = MOST_BOXES, engine: str | None = None
) -> Picture:
    """The Picture of a Graph.

    Args:
        most: about how many boxes there may be; scopes are folded to that.
        engine: see Picture.
    """
    return Picture(
        lambda: of_graph(graph, most), lambda: tree_text(graph, most), engine
    )
