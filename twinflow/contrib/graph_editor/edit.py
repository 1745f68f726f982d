"""Parts of a graph taken out, joined and bypassed."""

from typing import Any

from twinflow.contrib.graph_editor.elements import (
    ControlOutputs,
    check_graphs,
    make_placeholder_from_tensor,
    placeholder_name,
)
from twinflow.contrib.graph_editor.reroute import (
    remove_control_inputs,
    reroute_inputs,
    reroute_ts,
    swap_inputs,
    swap_outputs,
)
from twinflow.contrib.graph_editor.select import check_cios
from twinflow.contrib.graph_editor.subgraph import SubGraphView, make_view
from twinflow.ops.arrays.placeholder import placeholder


def detach_control_inputs(sgv: Any) -> None:
    """Let the operations of a view wait for none outside."""
    view = make_view(sgv)
    for op in view.ops:
        outside = [c for c in op.control_inputs if c not in view.ops]
        remove_control_inputs(op, outside)


def detach_control_outputs(sgv: Any, control_outputs: ControlOutputs) -> None:
    """Let no operation outside wait for one of a view.

    Args:
        control_outputs: the ControlOutputs of the graph.
    Raises:
        TypeError: it is none.
    """
    if not isinstance(control_outputs, ControlOutputs):
        raise TypeError(f"Expected a util.ControlOutputs, got: {type(control_outputs)}")
    control_outputs.update()
    view = make_view(sgv)
    for op in view.ops:
        for user in control_outputs.get(op):
            if user not in view.ops:
                remove_control_inputs(user, op)


def detach_inputs(sgv: Any, control_inputs: bool = False) -> tuple[Any, ...]:
    """Put placeholders in the place of a view's inputs.

    Args:
        sgv: a view, which is changed, or what makes one.
        control_inputs: detach these as well.
    Returns:
        The view and the placeholders.
    Example:
        x = tf.placeholder(tf.float32, name="x")
        y = tf.square(x)
        view, (new,) = tf.contrib.graph_editor.detach_inputs(y.op)
        tf.Session().run(y, {new: 3.})  # 9.0
    """
    view = make_view(sgv)
    with view.graph.as_default():
        made = [placeholder(t.dtype, name=placeholder_name(t)) for t in view.inputs]
    swap_inputs(view, made)
    if control_inputs:
        detach_control_inputs(view)
    return view, made


def detach_outputs(sgv: Any, control_outputs: Any = None) -> tuple[Any, ...]:
    """Let those who use a view's outputs use placeholders.

    Args:
        sgv: a view or what makes one.
        control_outputs: a ControlOutputs, to detach these as well.
    Returns:
        A view with the outputs that were used, and the placeholders.
    """
    view = make_view(sgv)
    used = [i for i, t in enumerate(view.outputs) if t.consumers()]
    view = view.remap_outputs(used)
    behind = SubGraphView(view.consumers())
    places = [i for i, t in enumerate(behind.inputs) if t in list(view.outputs)]
    with view.graph.as_default():
        taken = behind.remap_inputs(places).inputs
        made = [make_placeholder_from_tensor(t) for t in taken]
    swap_outputs(view, made)
    if control_outputs is not None:
        detach_control_outputs(view, control_outputs)
    return view, made


def detach(
    sgv: Any, control_inputs: Any = False, control_outputs: Any = None,
    control_ios: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """`detach_inputs` and `detach_outputs`.

    Args:
        control_inputs, control_outputs, control_ios: see `check_cios`.
    Returns:
        The view, the placeholders before it, and those behind it.
    """
    back, forward = check_cios(control_inputs, control_outputs, control_ios)
    _, before = detach_inputs(sgv, back)
    _, behind = detach_outputs(sgv, forward)
    return sgv, before, behind


def connect(sgv0: Any, sgv1: Any, disconnect_first: bool = False) -> tuple[Any, ...]:
    """Let a view take the outputs of another one as its inputs.

    Args:
        sgv0: the one that gives. sgv1: the one that takes.
        disconnect_first: detach the outputs of the first before.
    Returns:
        Both views.
    """
    sgv0, sgv1 = make_view(sgv0), make_view(sgv1)
    check_graphs(sgv0, sgv1)
    if disconnect_first:
        detach_outputs(sgv0)
    reroute_inputs(SubGraphView(passthrough_ts=sgv0.outputs), sgv1)
    return sgv0, sgv1


def bypass(sgv: Any) -> tuple[Any, ...]:
    """Let those who use a view's outputs use its inputs.

    Args:
        sgv: a view with as many outputs as inputs, or what makes one.
    Returns:
        The view, and the placeholders that it has as inputs now.
    """
    view = make_view(sgv)
    before = list(view.inputs)
    view, made = detach_inputs(view)
    reroute_ts(before, view.outputs)
    return view, made
