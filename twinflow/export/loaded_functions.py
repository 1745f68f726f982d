"""The functions of a SavedModel of TensorFlow 2, called with its variables."""

from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import nest
from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import Tensor
from twinflow.base.tensor_spec import TensorSpec
from twinflow.execute.function import Function
from twinflow.export.structured_values import packed, value_of
from twinflow.formats import protos
from twinflow.graph.graph_def.import_def import import_graph_def
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.variables.resource import ResourceVariable


class Library:
    """The FunctionDefs of a graph, by name.

    Args:
        graph_def: the GraphDef of the SavedModel.
    """

    def __init__(self, graph_def: Any) -> None:
        self.graph_def = graph_def
        self._by_name = {f.signature.name: f for f in graph_def.library.function}

    def function(self, name: str) -> Any:
        """The FunctionDef of a name.

        Raises:
            ValueError: the library has it not.
        """
        if name not in self._by_name:
            raise ValueError(f"The SavedModel has no function {name!r} in its library.")
        return self._by_name[name]

    def signature(self, name: str) -> Any:
        """The OpDef of a function."""
        return self.function(name).signature

    def call(self, name: str) -> Any:
        """A GraphDef with one call of a function, and all functions that it needs."""
        signature = self.signature(name)
        made = protos.GraphDef()
        made.versions.CopyFrom(self.graph_def.versions)
        call = made.node.add(name="call", op="StatefulPartitionedCall")
        call.attr["f"].func.name = name
        for i, arg in enumerate(signature.input_arg):
            node = made.node.add(name=f"arg_{i}", op="Placeholder")
            node.attr["dtype"].type = arg.type
            call.input.append(node.name)
            call.attr["Tin"].list.type.append(arg.type)
        for arg in signature.output_arg:
            call.attr["Tout"].list.type.append(arg.type)
        made.library.function.extend(self._needed(name))
        return made

    def _needed(self, name: str) -> list:
        seen, todo = {}, [name]
        while todo:
            name = todo.pop()
            if name in seen or name not in self._by_name:
                continue
            found = seen[name] = self._by_name[name]
            for node in found.node_def:
                todo.append(node.op)
                for attr in node.attr.values():
                    todo.append(attr.func.name)
                    todo += [f.name for f in attr.list.func]
        return list(seen.values())


class LoadedConcrete:
    """A traced function of the file: for certain dtypes and shapes.

    Args:
        library: the Library. name: its name there. proto: the SavedConcreteFunction.
        bound: gives what it captured, handles and tensors.
    Attributes:
        structured_input_signature: (args, kwargs), TensorSpecs for tensors.
        structured_outputs: the structure of what it returns.
    """

    def __init__(
        self, library: Library, name: str, proto: Any, bound: Callable
    ) -> None:
        self.name, self._library, self._bound = name, library, bound
        taken = value_of(proto.canonicalized_input_signature)
        self.structured_input_signature = taken or ((), {})
        self.structured_outputs = value_of(proto.output_signature)
        self.specs = _tensors(self.structured_input_signature)
        self._graph_def: Any = None
        self._function = Function(self._imported, name=_plain(name))

    def _imported(self, *tensors: Any) -> list:
        """The body of the function, in the graph that is being built."""
        if self._graph_def is None:
            self._graph_def = self._library.call(self.name)
        graph = current_mode()
        given = [*tensors, *(_taken(t, graph) for t in self._bound())]
        wanted = self._library.signature(self.name)
        if len(given) != len(wanted.input_arg):
            raise ValueError(
                f"The function {self.name!r} takes {len(wanted.input_arg)} tensors, "
                f"and the SavedModel gives it {len(given)}."
            )
        args = {f"arg_{i}:0": t for i, t in enumerate(given)}
        names = [f"call:{i}" for i in range(len(wanted.output_arg))]
        if not names:
            import_graph_def(self._graph_def, args, None, "")
            return []
        return list(import_graph_def(self._graph_def, args, names, ""))

    def flat(self, tensors: list) -> list:
        """The results for the tensors among the arguments."""
        return list(self._function(*tensors))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The results, for the arguments of the structured signature, by place or by
        the names of the tensors."""
        names = [s.name or f"arg_{i}" for i, s in enumerate(self.specs)]
        given = dict(zip(names, args))
        unknown = [k for k in kwargs if k not in names or k in given]
        given.update(kwargs)
        missing = [n for n in names if n not in given]
        if len(args) > len(names) or unknown or missing:
            raise TypeError(
                f"The function {self.name!r} takes {names}, once each; got "
                f"{len(args)} positional arguments and {sorted(kwargs)}."
            )
        tensors = [
            convert_to_tensor(given[n], s.dtype) for n, s in zip(names, self.specs)
        ]
        return self.packed(self.flat(tensors))

    def packed(self, flat: list) -> Any:
        """The results in their structure."""
        return packed(self.structured_outputs, flat)

    def __repr__(self) -> str:
        return f"<{self.name} of {self.structured_input_signature}>"


def _taken(part: Any, graph: Any) -> Any:
    """What a function captured, in the graph that is being built."""
    if isinstance(part, ResourceVariable):
        graph.note_variable(part)
        part = part.handle
    return graph.tensor(part)


def _tensors(structure: Any) -> list:
    return [x for x in nest.flatten(structure) if isinstance(x, TensorSpec)]


def _plain(name: str) -> str:
    return name.removeprefix("__inference_").lstrip("_")


class LoadedFunction:
    """A tf.function of the file, with what it was traced for.

    Args:
        name: of the attribute. concrete: list of LoadedConcretes. spec: a FunctionSpec.
    """

    def __init__(self, name: str, concrete: list, spec: Any) -> None:
        self.__name__, self.concrete_functions = name, concrete
        found = value_of(spec.fullargspec) or {}
        names = list(found.get("args") or [])
        self._names = names[1:] if spec.is_method and names[:1] == ["self"] else names
        defaults = list(found.get("defaults") or [])
        self._defaults = dict(zip(reversed(self._names), reversed(defaults)))
        self._only_named = list(found.get("kwonlyargs") or [])
        self._named_defaults = found.get("kwonlydefaults") or {}
        self._takes_more = bool(found.get("varargs"))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = self._canonical(args, kwargs)
        for concrete in self.concrete_functions:
            tensors = _fitting(concrete.structured_input_signature, given)
            if tensors is not None:
                return concrete.packed(concrete.flat(tensors))
        lines = "\n".join(
            f"  {c.structured_input_signature}" for c in self.concrete_functions
        )
        raise ValueError(
            f"The function '{self.__name__}' was not saved for the arguments "
            f"{_described(given)}. A SavedModel holds what was traced before it was "
            f"written:\n{lines or '  nothing'}"
        )

    def _canonical(self, args: tuple, kwargs: dict) -> tuple:
        """The arguments as the signatures of the file have them."""
        left = dict(kwargs)
        found = list(args)
        if len(found) > len(self._names) and not self._takes_more:
            raise TypeError(
                f"'{self.__name__}' takes {self._names}, got {len(args)} arguments."
            )
        for name in self._names[len(found) :]:
            if name in left:
                found.append(left.pop(name))
            elif name in self._defaults:
                found.append(self._defaults[name])
            else:
                raise TypeError(
                    f"'{self.__name__}' misses the argument {name!r}: it takes "
                    f"{self._names}."
                )
        for name in self._only_named:
            if name not in left and name in self._named_defaults:
                left[name] = self._named_defaults[name]
        return tuple(found), left

    def get_concrete_function(self) -> LoadedConcrete:
        """The traced function, where there is just one.

        Raises:
            ValueError: there are several, or none.
        """
        if len(self.concrete_functions) != 1:
            raise ValueError(
                f"'{self.__name__}' was traced {len(self.concrete_functions)} times: "
                "take one of its concrete_functions."
            )
        return self.concrete_functions[0]

    def __repr__(self) -> str:
        return f"<function {self.__name__} of a SavedModel>"


def _fitting(signature: Any, given: tuple) -> list | None:
    """The tensors among arguments that fit a signature, else None."""
    try:
        nest.assert_same_structure(signature, given, check_types=False)
    except (ValueError, TypeError):
        return None
    tensors = []
    for spec, value in zip(nest.flatten(signature), nest.flatten(given), strict=True):
        if not isinstance(spec, TensorSpec):
            if isinstance(value, Tensor | np.ndarray) or value != spec:
                return None
            continue
        found = _as(spec, value)
        if found is None:
            return None
        tensors.append(found)
    return tensors


def _as(spec: TensorSpec, value: Any) -> Any:
    """The tensor of an argument, if it fits."""
    if value is None or (isinstance(value, bool | str) and spec.dtype.name not in (
        "bool", "string"
    )):  # fmt: skip
        return None
    try:
        exact = hasattr(value, "dtype") and isinstance(value, Tensor)
        found = convert_to_tensor(value, None if exact else spec.dtype)
    except (TypeError, ValueError):
        return None
    fits = found.dtype.base_dtype is spec.dtype.base_dtype
    return found if fits and spec.shape.is_compatible_with(found.shape) else None


def _described(given: tuple) -> str:
    def text(value: Any) -> str:
        if isinstance(value, Tensor):
            return f"{value.dtype.name}{value.shape.as_list()}"
        return repr(value)

    return ", ".join(text(x) for x in nest.flatten(given)) or "()"
