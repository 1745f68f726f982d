"""What a function shows of itself: `print` a text tree, a notebook a picture."""

from html import escape

from twinflow.graph import picture

_MOST_TRACES = 4  # that are shown; the others are counted


class PicturedFunction:
    """The traces of a Function as text and as pictures."""

    name: str
    traces: dict

    def __str__(self) -> str:
        found = list(self.traces.values())
        if not found:
            return f"function {self.name}: not called yet, nothing is traced"
        texts = [picture.tree_text(trace.graph) for trace in found[:_MOST_TRACES]]
        return "\n\n".join([*texts, *_more(found)])

    def _repr_html_(self) -> str:
        found = list(self.traces.values())
        if not found:
            return f"<pre>{escape(str(self))}</pre>"
        shown = found[:_MOST_TRACES]
        pictures = [
            picture.picture_of_graph(trace.graph)._repr_html_() for trace in shown
        ]
        return "\n".join([*pictures, *(f"<p>{escape(m)}</p>" for m in _more(found))])


def _more(traces: list) -> list[str]:
    left = len(traces) - _MOST_TRACES
    return [f"... and {left} more of its traces"] if left > 0 else []
