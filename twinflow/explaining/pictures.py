"""tf.picture: graphs, functions and models as pictures."""

from typing import Any

from twinflow.base import dispatch
from twinflow.execute.concrete import ConcreteFunction
from twinflow.execute.function import Function
from twinflow.execute.trace import Trace
from twinflow.graph.graph import Graph
from twinflow.graph.picture.drawing import MOST_BOXES
from twinflow.graph.picture.picture import Picture, picture_of_graph
from twinflow.keras.engine.model import Model
from twinflow.keras.utils.model_drawing import picture_of_model


def picture(
    thing: Any = None, most: int = MOST_BOXES, engine: str | None = None
) -> Picture:
    """A picture of a graph, a function or a Keras model.

    Name scopes are folded, outer ones are opened first; variables stand for what
    initializes and reads them, small constants are written into the boxes that use
    them. Loops, branches and functions are boxes with boxes inside. The user's line is
    shown where the mouse rests on a box.

    Args:
        thing: a Graph; a function of tf.function or tfe.defun that has been called (its
            last trace is drawn); a Keras model; the default graph if not given.
        most: about how many boxes there may be; of models all layers are drawn.
        engine: "own", "dot" (Graphviz), or None: Graphviz where it is installed.
    Returns:
        A Picture: a notebook shows it, `print` gives a text, `save` writes a file.
    Raises:
        TypeError: there are no pictures of such things.
        ValueError: the function has not been called yet.
        OSError: Graphviz is asked for, and is not installed.
    Example:
        with tf.Graph().as_default() as graph: tf.add(tf.placeholder(tf.float32), 1.)
        tf.picture(graph).save("graph.svg")
    """
    if thing is None:
        thing = dispatch.current_mode()
    if isinstance(thing, Function):
        if not thing.traces:
            raise ValueError(
                f"The function {thing.name!r} has not been called yet: there is no "
                "graph to draw. Call it, or f.get_concrete_function(...)."
            )
        thing = next(reversed(thing.traces.values()))
    if isinstance(thing, Trace | ConcreteFunction):
        thing = thing.graph
    if isinstance(thing, Graph):
        return picture_of_graph(thing, most, engine)
    if isinstance(thing, Model):
        return picture_of_model(thing, engine=engine)
    raise TypeError(
        f"Expected a graph, a function of tf.function or a Keras model, got {thing!r} "
        f"of type {type(thing).__name__}. Eager programs have no graph: put them into "
        "a function."
    )
