"""The ops of tensor arrays.

Note [Tensor arrays]: in a graph a tensor array is two tensors. Its handle says what it
is and never changes (`dtypes.array_handle`; TensorFlow's resource). Its flow is what is
in it, as a value (`dtypes.flow`; TensorFlow's float32 scalar): a write takes one flow
and gives another. So a loop carries the flow, a branch returns it, a function captures
it and a gradient goes through it like any other tensor; the gradient of a flow is a
flow, added up element by element, and no element stands for zero. The Python object
(`arrays`) is a view of a handle and a flow. The ops are linear in flows and elements,
and their gradients read neither, so a loop keeps none of them for its way back. In the
interpreter a flow is an `elements.Elements`; compiled it is a buffer with room for all
elements (lower.tensor_array), as long as their number and shape are known by then. A
flow never leaves a cluster: an array that cannot be compiled runs on the host with all
that touches it (execute.plan). Eagerly a tensor array is a list.
"""

from twinflow.base import dtypes, signature
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, Op, define
from twinflow.ops.core.flow import Elements, Nothing
from twinflow.ops.core.infer import at_least, one_int, ranked
from twinflow.ops.tensor_array import elements
from twinflow.ops.tensor_array.elements import ArrayHandle


def made(
    size, dtype, element_shape, dynamic_size, clear_after_read,
    identical_element_shapes, tensor_array_name,
):  # fmt: skip
    """The handle of a new tensor array, and its flow: no elements yet."""
    handle = ArrayHandle(
        dtype, one_int(size), dynamic_size, clear_after_read, identical_element_shapes,
        element_shape, tensor_array_name,
    )  # fmt: skip
    return handle, Elements({}, handle.size)


_OURS = {dtypes.resource: dtypes.array_handle, dtypes.float32: dtypes.flow}
_TYPED = {"dtype": dtypes.float32}


def _define(kind, infer, kernel, attrs=None, **facts):
    """An op of TensorFlow, whose resources are arrays and float32 are flows here."""
    sig = signature.of_op_def(kind, "size", attrs)
    inputs, outputs = map(_in_our_dtypes, (sig.inputs, sig.outputs))
    sig = sig._replace(inputs=inputs, outputs=outputs)
    return define(sig, infer=infer, kernel=lambda xp: kernel, **facts)


def _in_our_dtypes(args):
    return tuple(a._replace(dtype=_OURS.get(a.dtype, a.dtype)) for a in args)


TensorArrayV3 = _define(
    "TensorArrayV3", lambda size, **_: [(2,), ()], made, _TYPED, stateful=True
)

TensorArrayGradV3 = _define(
    "TensorArrayGradV3",
    lambda handle, flow_in, source: [(2,), ()],
    lambda handle, flow_in, source: (handle.gradient(), Elements({}, handle.size)),
    {"source": ""},
    stateful=True,
)


def _wider(handle, flow_in, shape_to_prepend, source):
    """The array of slopes whose elements have more axes in front."""
    found, more = handle.gradient(), tuple(shape_to_prepend.tolist())
    found.shape = None if handle.shape is None else (*more, *handle.shape)
    found.shapes = {k: (*more, *s) for k, s in handle.shapes.items()}
    return found, Elements({}, handle.size)


TensorArrayGradWithShape = _define(
    "TensorArrayGradWithShape",
    lambda handle, flow, shape_to_prepend, source: [(2,), ()],
    _wider,
    {"source": ""},
    stateful=True,
    host=True,
)


def nothing():
    """The flow of which no element is anything: the zero of flows."""
    return apply(Nothing, ())


# ---------------------------------------------------------------- one element
def _flow_shape(handle, index, *_):
    ranked(index._shape, 0, "TensorArray index must be scalar, but had shape: {}")
    return ()


def _taken(dy, handle, index, like):
    attrs = {"dtype": like.dtype, "shape": like._shape}
    return apply(Taken, (handle, index, dy), attrs)


TensorArrayWriteV3 = _define(
    "TensorArrayWriteV3",
    _flow_shape,
    elements.write,
    grad=[
        None,
        None,
        lambda dy, handle, index, value: _taken(dy, handle, index, value),
        lambda dy: dy,
    ],
)


def _read_shape(handle, index, flow_in, dtype):
    _flow_shape(handle, index)


TensorArrayReadV3 = _define(
    "TensorArrayReadV3",
    _read_shape,
    elements.read,
    _TYPED,
    stateful=True,
    grad=[None, None, lambda dy, handle, index: apply(Entries, (handle, index, dy))],
)


# ---------------------------------------------------------------- many elements
def _gathered_shape(handle, indices, flow_in, dtype, element_shape):
    words = "Expected indices to be a vector, but received shape: "
    s = ranked(indices._shape, 1, lambda s: f"{words}{list(s)}")
    return None if element_shape is None else (s[0], *element_shape)


TensorArrayGatherV3 = _define(
    "TensorArrayGatherV3",
    _gathered_shape,
    elements.gather,
    _TYPED,
    stateful=True,
    grad=[
        None,
        None,
        lambda dy, handle, indices: apply(Entries, (handle, indices, dy)),
    ],
)


def _scattered_shape(handle, indices, value, flow_in):
    s, t = indices._shape, value._shape
    ranked(s, 1)
    at_least(t, 1)
    if s and t and None not in (s[0], t[0]) and s[0] != t[0]:
        raise InferError(f"Dimensions must be equal, but are {t[0]} and {s[0]}")
    return ()


TensorArrayScatterV3 = _define(
    "TensorArrayScatterV3",
    _scattered_shape,
    elements.scatter,
    grad=[
        None,
        None,
        lambda dy, handle, indices, value: _taken(dy, handle, indices, value),
        lambda dy: dy,
    ],
)


# ---------------------------------------------------------------- parts of a tensor
def _concat_shapes(handle, flow_in, dtype, element_shape_except0):
    rest = element_shape_except0
    return [None if rest is None else (None, *rest), (None,)]


TensorArrayConcatV3 = _define(
    "TensorArrayConcatV3",
    _concat_shapes,
    lambda handle, flow, dtype, element_shape_except0: elements.concat(
        handle, flow, element_shape_except0
    ),
    _TYPED,
    stateful=True,
    grad=[
        None,
        lambda d_value, handle, lengths: apply(Parts, (handle, lengths, d_value)),
    ],
)


def _split_shape(handle, value, lengths, flow_in):
    s = lengths._shape
    ranked(s, 1)
    return ()


TensorArraySplitV3 = _define(
    "TensorArraySplitV3",
    _split_shape,
    elements.split,
    grad=[
        None,
        lambda dy, handle, lengths, value: _joined(dy, handle, lengths, value),
        None,
        lambda dy: dy,
    ],
)


def _joined(dy, handle, lengths, like):
    attrs = {"dtype": like.dtype, "shape": like._shape}
    return apply(Joined, (handle, lengths, dy), attrs)


# ---------------------------------------------------------------- the array itself
TensorArraySizeV3 = _define(
    "TensorArraySizeV3",
    lambda handle, flow_in: (),
    lambda handle, flow: dtypes.int32.np.type(flow.size or 0),
)

TensorArrayCloseV3 = _define(
    "TensorArrayCloseV3",
    lambda handle: [],
    lambda handle: (),
    stateful=True,
)


# ---------------------------------------------------------------- gradients
def _to_flow(kind, at, kernel, back):
    """The flow of which only what is `at` some places is something: that of a value."""
    return define(
        f"{kind}(handle: array, {at}, value: T) -> (flow: flow)",
        infer=lambda *_: (),
        kernel=lambda xp: kernel,
        grad=[None, None, back],
    )


def _from_flow(kind, at, kernel, back):
    """The value that a flow has at some places; zeros where there is none."""
    return define(
        f"{kind}(handle: array, {at}, flow: flow) -> (value: dtype);"
        " dtype=float32, shape=None",
        infer=lambda *_, dtype, shape: shape,
        kernel=lambda xp: kernel,
        grad=[None, None, back],
    )


def _parts(handle, lengths, value):
    return Elements(dict(enumerate(elements.parts_of(value, lengths))))


Entries: Op = _to_flow(
    "TwinArrayEntries", "index: int32", elements.entries,
    lambda dy, handle, index, value: _taken(dy, handle, index, value),
)  # fmt: skip
Taken: Op = _from_flow(
    "TwinArrayTaken", "index: int32", elements.taken,
    lambda dy, handle, index: apply(Entries, (handle, index, dy)),
)  # fmt: skip
Parts: Op = _to_flow(
    "TwinArrayParts", "lengths: int64", _parts,
    lambda dy, handle, lengths, value: _joined(dy, handle, lengths, value),
)  # fmt: skip
Joined: Op = _from_flow(
    "TwinArrayJoined", "lengths: int64", elements.joined,
    lambda dy, handle, lengths: apply(Parts, (handle, lengths, dy)),
)  # fmt: skip


def made_again(node, inputs):
    """The handle that `node` makes, made from `inputs` at another place.

    Args:
        node: one that makes a handle. inputs: the tensors that its inputs are there.
    """
    if node.type == "TensorArrayGradV3":
        return apply(node.opdef, (inputs[0], nothing()), node.attrs)[0]
    known = node.graph.state.get("array_shapes", {}).get(node.outputs[0])
    attrs = node.attrs
    if known and known[0].dims is not None:
        attrs = {**attrs, "element_shape": known[0].tuple}
    handle = apply(node.opdef, inputs, attrs)[0]
    origins = handle.graph.state.setdefault("array_origins", {})
    origins[handle.op] = origin_of(node)
    return handle


def origin_of(node):
    """The node that first made the array that `node` makes again, or `node`."""
    return node.graph.state.get("array_origins", {}).get(node, node)
