"""Functions that attributes of imported nodes name: those of a GraphDef's library."""

from collections.abc import Iterator
from typing import Any

from twinflow.formats import protos


class LibraryFunction:
    """A function of a library, as the attribute of a node.

    Args:
        named: the NameAttrList that an attribute holds. library: the
            FunctionDefLibrary.
    Attributes:
        graph: the FuncGraph, once it is made (graph.graph_def.library_graph).
    """

    def __init__(self, named: Any, library: Any) -> None:
        self.named, self.library = named, library
        self.graph: Any = None

    @property
    def name(self) -> str:
        """What the library calls it."""
        return self.named.name

    @property
    def definition(self) -> Any:
        """Its FunctionDef.

        Raises:
            ValueError: the library has none of this name.
        """
        known = (f for f in self.library.function if f.signature.name == self.name)
        found = next(known, None)
        if found is None:
            raise ValueError(f"The function {self.name!r} is not in the library.")
        return found

    def needed(self) -> Iterator[Any]:
        """The FunctionDefs that a graph with a node of it needs."""
        known = {f.signature.name: f for f in self.library.function}
        waiting, seen = [self.name], set()
        while waiting:
            name = waiting.pop()
            if name in known and name not in seen:
                seen.add(name)
                yield known[name]
                waiting += _called(known[name])


def _called(definition: Any) -> list[str]:
    """The names of the ops and functions of a FunctionDef."""
    found = [n.op for n in definition.node_def]
    for n in definition.node_def:
        found += [a.func.name for a in n.attr.values() if a.HasField("func")]
        found += [f.name for a in n.attr.values() for f in a.list.func]
    return found


def with_library(attrs: dict, library: Any) -> dict:
    """Attributes whose functions know the library that they are in."""
    return {
        k: LibraryFunction(v, library) if isinstance(v, protos.NameAttrList) else v
        for k, v in attrs.items()
    }
