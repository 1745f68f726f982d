"""The structure of elements: tuples and mappings of components; lists are values.

A leaf of a structure is a tensor, one component; or what data.composite_leaves
describes.
"""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from twinflow.base import dtypes
from twinflow.base.dtypes import as_dtype
from twinflow.base.shapes import TensorShape
from twinflow.data.composite_leaves import DatasetLeaf, SparseLeaf, class_of
from twinflow.ops.sparse.tensor import SparseTensor, SparseTensorValue


def is_nested(value):
    """Whether `value` is a tuple or mapping, not a component."""
    return isinstance(value, tuple | Mapping)


def with_tensors(value):
    """The same structure; a SparseTensorValue is a tuple, but stands for its tensor."""
    if type(value) is SparseTensorValue:
        return SparseTensor.from_value(value)
    if isinstance(value, tuple):
        made = [with_tensors(v) for v in value]
        return type(value)(*made) if hasattr(value, "_fields") else tuple(made)
    if isinstance(value, Mapping):
        return type(value)((k, with_tensors(v)) for k, v in value.items())
    return value


def flatten(value):
    """The components of a structure in order, mappings by sorted key.

    Example:
        from twinflow.data.structure import flatten
        flatten({"b": (1, [2]), "a": 0})  # [0, 1, [2]]
    """
    if isinstance(value, tuple):
        return [leaf for v in value for leaf in flatten(v)]
    if isinstance(value, Mapping):
        return [leaf for k in sorted(value) for leaf in flatten(value[k])]
    return list(value._components()) if type(value) is SparseTensor else [value]


def pack(template, flat):
    """A structure like `template` of the components `flat`."""
    return _pack(template, iter(flat))


def _pack(template, flat):
    if isinstance(template, tuple):
        values = [_pack(t, flat) for t in template]
        made = type(template)
        return made(*values) if hasattr(template, "_fields") else tuple(values)
    if isinstance(template, Mapping):
        found = {k: _pack(template[k], flat) for k in sorted(template)}
        return type(template)((k, found[k]) for k in template)
    if template is None:
        return next(flat)
    return template.pack([next(flat) for _ in range(template.size)])


def leaves(template):
    """The leaves of a template in order: None, or one of data.composite_leaves."""
    if isinstance(template, tuple):
        return [leaf for t in template for leaf in leaves(t)]
    if isinstance(template, Mapping):
        return [leaf for k in sorted(template) for leaf in leaves(template[k])]
    return [template]


def with_leaves(value, new):
    """A structure with other leaves, given in order."""
    new = iter(new)

    def build(v):
        if isinstance(v, tuple):
            made = [build(x) for x in v]
            return type(v)(*made) if hasattr(v, "_fields") else tuple(made)
        if isinstance(v, Mapping):
            found = {k: build(v[k]) for k in sorted(v)}
            return type(v)((k, found[k]) for k in v)
        return next(new)

    return build(value)


def flatten_up_to(template, value):
    """What `value` holds where `template` has components, as a list.

    Raises:
        TypeError: `value` has another structure.
    """
    if isinstance(template, tuple):
        if not isinstance(value, tuple | list) or len(value) != len(template):
            raise TypeError(f"Expected a tuple like {template}, got {value!r}.")
        pairs = zip(template, value)
    elif isinstance(template, Mapping):
        if not isinstance(value, Mapping) or set(value) != set(template):
            raise TypeError(f"Expected a dict like {template}, got {value!r}.")
        pairs = ((template[k], value[k]) for k in sorted(template))
    else:
        return [value]
    return [leaf for t, v in pairs for leaf in flatten_up_to(t, v)]


def same_form(a, b):
    """Whether two structures differ in their components only."""
    try:
        return len(flatten_up_to(a, b)) == len(flatten(b)) and not any(
            is_nested(leaf) for leaf in flatten_up_to(a, b)
        )
    except TypeError:
        return False


class Structure:
    """What the elements of a dataset look like.

    Args:
        template: a structure whose components do not matter.
        types: the DType of each component. shapes: their static shapes, each a tuple
            of int or None, or None if even the rank is unknown.
    """

    __slots__ = ("shapes", "template", "types")

    def __init__(self, template, types, shapes):
        self.template, self.types, self.shapes = template, tuple(types), tuple(shapes)

    @classmethod
    def of(cls, types, shapes=None, classes=None):
        """The structure described by DTypes, TensorShapes and classes in its form."""
        flat = [as_dtype(t) for t in leaves(types)]
        known = [None] * len(flat)
        if shapes is not None:
            known = [TensorShape(s).tuple for s in flatten_up_to(types, shapes)]
        template = with_leaves(types, [None] * len(flat))
        if classes is None or SparseTensor not in leaves(classes):
            return cls(template, flat, known)
        made, all_types, all_shapes = [], [], []
        for kind, dtype, shape in zip(leaves(classes), flat, known, strict=True):
            leaf = SparseLeaf(shape) if kind is SparseTensor else None
            more = leaf.components(dtype, shape) if leaf else ((dtype,), (shape,))
            made.append(leaf)
            all_types += more[0]
            all_shapes += more[1]
        return cls(with_leaves(types, made), all_types, all_shapes)

    def pack(self, flat):
        """An element from its components."""
        template = self.template
        if template is None:
            return flat[0]
        return _pack(template, iter(flat))

    def batched(self, count):
        """The structure of stacks of `count` (an int or None) elements."""
        shapes, leaves = [], []
        for leaf, at in self.leaves:
            if leaf is None:
                s = self.shapes[at.start]
                shapes.append(None if s is None else (count, *s))
                leaves.append(None)
            else:
                shape = None if leaf.shape is None else (count, *leaf.shape)
                leaves.append(SparseLeaf(shape))
                shapes += leaves[-1].components(None, shape)[1]
        return Structure(with_leaves(self.template, leaves), self.types, shapes)

    def unbatched(self):
        """The structure of the rows of elements."""
        shapes, leaves = [], []
        for leaf, at in self.leaves:
            s = self.shapes[at.start] if leaf is None else leaf.shape
            s = None if s is None else s[1:]
            leaves.append(None if leaf is None else SparseLeaf(s))
            shapes += [s] if leaf is None else leaves[-1].components(None, s)[1]
        return Structure(with_leaves(self.template, leaves), self.types, shapes)

    def of_datasets(self, make, cls):
        """The structure of windows: in the place of a leaf a dataset of it."""
        parts = [
            Structure(leaf, self.types[at], self.shapes[at]) for leaf, at in self.leaves
        ]
        leaves = [DatasetLeaf(part, make, cls) for part in parts]
        template = with_leaves(self.template, leaves)
        return Structure(template, [dtypes.variant] * len(parts), [()] * len(parts))

    def as_dataset(self, make, cls):
        """The structure of one dataset of such elements."""
        leaf = DatasetLeaf(self, make, cls)
        return Structure(leaf, [dtypes.variant], [()])

    def with_shapes(self, shapes):
        """The same structure with other shapes."""
        return Structure(self.template, self.types, shapes)

    @property
    def leaves(self):
        """Pairs of (leaf, slice of its components)."""
        found, start = [], 0
        for leaf in leaves(self.template):
            size = 1 if leaf is None else leaf.size
            found.append((leaf, slice(start, start + size)))
            start += size
        return found

    @property
    def output_types(self):
        """The DTypes, in the form of an element."""
        types = self.types
        return with_leaves(self.template, [
            types[at.start] if leaf is None else leaf.dtype(types[at])
            for leaf, at in self.leaves
        ])  # fmt: skip

    @property
    def output_shapes(self):
        """The TensorShapes, in the form of an element."""
        shapes = self.shapes
        return with_leaves(self.template, [
            TensorShape(shapes[at.start]) if leaf is None
            else leaf.static_shape(shapes[at])
            for leaf, at in self.leaves
        ])  # fmt: skip

    @property
    def output_classes(self):
        """The classes of the leaves, in the form of an element."""
        return with_leaves(self.template, [class_of(leaf) for leaf, _ in self.leaves])

    @property
    def is_plain(self):
        """Whether all leaves are tensors."""
        return not any(leaf for leaf, _ in self.leaves)

    def __str__(self):
        shapes = text_of(self.output_shapes, str)
        types = text_of(self.output_types, lambda t: f"tf.{t.name}")
        return f"shapes: {shapes}, types: {types}"


def text_of(value, leaf):
    """A structure as text without quotes."""
    if isinstance(value, tuple):
        inner = ", ".join(text_of(v, leaf) for v in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, Mapping):
        pairs = [(k, text_of(v, leaf)) for k, v in value.items()]
        if isinstance(value, OrderedDict):
            inner = ", ".join(f"({k}, {text})" for k, text in pairs)
            return f"OrderedDict([{inner}])"
        return "{" + ", ".join(f"{k}: {text}" for k, text in pairs) + "}"
    return leaf(value)


def template_of(value):
    """`value` with None for each tensor."""
    return with_leaves(value, [
        SparseLeaf(v.shape.tuple) if type(v) is SparseTensor else None
        for v in leaves(value)
    ])  # fmt: skip


def merged(a, b):
    """The static shape of what has shape `a` or `b`."""
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(m if m == n else None for m, n in zip(a, b))


def compatible(a, b):
    """Whether a value can have both static shapes."""
    if a is None or b is None:
        return True
    pairs = zip(a, b)
    return len(a) == len(b) and all(m == n or None in (m, n) for m, n in pairs)


class OfStructure:
    """What has elements of a Structure."""

    _structure: Structure

    @property
    def output_types(self) -> Any:
        """The DTypes of an element, in its form."""
        return self._structure.output_types

    @property
    def output_shapes(self) -> Any:
        """The TensorShapes of an element, in its form."""
        return self._structure.output_shapes

    @property
    def output_classes(self) -> Any:
        """The classes of the components of an element, in its form."""
        return self._structure.output_classes
