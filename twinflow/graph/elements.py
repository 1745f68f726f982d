"""Finding the nodes and tensors of a graph by name."""

from typing import Any

from twinflow.base.advice import advised, advised_by, near
from twinflow.graph.node import GraphTensor, Node


class Elements:
    """What a graph has to look things up.

    Attributes:
        by_name: dict from name to Node.
    """

    by_name: dict[str, Node]

    def get_operation_by_name(self, name: str) -> Any:
        """The node `name`.

        Raises:
            KeyError: there is none. ValueError, TypeError: it is no name of a node.
        """
        if not isinstance(name, str):
            raise TypeError(
                f"Operation names are strings (or similar), not {type(name).__name__}."
            )
        return self.as_graph_element(name, allow_tensor=False)

    def get_tensor_by_name(self, name: Any) -> Any:
        """The tensor `node:index`.

        Raises:
            KeyError: there is none. ValueError, TypeError: it is no name of a tensor.
        """
        if not isinstance(name, str):
            raise TypeError(
                f"Tensor names are strings (or similar), not {type(name).__name__}."
            )
        return self.as_graph_element(name, allow_operation=False)

    def as_graph_element(
        self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True
    ) -> Any:
        """A tensor or node of this graph.

        Args:
            obj: the thing itself, its name, or what has it as `_as_graph_element()`: a
                variable.
            allow_tensor, allow_operation: what it may be.
        Raises:
            TypeError: `obj` is neither. KeyError: there is none of this name.
            ValueError: the name is of the wrong kind, or another graph has it.
        """
        if type(obj) is GraphTensor and allow_tensor and obj.op.graph is self:
            return obj
        if not (allow_tensor or allow_operation):
            raise ValueError("allow_tensor and allow_operation can't both be False.")
        if hasattr(obj, "_as_graph_element"):
            obj = obj._as_graph_element()
        if isinstance(obj, str):
            if ":" in obj:
                return self._tensor_named(obj, allow_tensor)
            return self._node_named(obj, allow_operation)
        allowed = {"Tensor": allow_tensor, "Operation": allow_operation}
        wanted = " or ".join(name for name, yes in allowed.items() if yes)
        kind = {GraphTensor: "Tensor", Node: "Operation"}.get(type(obj))
        if kind is None or not allowed[kind]:
            found = kind or type(obj).__name__
            raise TypeError(f"Can not convert a {found} into a {wanted}.")
        if obj.graph is not self:
            kind = "Tensor " if kind == "Tensor" else "Operation "
            raise advised(ValueError, f"{kind}{obj} is not an element of this graph.")
        return obj

    def _tensor_named(self, name: str, allowed: bool) -> GraphTensor:
        node, _, index = name.partition(":")
        if not allowed:
            raise ValueError(
                f"Name {name!r} appears to refer to a Tensor, not a Operation."
            )
        try:
            place = int(index)
        except ValueError:
            place = None
        if place is None:
            raise ValueError(
                f"The name {name!r} looks a like a Tensor name, but is not a valid "
                'one. Tensor names must be of the form "<op_name>:<output_index>".'
            )
        if node not in self.by_name:
            error = KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. "
                f"The operation, {node!r}, does not exist in the graph."
            )
            found = near(error, node, self.by_name, f":{index}")
            raise advised_by(found, error.args[0])
        outputs = self.by_name[node].outputs
        if place >= len(outputs):
            raise advised(
                KeyError,
                f"The name {name!r} refers to a Tensor which does not exist. The "
                f"operation, {node!r}, exists but only has {len(outputs)} outputs.",
            )
        return outputs[place]

    def _node_named(self, name: str, allowed: bool) -> Node:
        there = name in self.by_name
        if allowed and there:
            return self.by_name[name]
        if allowed:
            raise advised(
                KeyError, f"The name {name!r} refers to an Operation not in the graph."
            )
        what = "refers to an" if there else "looks like an (invalid)"
        what += " Operation" if there else " Operation name"
        raise ValueError(
            f"The name {name!r} {what}, not a Tensor. Tensor names must be of the form "
            '"<op_name>:<output_index>".'
        )
