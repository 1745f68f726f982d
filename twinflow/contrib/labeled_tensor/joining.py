"""Batches, functions over an axis, products and masks of labeled tensors."""

from collections.abc import Callable
from typing import Any

from twinflow.contrib.labeled_tensor.axes import Axes, Axis
from twinflow.contrib.labeled_tensor.labeled import (
    LabeledTensor,
    convert_to_labeled_tensor,
    transpose,
)
from twinflow.graph import map_fn as mapping
from twinflow.graph.scopes import name_scope
from twinflow.ops.arrays import boolean_mask as masking
from twinflow.ops.core import compare, product, shape
from twinflow.ops.core.constant import identity
from twinflow.train import batching


def _batched(make: Callable, values: Any, name: str, many: bool, scope: str) -> list:
    """Labeled tensors of a queue of batches."""
    with name_scope(scope, name, values) as inner:
        xs = [convert_to_labeled_tensor(v) for v in values]
        for x in xs:
            if many and list(x.axes)[:1] != ["batch"]:
                raise ValueError(
                    "When enqueue_many is True, input tensors must have an axis called "
                    f'"batch" as their first dimension, but axes were {x.axes!r}'
                )
        found = make([x.tensor for x in xs], inner)
        found = found if isinstance(found, list | tuple) else [found]
        return [_with_batch(t, x, many) for t, x in zip(found, xs, strict=True)]


def _with_batch(t: Any, x: LabeledTensor, many: bool) -> LabeledTensor:
    rest = list(x.axes.values())[1 if many else 0 :]
    return LabeledTensor(t, [Axis("batch", t.get_shape().dims[0]), *rest])


def batch(
    labeled_tensors: Any, batch_size: int, num_threads: int = 1, capacity: int = 32,
    enqueue_many: bool = False, allow_smaller_final_batch: bool = False,
    name: Any = None,
) -> list[LabeledTensor]:  # fmt: skip
    """Batches through a queue, with an axis "batch" in front; see tf.train.batch.

    Args:
        enqueue_many: the tensors have this axis already.
    Raises:
        ValueError: they should have it, and have not.
    """

    def make(tensors: list, scope: str) -> Any:
        return batching.batch(
            tensors, batch_size, num_threads, capacity, enqueue_many,
            allow_smaller_final_batch=allow_smaller_final_batch, name=scope,
        )  # fmt: skip

    return _batched(make, labeled_tensors, "lt_batch", enqueue_many, name)


def shuffle_batch(
    labeled_tensors: Any, batch_size: int, num_threads: int = 1, capacity: int = 32,
    enqueue_many: bool = False, min_after_dequeue: int = 0, seed: Any = None,
    allow_smaller_final_batch: bool = False, name: Any = None,
) -> list[LabeledTensor]:  # fmt: skip
    """The same in random order; see tf.train.shuffle_batch."""

    def make(tensors: list, scope: str) -> Any:
        return batching.shuffle_batch(
            tensors, batch_size, capacity, min_after_dequeue, num_threads, seed,
            enqueue_many, allow_smaller_final_batch=allow_smaller_final_batch,
            name=scope,
        )  # fmt: skip

    return _batched(make, labeled_tensors, "lt_shuffle_batch", enqueue_many, name)


def map_fn(
    fn: Callable[..., Any], labeled_tensor: Any, name: str | None = None
) -> LabeledTensor:
    """A function of each place along the first axis.

    Args:
        fn: from a LabeledTensor without this axis to a LabeledTensor.
    """
    with name_scope(name, "lt_map_fn", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        first, *rest = x.axes.values()
        seen: list = []

        def plain(tensor: Any) -> Any:
            seen.append(fn(LabeledTensor(tensor, Axes(rest))))
            return seen[-1].tensor

        found = identity(mapping.map_fn(plain, x.tensor, dtype=x.dtype), name=scope)
        return LabeledTensor(found, Axes([first, *seen[0].axes.values()]))


def foldl(
    fn: Callable[..., Any],
    labeled_tensor: Any,
    initial_value: Any,
    name: str | None = None,
) -> LabeledTensor:
    """A function of what came out so far and of each place along the first axis.

    Args:
        fn: from two LabeledTensors to one. initial_value: what it begins with.
    """
    with name_scope(name, "lt_foldl", [labeled_tensor, initial_value]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        start = convert_to_labeled_tensor(initial_value)
        rest = Axes(list(x.axes.values())[1:])

        def plain(so_far: Any, tensor: Any) -> Any:
            return fn(
                LabeledTensor(so_far, start.axes), LabeledTensor(tensor, rest)
            ).tensor

        found = identity(mapping.foldl(plain, x.tensor, start.tensor), name=scope)
        return LabeledTensor(found, start.axes)


def matmul(a: Any, b: Any, name: str | None = None) -> LabeledTensor:
    """The product over the one axis that both have.

    Args:
        a, b: of one or two axes.
    Raises:
        ValueError: they have none in common. NotImplementedError: they have more than
            one, or more axes.
    """
    with name_scope(name, "lt_matmul", [a, b]) as scope:
        a, b = convert_to_labeled_tensor(a), convert_to_labeled_tensor(b)
        ranks = len(a.axes), len(b.axes)
        if max(ranks) > 2:
            raise NotImplementedError(
                "matmul currently requires inputs with rank 2 or less, but inputs have "
                f"ranks {ranks[0]} and {ranks[1]}"
            )
        shared = set(a.axes) & set(b.axes)
        if len(shared) > 1:
            raise NotImplementedError(
                "matmul does not yet support summing over multiple shared axes: "
                f"{shared!r}. Use transpose and reshape to create a single shared axis "
                "to sum over."
            )
        if not shared:
            raise ValueError(
                "there must have exactly one axis in common between input to matmul: "
                f"{a.axes.keys()!r}, {b.axes.keys()!r}"
            )
        (n,) = shared
        if a.axes[n] != b.axes[n]:
            raise ValueError(
                f"mismatched {n!r} axis on input tensors: {a.axes[n]!r} and "
                f"{b.axes[n]!r}"
            )
        left, right = _matrix(a, n, last=True), _matrix(b, n, last=False)
        axes = [*a.axes.remove(n).values(), *b.axes.remove(n).values()]
        found = product.matmul(left, right, name=scope if len(axes) > 1 else None)
        if len(axes) < 2:
            sizes = [-1 if x.size is None else x.size for x in axes]
            found = shape.reshape(found, sizes, name=scope)
        return LabeledTensor(found, axes)


def _matrix(x: LabeledTensor, name: str, last: bool) -> Any:
    """The matrix with an axis as its last or first."""
    names = [n for n in x.axes if n != name]
    if not names:
        return shape.expand_dims(x.tensor, 0 if last else 1)
    wanted = [*names, name] if last else [name, *names]
    return x.tensor if list(x.axes) == wanted else transpose(x, wanted).tensor


def boolean_mask(
    labeled_tensor: Any, mask: Any, name: str | None = None
) -> LabeledTensor:
    """The places along the first axis where a mask is True; its labels go.

    Args:
        mask: a bool LabeledTensor of that axis alone.
    Raises:
        ValueError: it has another axis. NotImplementedError: it has several.
    """
    with name_scope(name, "lt_boolean_mask", [labeled_tensor, mask]) as scope:
        x, m = (
            convert_to_labeled_tensor(labeled_tensor),
            convert_to_labeled_tensor(mask),
        )
        if len(m.axes) != 1:
            raise NotImplementedError(
                "LabeledTensor's boolean_mask currently only supports 1D masks"
            )
        (own,), first = m.axes.values(), next(iter(x.axes.values()))
        if own != first:
            raise ValueError(
                "the first axis of the labeled tensor and the mask are not equal:\n"
                f"{first!r}\n{own!r}"
            )
        found = masking.boolean_mask(x.tensor, m.tensor, name=scope)
        rest = list(x.axes.values())[1:]
        return LabeledTensor(
            found, [Axis(first.name, found.get_shape().dims[0]), *rest]
        )


def where(condition: Any, x: Any, y: Any, name: str | None = None) -> LabeledTensor:
    """Elements of `x` where a condition is True, else of `y`.

    Raises:
        ValueError: the three have not the same axes.
    """
    with name_scope(name, "lt_where", [condition, x, y]) as scope:
        c, x, y = map(convert_to_labeled_tensor, (condition, x, y))
        if c.axes != x.axes or x.axes != y.axes:
            raise ValueError("all inputs to `where` must have equal axes")
        return LabeledTensor(compare.where(c.tensor, x.tensor, y.tensor, scope), x.axes)
