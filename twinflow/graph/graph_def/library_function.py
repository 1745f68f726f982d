"""Functions that attributes of imported nodes name: those of a GraphDef's library."""

from typing import Any

from twinflow.formats import protos


class LibraryFunction:
    """A function of a library, as the attribute of a node.

    Args:
        named: the NameAttrList that an attribute holds. library: the
            FunctionDefLibrary. others: functions of the same library, by their
            NameAttrLists as bytes.
    Attributes:
        graph: the FuncGraph, once it is made (execute.library_graph).
    """

    python_grad_func = None  # which no library holds

    def __init__(self, named: Any, library: Any, others: dict | None = None) -> None:
        self.named, self.library = named, library
        self.others = {} if others is None else others
        self.graph: Any = None

    def sibling(self, named: Any) -> "LibraryFunction":
        """Another function of the library, the same at each call."""
        return function_of(named, self.library, self.others)

    @property
    def grad_func(self) -> "LibraryFunction | None":
        """The function of the library that gives the gradients of this one, or None."""
        found = gradients_of(self.library).get(self.name)
        if found is None:
            return None
        return self.sibling(protos.NameAttrList(name=found, attr=self.named.attr))

    @property
    def name(self) -> str:
        """What the library calls it."""
        return self.named.name

    @property
    def is_there(self) -> bool:
        """Whether the library has a function of this name."""
        return any(f.signature.name == self.name for f in self.library.function)

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

    def needed(self) -> Any:
        """The part of the library that a graph with a node of it needs."""
        known = {f.signature.name: f for f in self.library.function}
        gradients, found = gradients_of(self.library), protos.FunctionDefLibrary()
        waiting, seen = [self.name], set()
        while waiting:
            name = waiting.pop()
            if name in known and name not in seen:
                seen.add(name)
                found.function.append(known[name])
                waiting += _called(known[name])
                waiting += filter(None, [gradients.get(name)])
        pairs = (p for p in self.library.gradient if p.function_name in seen)
        found.gradient.extend(pairs)
        return found


def _called(definition: Any) -> list[str]:
    """The names of the ops and functions of a FunctionDef."""
    found = [n.op for n in definition.node_def]
    for n in definition.node_def:
        found += [a.func.name for a in n.attr.values() if a.HasField("func")]
        found += [f.name for a in n.attr.values() for f in a.list.func]
    return found


def gradients_of(library: Any) -> dict[str, str]:
    """{name of a function: that of the one that gives its gradients}."""
    return {pair.function_name: pair.gradient_func for pair in library.gradient}


def function_of(named: Any, library: Any, known: dict) -> LibraryFunction:
    """The function of a NameAttrList: that of `known`, or one that goes there."""
    key = named.SerializeToString(deterministic=True)
    if key not in known:
        known[key] = LibraryFunction(named, library, known)
    return known[key]


def with_library(attrs: dict, library: Any, known: dict) -> dict:
    """Attributes whose functions know the library that they are in.

    Args:
        known: the functions of the library so far; see `function_of`.
    """
    return {
        k: LibraryFunction(v, library, known)
        if isinstance(v, protos.NameAttrList)
        else v
        for k, v in attrs.items()
    }
