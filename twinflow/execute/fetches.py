"""Fetches: what a run is to give back, in any structure, and back into it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from twinflow.base.advice import advised
from twinflow.base.errors import with_notes_of
from twinflow.base.tensor import Composite
from twinflow.graph.node import GraphTensor, Node

if TYPE_CHECKING:
    from twinflow.graph.graph import Graph
    from twinflow.ops.queues.accumulators import SparseGradient


class Conversion(NamedTuple):
    """How a type of the program's own is fetched and fed.

    Args:
        type: the class. fetch: from an object to (things to fetch, function of their
            values). feed: from (object, value) to pairs of (tensor, value), or None.
    """

    type: type
    fetch: Any
    feed: Any


CONVERSIONS: list[Conversion] = []


def register_session_run_conversion_functions(
    tensor_type: type, fetch_function: Callable | None,
    feed_function: Callable | None = None,
    feed_function_for_partial_run: Callable | None = None,
) -> None:  # fmt: skip
    """Let sessions fetch and feed objects of a class of the program's own.

    Args:
        tensor_type: the class.
        fetch_function: object -> (list of fetches, function from the list of their
            values to what is returned).
        feed_function: (object, value) -> list of (tensor, value).
        feed_function_for_partial_run: object -> list of tensors, for
            `Session.partial_run_setup`.
    Raises:
        ValueError: it, or a class around it, has been registered before.
    """
    if any(issubclass(tensor_type, c.type) for c in CONVERSIONS):
        raise ValueError(f"{tensor_type} has already been registered so ignore it.")
    found = Conversion(tensor_type, fetch_function, feed_function)
    CONVERSIONS.insert(0, found)
    if feed_function_for_partial_run is not None:
        PARTIAL_FEEDS[tensor_type] = feed_function_for_partial_run


PARTIAL_FEEDS: dict = {}  # from registered classes to functions: object -> tensors


def conversion_of(x: Any) -> Conversion | None:
    """The Conversion of an object, or None."""
    return next((c for c in CONVERSIONS if isinstance(x, c.type)), None)


def _attributes(x: GraphTensor | Node) -> Any:
    """The values of an object of a class made by the package attrs, or None."""
    fields = getattr(type(x), "__attrs_attrs__", None)
    return None if fields is None else [getattr(x, f.name) for f in fields]


def _parts(fetches: Any) -> "Sequence | SparseGradient | None":
    """What a structure is made of, or None where it is a leaf."""
    if isinstance(fetches, Composite):
        return [c for c in fetches._components() if c is not None]
    if isinstance(fetches, list | tuple):
        return fetches
    if isinstance(fetches, Mapping):
        return list(fetches.values())
    return _attributes(fetches)


def flatten(fetches: Any) -> Iterator[Any]:
    """The leaves of a structure, in order."""
    found = conversion_of(fetches) if CONVERSIONS else None
    parts = found.fetch(fetches)[0] if found else _parts(fetches)
    if parts is None:
        yield fetches
    else:
        for part in parts:
            yield from flatten(part)


def packed(fetches: Any, values: Any) -> Any:
    """The structure with `values`, an iterator, in place of its leaves."""
    found = conversion_of(fetches) if CONVERSIONS else None
    if found:
        parts, contract = found.fetch(fetches)
        return contract([packed(p, values) for p in parts])
    if isinstance(fetches, Composite):
        parts = fetches._components()
        return fetches._value(*[None if c is None else next(values) for c in parts])
    parts = _parts(fetches)
    if parts is None:
        return next(values)
    return _like(fetches, [packed(p, values) for p in parts])


def _like(fetches: Any, found: list) -> Any:
    """A structure of the kind of `fetches` with other parts."""
    if isinstance(fetches, Mapping):
        made: Any = type(fetches)()
        for key, value in zip(fetches, found, strict=True):
            made[key] = value
        return made
    if isinstance(fetches, list):
        return found
    if hasattr(fetches, "_fields") or not isinstance(fetches, tuple):
        return type(fetches)(*found)
    return type(fetches)(found)


def element(graph: "Graph", fetch: GraphTensor | Node) -> GraphTensor | Node:
    """The tensor or node that a leaf stands for.

    Raises:
        TypeError, ValueError: it stands for none, or may not be fetched.
    """
    if fetch is None:
        raise advised(
            TypeError, f"Fetch argument {fetch!r} has invalid type {type(fetch)!r}"
        )
    name = fetch.decode() if isinstance(fetch, bytes) else fetch
    try:
        found = graph.as_graph_element(name)
    except TypeError as error:
        raise TypeError(
            f"Fetch argument {fetch!r} has invalid type {type(fetch)!r}, must be a "
            f"string or Tensor. ({error})"
        ) from None
    except (ValueError, KeyError) as error:
        text = f"Fetch argument {fetch!r} cannot be interpreted as a Tensor. ({error})"
        raise with_notes_of(error, ValueError(text)) from None
    if not graph.is_fetchable(found):
        raise ValueError(
            f"Operation {_node(found).name!r} has been marked as not fetchable."
        )
    return found


def _node(x: Any) -> Node:
    return x.op if isinstance(x, GraphTensor) else x


def is_node(x: Any) -> bool:
    """Whether a fetch is an operation, which is run and has no value."""
    return isinstance(x, Node)
