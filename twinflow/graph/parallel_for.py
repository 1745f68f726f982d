"""tensorflow.python.ops.parallel_for: a function of many numbers, and Jacobians.

In a graph the numbers are counted by one While; what the function gives for each leaves
it as a stack (Note [Exports] in graph.regions). Eagerly it is a loop in Python.
"""

from collections.abc import Callable
from typing import Any

from twinflow.base import dispatch, nest
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.graph.gradients import gradients
from twinflow.graph.node import GraphTensor, Node
from twinflow.graph.scopes import control_dependencies, group
from twinflow.graph.static import constant_value
from twinflow.graph.while_loop import while_loop
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.index import gather
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.core.size import size
from twinflow.ops.core.transposing import transpose
from twinflow.ops.debugging.checks import assert_equal


def pfor(loop_fn: Callable, iters: Any) -> Any:
    """What a function gives for 0, 1, ... iters - 1, stacked.

    Args:
        loop_fn: a function of an int32 scalar that returns a structure of tensors,
            operations and None. iters: how many numbers, an int or int32 scalar.
    Returns:
        The structure: tensors with one axis more, of length `iters`; an operation that
        has run all of those of the loop for each operation.
    Raises:
        TypeError: `loop_fn` returns what is no tensor.
    """
    mode = dispatch.current_mode()
    with mode.name_scope("pfor"):
        return _now(loop_fn, int(iters)) if mode.eager else _later(loop_fn, iters)


def for_loop(loop_fn: Callable, loop_fn_dtypes: Any, iters: Any) -> Any:
    """What a function gives for 0, 1, ... iters - 1, stacked, as `pfor`.

    Args:
        loop_fn: a function of an int32 scalar that returns a structure of tensors.
        loop_fn_dtypes: the structure with a dtype for each. iters: how many numbers.
    Returns:
        The structure of `loop_fn_dtypes`, of tensors with one axis more.
    Raises:
        ValueError: `loop_fn` returns another number of tensors.
    """
    expected = len(nest.flatten(loop_fn_dtypes))

    def once(i: Any) -> list:
        found = nest.flatten(loop_fn(i))
        if len(found) != expected:
            raise ValueError(
                f"Number of expected outputs, {expected}, does not match the number of "
                f"actual outputs, {len(found)}, from loop_fn"
            )
        return found

    return nest.pack_sequence_as(loop_fn_dtypes, pfor(once, iters))


def _now(loop_fn: Callable, iters: int) -> Any:
    found = [loop_fn(convert_to_tensor(i)) for i in range(iters)]
    if not found:
        raise ValueError("An eager loop of no iterations has no shapes.")
    columns = zip(*(nest.flatten(f) for f in found), strict=True)
    return nest.pack_sequence_as(
        found[0], [None if c[0] is None else stack(c) for c in columns]
    )


def _later(loop_fn: Callable, iters: Any) -> Any:
    graph, inner = dispatch.current_mode(), None
    n = convert_to_tensor(iters, name="iters")

    def body(i: Any) -> tuple:
        nonlocal inner
        inner = nest.map_structure(_inside, loop_fn(i))
        waiting = [v for v in nest.flatten(inner) if isinstance(v, Node)]
        with control_dependencies(waiting):
            return (identity(i) + 1 if waiting else i + 1,)

    count = while_loop(lambda i: i < n, body, [0])
    rows = constant_value(n)
    rows = None if rows is None else int(rows)

    def outside(value: Any) -> Any:
        if value is None:
            return None
        if isinstance(value, Node):
            return group(count)
        return _stacked(graph, value, n, rows)

    return nest.map_structure(outside, inner)


def _inside(value: Any) -> Any:
    """An output of the function, as a tensor of the body."""
    if value is None or isinstance(value, Node):
        return value
    return identity(convert_to_tensor(value))


def _stacked(graph: Any, value: GraphTensor, n: Any, rows: Any) -> Tensor:
    with graph.exports():
        found = graph.tensor(value)[:n]
    dims = TensorShape([rows]).concatenate(TensorShape(value._shape))
    found.set_shape(dims)
    return found


def _looped(use_pfor: bool, loop_fn: Callable, dtypes: Any, iters: Any) -> Any:
    return pfor(loop_fn, iters) if use_pfor else for_loop(loop_fn, dtypes, iters)


def jacobian(output: Any, inputs: Any, use_pfor: bool = True) -> Any:
    """The derivatives of each element of a tensor by each of some others.

    Args:
        output: a tensor float[...]. inputs: a tensor or a structure of them.
        use_pfor: False calls `for_loop` in place of `pfor`.
    Returns:
        The structure of `inputs`: tensors of the shape of `output` followed by theirs;
        None where `output` does not depend on it.
    """
    flat = nest.flatten(inputs)
    static, dims = output.shape, shape(output)
    elements = reshape(output, [-1])
    n = elements.shape[0].value
    found = _looped(
        use_pfor,
        lambda i: gradients(gather(elements, i), flat),
        [output.dtype] * len(flat),
        size(elements) if n is None else n,
    )

    def shaped(x: Any, slopes: Any) -> Any:
        if slopes is None:
            return None
        slopes = reshape(slopes, concat([dims, shape(slopes)[1:]], 0))
        slopes.set_shape(static.concatenate(x.shape))
        return slopes

    pairs = zip(flat, found, strict=True)
    return nest.pack_sequence_as(inputs, [shaped(x, s) for x, s in pairs])


def batch_jacobian(output: Any, inp: Any, use_pfor: bool = True) -> Any:
    """The derivatives of the elements of a row by those of the same row of another.

    Args:
        output: float[batch, ...], whose rows depend only on the same rows of `inp`.
        inp: float[batch, ...]. use_pfor: False calls `for_loop` in place of `pfor`.
    Returns:
        float[batch, the other axes of `output`, those of `inp`]; None where `output`
        does not depend on `inp`.
    Raises:
        ValueError: the first axes have different lengths.
    """
    if not output.shape[0].is_compatible_with(inp.shape[0]):
        raise ValueError(
            f"Need first dimension of output shape ({output.shape}) and inp shape "
            f"({inp.shape}) to match."
        )
    dims, inner = shape(output), shape(inp)
    batch, row = _row_of(output, dims)
    with control_dependencies([assert_equal(batch, inner[0])]):
        rows = reshape(output, [batch, row])

    def loop_fn(i: Any) -> Any:
        return gradients(gather(rows, i, axis=1), inp)[0]

    found = _looped(use_pfor, loop_fn, output.dtype, row)
    if found is None:
        return None
    found = transpose(reshape(found, [row, batch, -1]), [1, 0, 2])
    found = reshape(found, concat([dims, inner[1:]], 0))
    found.set_shape(output.shape.concatenate(inp.shape[1:]))
    return found


def _row_of(output: Any, dims: Any) -> tuple:
    """How many rows a tensor has, and how many elements one has."""
    if output.shape.is_fully_defined():
        batch = output.shape[0].value
        return batch, output.shape.num_elements() // batch
    return dims[0], size(output) // dims[0]
