"""What programs ask of an operation of a graph beyond what running it needs."""

from typing import Any

from twinflow.base import frames


class Operation:
    """The parts of tf.Operation that only look at a node, or mark it.

    Attributes:
        original: the node because of which it was made; unset if none.
        blocks: (kind, TraceableObject) of the blocks around it that say where it is;
            unset if none. shown_stack: a traceback that a program gave it.
    """

    __slots__ = ()

    name: str
    graph: Any
    node_def: Any
    op_def: Any
    original: Any
    blocks: tuple[Any, ...]
    shown_stack: list[tuple[Any, ...]]
    frames: Any
    index: int
    inputs: tuple[Any, ...]
    outputs: list[Any]
    after: tuple[Any, ...]
    implied: frozenset[Any]

    @property
    def traceback(self) -> list[tuple[Any, ...]]:
        """The user's frames, outermost first: (file, line, function, its text)."""
        return frames.stack_of(self.frames)

    @property
    def traceback_with_start_lines(self) -> list[Any]:
        """The same with the first line of the function at the end of each."""
        first = [code.co_firstlineno for code, _ in reversed(self.frames)]
        pairs = zip(self.traceback, first, strict=True)
        return [(*entry, line) for entry, line in pairs]

    # ------------------------------------------------------------------ older names
    @property
    def _original_op(self) -> Any:
        return getattr(self, "original", None)

    @property
    def _id(self) -> Any:
        return self.index + 1

    _id_value = _id

    @property
    def _graph(self) -> Any:
        return self.graph

    @property
    def _outputs(self) -> Any:
        return self.outputs

    @property
    def _inputs(self) -> list:
        return list(self.inputs)

    @property
    def _control_inputs(self) -> list:
        return [n for n in self.after if n not in self.implied]

    @property
    def _control_outputs(self) -> list:
        return [n for n in self.graph.nodes if self in n.control_inputs]

    @property
    def _output_types(self) -> list:
        return [t.dtype.as_datatype_enum for t in self.outputs]

    @property
    def _input_types(self) -> list:
        return [t.dtype.base_dtype for t in self.inputs]

    @property
    def _node_def(self) -> Any:
        return self.node_def

    @property
    def _op_def(self) -> Any:
        return self.op_def

    @property
    def _traceback(self) -> Any:
        return getattr(self, "shown_stack", None) or self.traceback

    @_traceback.setter
    def _traceback(self, stack: list[tuple]) -> None:
        setattr(self, "shown_stack", stack)  # noqa: B010 - a slot of Node

    @property
    def _device_assignments(self) -> list:
        """The tf.device blocks around it, as TraceableObjects, the innermost first."""
        return [t for kind, t in getattr(self, "blocks", ()) if kind == "device"]

    @property
    def _colocation_dict(self) -> dict:
        """{name of a node: TraceableObject} of the colocate_with blocks around it."""
        blocks = getattr(self, "blocks", ())
        return {t.obj.name: t.copy_metadata() for kind, t in blocks if kind != "device"}

    def _why_no_tensor(self) -> str:
        """The text of the error where a tensor is wanted."""
        return (
            f"Can't convert Operation '{self.name}' to Tensor (target dtype=None, "
            "name=None, as_ref=False)"
        )

    def _get_control_flow_context(self) -> Any:
        """The block of control flow that the node is in, or None."""
        return getattr(self, "region", None)

    _control_flow_context = property(_get_control_flow_context)

    def _tf_output(self, output_idx: Any) -> Any:
        return self.outputs[output_idx]
