"""Nodes and the tensors between them: small records, named as TensorFlow names them."""

from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import dispatch, errors, shapes
from twinflow.base.advice import advised, say_fix
from twinflow.base.annotations import Array
from twinflow.base.dtypes import DType
from twinflow.base.op import Op
from twinflow.base.tensor import Tensor
from twinflow.graph import picture, static
from twinflow.graph.as_protos import NodeAsProto
from twinflow.graph.operation import Operation
from twinflow.ops.core.infer import text

if TYPE_CHECKING:
    from twinflow.graph.graph import Graph


class GraphTensor(Tensor):
    """One output of a node: a value promised for later.

    Attributes:
        op: the Node. value_index: which of its outputs.
        dtype: the DType.
    """

    __slots__ = (
        "op", "value_index", "dtype", "_shape", "_id", "assign", "__weakref__",
        "__dict__",  # programs put marks of their own on tensors
    )  # fmt: skip
    symbolic = True

    def __init__(
        self, node: "Node", index: int, dtype: DType, shape: tuple | None
    ) -> None:
        self.op, self.value_index = node, index
        self.dtype, self._shape = dtype, shape
        self._id = dispatch.next_id()

    @property
    def name(self) -> str:
        """`node:index`."""
        return f"{self.op.name}:{self.value_index}"

    @property
    def graph(self) -> "Graph":
        """The Graph that holds this tensor."""
        return self.op.graph

    @property
    def device(self) -> str:
        """The device the node asked for."""
        return self.op.device

    def consumers(self) -> "list[Node]":
        """The nodes that take this tensor as an input."""
        return [n for n in self.graph.nodes for t in n.inputs if t is self]

    def eval(self, feed_dict: Any = None, session: Any = None) -> np.generic:
        """The value in `session`; see Session.run.

        Raises:
            ValueError: there is no session, or it is one of another graph.
        """
        session = _session(session, self.graph, "evaluate tensor", "eval")
        return session.run(self, feed_dict)

    def set_shape(self, shape: Any) -> None:
        """Refine the static shape by what the program knows better.

        Raises:
            ValueError: `shape` contradicts what is known.
        """
        wanted = shapes.as_shape(shape)
        try:
            self._shape = shapes.TensorShape(self._shape).merge_with(wanted).tuple
        except ValueError:
            raise advised(ValueError, _clash(self._shape, wanted.tuple)) from None

    def _shape_value(self) -> Any:
        s = self._shape
        if s is not None and None not in s:
            return s
        mode = dispatch.current_mode()
        return (self.graph if mode.eager else mode).shape_tensor(self)

    def _host_value(self) -> Any:
        """The constant value where it is known, else this tensor."""
        found = static.constant_value(self)
        return self if found is None else found

    def _known_value(self) -> Array | tuple[None, ...] | None:
        return static.partial_value(self)

    def __bool__(self) -> bool:
        raise advised(
            TypeError,
            "Using a `tf.Tensor` as a Python `bool` is not allowed. "
            "Use `if t is not None:` instead of `if t:` to test if a tensor is "
            "defined, and use TensorFlow ops such as tf.cond to execute subgraphs "
            "conditioned on the value of a tensor.",
        )

    __nonzero__ = __bool__

    def __iter__(self) -> Any:
        raise advised(
            TypeError,
            "Tensor objects are only iterable when eager execution is enabled. "
            "To iterate over this tensor use tf.map_fn.",
        )

    def __len__(self) -> int:
        raise advised(TypeError, "object of type 'Tensor' has no len()")

    @property
    def numpy(self) -> Any:
        """Of eager tensors alone.

        Raises:
            AttributeError: always.
        """
        error = AttributeError("'Tensor' object has no attribute 'numpy'")
        say_fix(
            error,
            "a tensor of a graph or inside a function has no value yet: fetch it by "
            "session.run(x), return it and look at it there, print it with tf.Print, "
            "or compute eagerly.",
        )
        raise error

    def _no_number(self) -> Any:
        """Raise what Python says where it wants a number, with what to do instead."""
        raise advised(TypeError, "must be real number, not Tensor")

    def __index__(self) -> Any:
        raise advised(TypeError, "'Tensor' object cannot be interpreted as an integer")

    __float__ = _no_number

    def __int__(self) -> Any:
        raise advised(
            TypeError,
            "int() argument must be a string, a bytes-like object or a real number, "
            "not 'Tensor'",
        )

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise advised(
            NotImplementedError,
            f"Cannot convert a symbolic Tensor ({self.name}) to a numpy array.",
        )

    def __str__(self) -> str:
        shape = "" if self._shape is None else f", shape={self.shape}"
        device = f", device={self.op.device}" if self.op.device else ""
        return f'Tensor("{self.name}"{shape}, dtype={self.dtype.name}{device})'

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    def _repr_html_(self) -> str:
        return picture.tensor_card(self)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        raise TypeError(f"{self!r} belongs to its graph and cannot be copied.")


GraphTensor.__name__ = "Tensor"  # as programs see it


def _clash(a: Any, b: Any) -> str:
    """How two shapes contradict each other, in TensorFlow's words."""
    if len(a) != len(b):
        return f"Shapes must be equal rank, but are {len(a)} and {len(b)}"
    pairs = enumerate(zip(a, b, strict=True))
    i = next(i for i, (x, y) in pairs if None not in (x, y) and x != y)
    return (
        f"Dimension {i} in both shapes must be equal, but are {a[i]} and {b[i]}. "
        f"Shapes are {text(a)} and {text(b)}."
    )


class Node(NodeAsProto, Operation):
    """One call of an op in a graph; public as tf.Operation.

    Attributes:
        opdef: the Op. inputs: GraphTensors, list inputs flattened (`counts` tells how).
        attrs: attributes of the kernel. types: the dtypes of the type attributes.
        after: nodes that run before. implied: those of `after` that inputs wait for.
        region: the Region it lives in, or None.
        frames: the user's frames. index: the place in the order of creation.
    """

    __slots__ = (
        "opdef", "name", "inputs", "counts", "attrs", "types", "after", "implied",
        "device", "region", "frames", "outputs", "index", "graph", "static", "extra",
        "marks", "original", "blocks", "shown_stack", "__weakref__", "__dict__",
    )  # fmt: skip

    opdef: Op
    name: str
    inputs: tuple[Any, ...]
    counts: list[Any] | None
    attrs: dict[Any, Any]
    types: dict[Any, Any]
    after: tuple[Any, ...]
    implied: frozenset[Any]
    device: str
    region: "Region | None"
    frames: Any
    outputs: list[GraphTensor]
    index: int
    graph: Any  # the Graph, whose module comes later
    static: Any  # what graph.static found out
    extra: Any  # what calls and control flow keep
    marks: dict[Any, Any] | None  # {name: AttrValue} beside those of the op

    @property
    def type(self) -> str:
        """The op type of TensorFlow's OpDef."""
        return self.opdef.type

    @property
    def control_inputs(self) -> list[Any]:
        """The nodes to wait for, except those that an input waits for already."""
        return [n for n in self.after if n not in self.implied]

    def args(self) -> list[Any]:
        """The inputs as the signature has them: list inputs as lists."""
        return self.arranged(self.inputs)

    def arranged(self, flat: Any) -> list[Any]:
        """What stands for the inputs, one by one, as the signature has them."""
        if self.counts is None:
            return list(flat)
        it = iter(flat)
        return [
            next(it) if n is None else [next(it) for _ in range(n)] for n in self.counts
        ]

    def run(self, feed_dict: Any = None, session: Any = None) -> None:
        """Run in `session`; see Session.run.

        Raises:
            ValueError: there is no session, or it is one of another graph.
        """
        session = _session(session, self.graph, "execute operation", "run")
        session.run(self, feed_dict)

    def _set_device(self, device: Any) -> None:
        """Ask for another device."""
        self.device = device if isinstance(device, str) else device.to_string()

    def _update_input(self, index: int, tensor: GraphTensor) -> None:
        """Take `tensor` as the input `index`; no session that ran the node sees it."""
        if tensor.op.graph is not self.graph:
            raise ValueError(f"{tensor!r} is not from the same graph as {self!r}.")
        self.graph.state["rewired"] = True  # users may come before what they use
        self._put_input(index, tensor)

    def _put_input(self, index: int, tensor: GraphTensor) -> None:
        inputs = list(self.inputs)
        if index >= len(inputs):
            raise errors.OutOfRangeError(
                None, None, f"Cannot update edge. Input index [{index}] is greater "
                f"than the number of total inputs [{len(inputs)}].",
            )  # fmt: skip
        inputs[index] = tensor
        self.inputs = tuple(inputs)

    def _add_control_input(self, op: "Node") -> None:
        self._add_control_inputs([op])

    def _add_control_inputs(self, ops: "list[Node]") -> None:
        """Wait for further nodes.

        Raises:
            TypeError: one of them is no node.
        """
        for op in ops:
            if not isinstance(op, Node):
                raise TypeError(f"op must be an Operation: {op}")
        self.after = tuple(dict.fromkeys((*self.after, *ops)))
        self.implied = self.implied.difference(ops)

    def _remove_all_control_inputs(self) -> None:
        """Wait for nothing but inputs."""
        self.after, self.implied = (), frozenset()

    def values(self) -> tuple[Any, ...]:
        """The outputs."""
        return tuple(self.outputs)

    def __repr__(self) -> str:
        return f"<tf.Operation '{self.name}' type={self.type}>"

    def _repr_html_(self) -> str:
        return picture.node_card(self)


Node.__name__ = "Operation"


def _session(session: Any, graph: "Graph", what: str, method: str) -> Any:
    """`session`, or the default one of this thread."""
    which = "default" if session is None else "given"
    stack: Any = getattr(dispatch.local, "sessions", ())
    if session is None and not stack:
        raise advised(
            ValueError,
            f"Cannot {what} using `{method}()`: No default session is registered. Use "
            f"`with sess.as_default(){':' * (method == 'run')}` or pass an explicit "
            f"session to `{method}(session=sess)`",
        )
    session = session or stack[-1]
    if session.graph is not graph:
        call = f"`{method}(session=sess)`" if method == "eval" else "run(session=sess)"
        hint = f" Pass an explicit session to {call}." if which == "default" else ""
        raise ValueError(
            f"Cannot use the {which} session to {what}: the {what.split()[-1]}'s graph "
            f"is different from the session's graph.{hint}"
        )
    return session


class Region:
    """The body of a control-flow node: its nodes live in the same graph.

    Attributes:
        parent: the Region around it, or None. params: its arguments.
        firsts: the first values of those of a loop. results: what it gives back.
        label: for printing. entered: tensors from outside that have been counted, see
            Note [Ids].
    """

    __slots__ = (
        "parent", "params", "results", "label", "owner", "first", "last", "mirror",
        "variables", "entered", "firsts", "__weakref__",
    )  # fmt: skip

    def __init__(self, parent: "Region | None", label: str) -> None:
        self.parent, self.label = parent, label
        self.params: list[Any] = []
        self.firsts: list[Any] = []
        self.results: list[Any] = []
        self.variables: list[Any] = []  # those that nodes in it read
        self.entered: set[Any] = set()
        self.owner: Any = None
        self.first = self.last = 0  # the nodes made while it was built
        self.mirror = None  # (loop body, counter) that a gradient loop runs backwards

    @property
    def outer_context(self) -> "Region | None":
        """The region around it, by TensorFlow's name."""
        return self.parent

    @property
    def back_prop(self) -> bool:
        """Whether gradients pass through: always."""
        return True

    def IsWhileContext(self) -> bool:
        """Whether it belongs to a loop."""
        return self.label in ("cond", "body")

    def IsCondContext(self) -> bool:
        """Whether it is a branch of a tf.cond."""
        return self.label in ("then", "else")

    def GetWhileContext(self) -> "Region | None":
        """The innermost part of a loop that it lies in, or None."""
        r: Region | None = self
        while r is not None and not r.IsWhileContext():
            r = r.parent
        return r

    def inside(self, other: "Region") -> bool:
        """Whether this region is `other` or lies in it (None = the whole graph)."""
        r: Region | None = self
        while r is not None:
            if r is other:
                return True
            r = r.parent
        return other is None
