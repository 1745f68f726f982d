"""Runs made node by node: values can be asked for and replaced on the way."""

from typing import Any

from twinflow.base import nest


class NodeStepper:
    """Evaluates a session's nodes one after the other, and keeps what they gave.

    Args:
        sess: the session. fetches, feed_dict: as of Session.run.
    """

    def __init__(self, sess: Any, fetches: Any, feed_dict: Any = None) -> None:
        self._sess = sess
        self._fetches = fetches
        self._client_feeds = {
            self._name(key): value for key, value in (feed_dict or {}).items()
        }
        self._override_tensors: dict[str, Any] = {}
        self._tensor_handles: dict[str, Any] = {}  # {tensor: its value}
        self._sorted_nodes, self._elements = self._closure()

    def __enter__(self) -> "NodeStepper":
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, exc_traceback: Any) -> None:
        self._tensor_handles.clear()

    def _name(self, element: Any) -> str:
        return element if isinstance(element, str) else element.name

    def _element(self, fetch: Any) -> Any:
        return self._sess.graph.as_graph_element(fetch)

    def _closure(self) -> tuple[list[str], list[str]]:
        """The nodes that the fetches need, inputs first, and what they are made of."""
        order: dict[str, Any] = {}
        waiting = [(self._node(f), False) for f in nest.flatten(self._fetches)][::-1]
        elements: list[str] = []
        while waiting:
            node, done = waiting.pop()
            if node.name in order:
                continue
            if done:
                order[node.name] = node
                elements.extend([node.name, *(t.name for t in node.outputs)])
                continue
            waiting.append((node, True))
            above = [t.op for t in node.inputs] + list(node.control_inputs)
            waiting.extend((n, False) for n in above if n.name not in order)
        return list(order), elements

    def _node(self, fetch: Any) -> Any:
        element = self._element(fetch)
        return getattr(element, "op", element)

    def sorted_nodes(self) -> list[str]:
        """The nodes that are needed, each after its inputs."""
        return self._sorted_nodes

    def closure_elements(self) -> list[str]:
        """Their names, and those of their outputs."""
        return self._elements

    def output_slots_in_closure(self, node_name: str) -> list[int]:
        """The outputs of a node that are among them."""
        node = self._sess.graph.get_operation_by_name(node_name)
        return [i for i, t in enumerate(node.outputs) if t.name in self._elements]

    def is_feedable(self, name: str) -> bool:
        return self._sess.graph.is_feedable(self._element(name))

    def override_tensor(self, tensor_name: str, overriding_val: Any) -> None:
        """Replace a tensor's value in what is evaluated from now on.

        Raises:
            ValueError: the tensor is none of those that are needed.
        """
        if tensor_name not in self._elements:
            raise ValueError(
                f'Overriding tensor "{tensor_name}" does not exist in the input tree to'
                f' the fetch "{get_names(self._fetches)}"'
            )
        self._override_tensors[tensor_name] = overriding_val
        self._tensor_handles.clear()

    def remove_override(self, tensor_name: str) -> None:
        """Let a tensor have its own value again.

        Raises:
            ValueError: it was not replaced.
        """
        if tensor_name not in self._override_tensors:
            raise ValueError(f'No overriding value exists for tensor "{tensor_name}".')
        del self._override_tensors[tensor_name]
        self._tensor_handles.clear()

    def override_names(self) -> list[str]:
        return list(self._override_tensors)

    def handle_names(self) -> list[str]:
        """The tensors that have been evaluated."""
        return list(self._tensor_handles)

    def cont(self, target: Any) -> Any:
        """Evaluate up to a tensor, node or structure, with what is known and replaced.

        Returns:
            its value.
        """
        feeds = {**self._client_feeds, **self._tensor_handles, **self._override_tensors}
        wanted = [self._name(t) for t in nest.flatten(target)]
        feeds = {
            name: value for name, value in feeds.items()
            if name not in wanted or name in self._override_tensors
        }  # fmt: skip
        value = self._sess.run(target, feed_dict=feeds)
        for name, one in zip(wanted, nest.flatten(value)):
            if ":" in name:
                self._tensor_handles[name] = one
        return value

    def get_tensor_value(self, tensor_name: str) -> Any:
        """The value of a tensor that was evaluated or replaced.

        Raises:
            ValueError: it was not.
        """
        for known in (self._override_tensors, self._tensor_handles):
            if tensor_name in known:
                return known[tensor_name]
        raise ValueError(
            f"This stepper instance does not have access to the value of tensor "
            f'"{tensor_name}"'
        )

    def finalize(self) -> Any:
        """The values of the fetches."""
        return self.cont(self._fetches)


def get_names(fetches: Any) -> str:
    """The names of fetches, for errors."""
    return ", ".join(str(getattr(f, "name", f)) for f in nest.flatten(fetches))
