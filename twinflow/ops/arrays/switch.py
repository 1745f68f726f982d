"""Switch and Merge: one of two outputs, and the first that is there.

Note [Dead tensors]: a Switch gives its data on the side that its predicate says; the
other side is DEAD. A node that takes or waits for something dead does not run, and what
it gives is dead, too (execute.dead_tensors). A Merge gives the first of its inputs that
is not dead. tf.cond and tf.while_loop need neither: they are nodes with regions.
"""

from typing import Any, NamedTuple

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.tensor import Composite
from twinflow.ops.core import array, compare


class _Dead:
    """The value of what did not happen."""

    def __repr__(self):
        return "DEAD"


DEAD: Any = _Dead()


def _back(d_output_false, d_output_true, data, pred):
    """The gradient of the side that was taken."""
    sides = []
    for place, dy in enumerate((d_output_false, d_output_true)):
        dy = array.zeros_like(data) if dy is None else dy
        sides.append(apply(Switch, (dy, pred))[place])
    return apply(Merge, (sides,))[0], None


Switch = define(
    "Switch",
    infer=lambda data, pred: [data._shape, data._shape],
    host=lambda data, pred: (DEAD, data) if pred else (data, DEAD),
    grad=_back,
    none_ok=True,
)
RefSwitch = define(  # both outputs are the variable; see execute.dead_tensors
    "RefSwitch",
    infer=lambda data, pred: [data._shape, data._shape],
    host=lambda cell, pred: (),
    stateful=True,  # nobody takes its outputs once they stand for the variable
)


def _first_alive(inputs):
    for place, value in enumerate(inputs):
        if value is not DEAD:
            return value, dtypes.int32.np.type(place)
    return DEAD, DEAD


def _common(inputs):
    shapes = [t._shape for t in inputs]
    first = shapes[0]
    if any(s is None or len(s) != len(first or ()) for s in shapes) or first is None:
        return [None, ()]
    dims = zip(*shapes, strict=True)
    return [tuple(d[0] if len(set(d)) == 1 else None for d in dims), ()]


def _to_alive(d_output, value_index, num_inputs):
    """The gradient goes to the input that was there."""
    if d_output is None:
        return ([None] * num_inputs,)
    chosen = (compare.equal(value_index, i) for i in range(num_inputs))
    return ([apply(Switch, (d_output, c))[1] for c in chosen],)


def _define_merge(line):
    return define(
        line,
        infer=_common,
        host=_first_alive,
        grad=_to_alive,
        none_ok=True,
    )


Merge = _define_merge("Merge")
RefMerge = _define_merge(  # of values: not the references themselves
    "RefMerge(inputs: N*T) -> (output: T, value_index: int32)"
)


def _selected(index, inputs):
    if not 0 <= index < len(inputs):
        raise invalid(f"Index must be in the range [0, {len(inputs)}) but got {index}")
    return inputs[index]


def _infer_selected(index, inputs):
    shapes = {t._shape for t in inputs}
    shape = shapes.pop() if len(shapes) == 1 else None
    return None if shape is None or None in shape else shape


RefSelect = define(  # of values, as RefMerge
    "RefSelect(index: int32, inputs: N*T) -> (output: T)",
    infer=_infer_selected,
    host=_selected,
)


ControlTrigger = define(
    "ControlTrigger", infer=lambda: [], kernel=lambda xp: lambda: ()
)


class MergeOutput(NamedTuple):
    """What `merge` gives.

    Attributes:
        output: the tensor. value_index: int32[], which of the inputs it was.
    """

    output: Any
    value_index: Any


MergeOutput.__name__ = "Merge"


def switch(data, pred, dtype=None, name=None):
    """`data` on the side that `pred` says; the other side is dead.

    Args:
        data: a tensor, IndexedSlices or SparseTensor. pred: bool[].
        dtype: the dtype of data that is no tensor yet. name: the name of the node.
    Returns:
        (what is there if `pred` is False, what is there if it is True). To fetch the
        other one is an error, and what is computed from it is dead, too.
    Example:
        x, p = tf.constant(3.), tf.placeholder(tf.bool)
        f, t = switch(x, p)
        y, which = merge([-f, t * 2.])
        with tf.Session() as sess: sess.run(y, {p: True})  # 6.0
    """
    with dispatch.current_mode().name_scope(name or "Switch") as scope:
        if not isinstance(data, Composite):
            data = array.convert_to_tensor(data, dtype, name="data")
            pred = array.convert_to_tensor(pred, name="pred")
            return tuple(apply(Switch, (data, pred), None, scope))
        parts = data._components()
        sides = [None if c is None else apply(Switch, (c, pred)) for c in parts]
        return tuple(
            data._with([None if s is None else s[k] for s in sides]) for k in (0, 1)
        )


def ref_switch(data, pred, dtype=None, name=None):
    """As `switch` for a variable: both outputs are references to it."""
    data = getattr(data, "_as_graph_element", lambda: data)()
    if not getattr(getattr(data, "dtype", None), "_is_ref_dtype", False):
        return switch(data, pred, dtype, name)
    pred = array.convert_to_tensor(pred, name="pred")
    return tuple(apply(RefSwitch, (data, pred), None, name))


def merge(inputs, name=None):
    """The first of `inputs` that is there.

    Args:
        inputs: a list of tensors of one dtype, or of IndexedSlices or SparseTensors; at
            most one of them is not dead. name: the name of the node.
    Returns:
        (output, value_index)
    Raises:
        ValueError: one of them is None.
    """
    if any(t is None for t in inputs):
        raise ValueError(f"At least one of the merge inputs is None: {inputs}")
    with dispatch.current_mode().name_scope(name or "Merge") as scope:
        if not any(isinstance(t, Composite) for t in inputs):
            inputs = [array.convert_to_tensor(t) for t in inputs]
            return MergeOutput(*apply(Merge, (inputs,), None, scope))
        parts = zip(*(t._components() for t in inputs), strict=True)
        found = [None if None in p else apply(Merge, (list(p),)) for p in parts]
        whole = inputs[0]._with([None if f is None else f[0] for f in found])
        return MergeOutput(whole, next(f[1] for f in found if f is not None))


ref_merge = merge
