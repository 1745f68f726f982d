"""tf.map_fn, foldl, foldr and scan: loops over the first axis of tensors.

In a graph they are one While over TensorArrays; eagerly they loop in Python.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from twinflow.base import dispatch, nest
from twinflow.base.advice import advised
from twinflow.base.dimension import Dimension
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.graph.while_loop import while_loop
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.sparse.tensor import SparseTensor
from twinflow.ops.tensor_array.arrays import TensorArray

if TYPE_CHECKING:
    from twinflow.graph.node import GraphTensor
    from twinflow.ops.tensor_array.arrays import GraphArray


class _Rows:
    """The rows of a structure of tensors.

    Attributes:
        tensors: the tensors. n: how many rows there are. like: the structure.
    """

    def __init__(self, elems: "GraphTensor") -> None:
        self.like = elems
        self.tensors = [convert_to_tensor(e, name="elem") for e in nest.flatten(elems)]
        first = self.tensors[0]
        static = first.shape[0].value if first.shape.ndims else None
        if first.shape.ndims == 0:
            raise IndexError(
                "elems must be 1+ dimensional tensors, got a scalar: list index out of "
                "range"
            )
        self.n = static or shape_of(first)[0]
        self.arrays = [TensorArray(t.dtype, self.n).unstack(t) for t in self.tensors]

    def __getitem__(self, i: Any) -> Any:
        return nest.pack_sequence_as(self.like, [a.read(i) for a in self.arrays])

    def stacked(self, arrays: Any) -> list[Tensor]:
        """The elements of arrays with one row for each row here."""
        n = Dimension(None)
        for t in self.tensors:
            n = n.merge_with(t.shape.with_rank_at_least(1)[0])
        found = [a.stack() for a in arrays]
        for t in found:
            if t.symbolic:
                t.set_shape(TensorShape([n]).concatenate(t.shape[1:]))
        return found


def _called(fn: Callable) -> Callable:
    if not callable(fn):
        raise advised(TypeError, "fn must be callable.")
    return fn


def _options(parallel_iterations: Any, back_prop: bool, swap_memory: bool) -> dict:
    return {
        "parallel_iterations": parallel_iterations or 10,
        "back_prop": back_prop, "swap_memory": swap_memory,
    }  # fmt: skip


def map_fn(
    fn: Callable[..., Any], elems: Any, dtype: Any = None,
    parallel_iterations: Any = None, back_prop: bool = True, swap_memory: bool = False,
    infer_shape: bool = True, name: str | None = None,
) -> "GraphTensor":  # fmt: skip
    """`fn` of every row of `elems`, stacked: y[i] = fn(x[i]).

    Args:
        fn: a function of one row of `elems` (a structure of rows).
        elems: a tensor dtype[n, ...] or a structure of them.
        dtype: the dtypes that `fn` returns, a structure; those of `elems` by default.
        infer_shape: whether all results have one shape. name: the name scope.
        parallel_iterations, back_prop, swap_memory: see tf.while_loop.
    Returns:
        A structure of tensors with n rows.
    Raises:
        TypeError: `fn` cannot be called, or `elems` is sparse.
        ValueError: `elems` is a scalar, or `fn` returns another structure.
    Example:
        tf.map_fn(lambda x: x * x, tf.constant([1., 2.]))  # [1., 4.]
    """
    _called(fn)
    if isinstance(elems, SparseTensor):
        raise TypeError(
            "To perform a map on the values of a sparse tensor use either  "
            "SparseTensor(input.indices, fn(input.values), input.dense_shape) or  "
            "SparseTensor(input.indices, map_fn(fn, input.values), input.dense_shape)"
        )
    with dispatch.current_mode().name_scope("map" if name is None else name):
        _check_rows(elems)
        rows = _Rows(elems)
        if dtype is None:
            dtype = nest.pack_sequence_as(elems, [t.dtype for t in rows.tensors])
        kinds = nest.flatten(dtype)
        out = [TensorArray(d, rows.n, infer_shape=infer_shape) for d in kinds]

        def once(i: "GraphTensor", arrays: "list[GraphArray]") -> Any:
            found = fn(rows[i])
            nest.assert_same_structure(dtype, found)
            pairs = zip(arrays, nest.flatten(found), strict=True)
            arrays = [a.write(i, y) for a, y in pairs]
            return i + 1, arrays

        options = _options(parallel_iterations, back_prop, swap_memory)
        start = (constant(0), out)
        options["maximum_iterations"] = rows.n
        _, out = while_loop(lambda i, _: i < rows.n, once, start, **options)
        return nest.pack_sequence_as(dtype, rows.stacked(out))


def _check_rows(elems: "GraphTensor") -> None:
    flat = [convert_to_tensor(e) for e in nest.flatten(elems)]
    if flat[0].shape.ndims == 0:
        if len(flat) == 1:
            raise ValueError("elems must be a 1+ dimensional Tensor, not a scalar")
        raise ValueError(
            "elements in elems must be 1+ dimensional Tensors, not scalars"
        )


def _fold(
    fn: Callable, elems: Any, initializer: Any, backward: Any, options: Any, name: str
) -> Any:
    """The last value of a = fn(a, row) over the rows, in one direction or the other."""
    _called(fn)
    mode = dispatch.current_mode()
    with mode.name_scope(name):
        mode.leave_ids(-5 if backward else -2)
        rows = _Rows(elems)
        i = constant(0) + rows.n if backward else constant(0)
        if initializer is None:
            i, a = (i - 1, rows[i - 1]) if backward else (i + 1, rows[i])
        else:
            a = _tensors(initializer)

        def once(i: Any, a: Any) -> tuple:
            a = fn(a, rows[i])
            return i + 1, a

        def once_back(i: Any, a: Any) -> tuple:
            i = i - 1
            return i, fn(a, rows[i])

        if backward:
            return while_loop(lambda i, a: i > 0, once_back, [i, a], **options)[1]
        return while_loop(lambda i, a: i < rows.n, once, [i, a], **options)[1]


def _ends(rows: Any, backward: Any) -> tuple:
    """Where to start, where to stop, and the step."""
    if backward:
        return constant(0) + rows.n - 1, -1, -1
    return constant(0), rows.n, 1


def foldl(
    fn: Any, elems: Any, initializer: Any = None, parallel_iterations: Any = 10,
    back_prop: Any = True, swap_memory: Any = False, name: str | None = None,
) -> Any:  # fmt: skip
    """a = fn(a, x[0]), then fn(a, x[1]), and so on: the last a.

    Args:
        fn: a function of what is gathered so far and of a row of `elems`.
        elems: a tensor dtype[n, ...] or a structure of them.
        initializer: what to start with; the first row if not given.
        parallel_iterations, back_prop, swap_memory: see tf.while_loop.
        name: the name scope.
    Returns:
        What the last call of `fn` returns.
    Raises:
        TypeError: `fn` cannot be called. ValueError: it returns another structure.
    Example:
        tf.foldl(lambda a, x: 10 * a + x, tf.constant([1, 2, 3]))  # 123
    """
    options = _options(parallel_iterations, back_prop, swap_memory)
    name = "foldl" if name is None else name
    return _fold(fn, elems, initializer, False, options, name)


def foldr(
    fn: Any, elems: Any, initializer: Any = None, parallel_iterations: Any = 10,
    back_prop: Any = True, swap_memory: Any = False, name: str | None = None,
) -> Any:  # fmt: skip
    """As tf.foldl from the last row to the first.

    Args, Returns, Raises: see tf.foldl.
    Example:
        tf.foldr(lambda a, x: 10 * a + x, tf.constant([1, 2, 3]))  # 321
    """
    options = _options(parallel_iterations, back_prop, swap_memory)
    name = "foldr" if name is None else name
    return _fold(fn, elems, initializer, True, options, name)


def scan(
    fn: Any, elems: Any, initializer: Any = None, parallel_iterations: Any = 10,
    back_prop: Any = True, swap_memory: Any = False, infer_shape: Any = True,
    reverse: Any = False, name: str | None = None,
) -> Any:  # fmt: skip
    """Every a of a = fn(a, x[0]), fn(a, x[1]), ..., stacked.

    Args:
        fn: a function of what is gathered so far and of a row of `elems`.
        elems: a tensor dtype[n, ...] or a structure of them.
        initializer: what to start with, in the structure that `fn` returns; the first
            row (which is then the first result) if not given.
        infer_shape: whether all results have one shape.
        reverse: go from the last row to the first; results stand at their rows.
        parallel_iterations, back_prop, swap_memory: see tf.while_loop.
        name: the name scope.
    Returns:
        A structure of tensors with n rows.
    Raises:
        TypeError: `fn` cannot be called. ValueError: it returns another structure.
    Example:
        tf.scan(lambda a, x: a + x, tf.constant([1, 2, 3]))  # [1, 3, 6]
    """
    _called(fn)
    with dispatch.current_mode().name_scope("scan" if name is None else name):
        rows = _Rows(elems)
        i, stop, step = _ends(rows, reverse)
        like = elems if initializer is None else initializer
        a = rows[i] if initializer is None else _tensors(initializer)
        arrays = [
            TensorArray(
                t.dtype, rows.n, infer_shape=infer_shape,
                element_shape=t.shape if infer_shape else None,
            )
            for t in nest.flatten(a)
        ]  # fmt: skip
        if initializer is None:
            arrays = _put(arrays, i, a)
            i = i + step

        def once(i: Any, a: Any, arrays: Any) -> tuple:
            a = fn(a, rows[i])
            nest.assert_same_structure(like, a)
            arrays = _put(arrays, i, a)
            return i + step, a, arrays

        options = _options(parallel_iterations, back_prop, swap_memory)
        go = (lambda i, *_: i > stop) if reverse else (lambda i, *_: i < stop)
        options["maximum_iterations"] = rows.n
        *_, arrays = while_loop(go, once, (i, a, arrays), **options)
        return nest.pack_sequence_as(like, rows.stacked(arrays))


def _tensors(structure: Any) -> Any:
    return nest.map_structure(convert_to_tensor, structure)


def _put(arrays: Any, i: Any, a: Any) -> list:
    """The arrays with the leaves of `a` at `i`."""
    pairs = zip(arrays, nest.flatten(a), strict=True)
    return [array.write(i, value) for array, value in pairs]
