"""Structures of tensors for control flow: sparse forms and tensor arrays in parts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from twinflow.base import nest
from twinflow.base.advice import advised
from twinflow.base.dtypes import DType
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Composite, ResourceHandle, Tensor, TensorLike

if TYPE_CHECKING:
    from twinflow.graph.node import GraphTensor


def leaves(structure: Any) -> list:
    """The tensors of a structure in order, those of composite values included."""
    return [t for leaf in nest.flatten(structure) for t in _parts(leaf)]


def _parts(leaf: Any) -> list:
    if isinstance(leaf, Composite):
        return [c for c in leaf._components() if c is not None]
    if leaf is None:
        raise advised(ValueError, "None values not supported.")
    return [leaf]


def filled(structure: Any, tensors: Sequence) -> Sequence | Tensor:
    """A structure like `structure` that holds `tensors` where it has its own."""
    rest = iter(tensors)
    found = [_filled(leaf, rest) for leaf in nest.flatten(structure)]
    return nest.pack_sequence_as(structure, found)


def _filled(leaf: Any, rest: Any) -> "GraphTensor":
    if isinstance(leaf, Composite):
        parts = leaf._components()
        return leaf._with([None if c is None else next(rest) for c in parts])
    return next(rest)


def expanded(shapes: list[TensorShape], structure: list) -> list[TensorShape]:
    """A flat list of one shape per tensor, from one per leaf of `structure`."""
    pairs = zip(shapes, nest.flatten(structure), strict=True)
    return [s for shape, leaf in pairs for s in _shapes_of(shape, leaf)]


def _shapes_of(shape: TensorShape, leaf: "GraphTensor | int") -> Any:
    return leaf._loop_shapes(shape) if isinstance(leaf, Composite) else [shape]


def kept_shapes(structure: Sequence, tensors: Any) -> list[tuple]:
    """The shape that each of the tensors of `structure` keeps in a loop."""
    rest = iter(tensors)
    shapes: list = []
    for leaf in nest.flatten(structure):
        found = [next(rest)._shape for _ in _parts(leaf)]
        shapes += leaf._loop_shapes() if isinstance(leaf, Composite) else found
    return shapes


def tensor_in(graph: Any, value: Any, dtype: DType | None = None) -> "GraphTensor":
    """`value` as a tensor of `graph`; a variable by the value it has."""
    if isinstance(value, ResourceHandle | TensorLike):
        value = value._as_tensor()
    return graph.tensor(value, dtype)
