"""The structure of elements: tuples and mappings of components; lists are values."""

from collections.abc import Mapping

from twinflow.base.dtypes import as_dtype
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor


def is_nested(value):
    """Whether `value` is a tuple or mapping, not a component."""
    return isinstance(value, tuple | Mapping)


def flatten(value):
    """The components of a structure in order, mappings by sorted key.

    Example: `flatten({"b": (1, [2]), "a": 0}) == [0, 1, [2]]`.
    """
    if isinstance(value, tuple):
        return [leaf for v in value for leaf in flatten(v)]
    if isinstance(value, Mapping):
        return [leaf for k in sorted(value) for leaf in flatten(value[k])]
    return [value]


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
    return next(flat)


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
    def of(cls, types, shapes=None):
        """The structure described by DTypes and TensorShapes in its form."""
        flat = [as_dtype(t) for t in flatten(types)]
        known = [None] * len(flat)
        if shapes is not None:
            known = [TensorShape(s).tuple for s in flatten_up_to(types, shapes)]
        return cls(template_of(types), flat, known)

    def pack(self, flat):
        """An element from its components."""
        template = self.template
        if template is None:
            return flat[0]
        return _pack(template, iter(flat))

    def with_shapes(self, shapes):
        """The same structure with other shapes."""
        return Structure(self.template, self.types, shapes)

    @property
    def output_types(self):
        """The DTypes, in the form of an element."""
        return self.pack(self.types)

    @property
    def output_shapes(self):
        """The TensorShapes, in the form of an element."""
        return self.pack([TensorShape(s) for s in self.shapes])

    @property
    def output_classes(self):
        """tf.Tensor for each component, in the form of an element."""
        return self.pack([Tensor] * len(self.types))

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
        items = (f"{k}: {text_of(v, leaf)}" for k, v in value.items())
        return "{" + ", ".join(items) + "}"
    return leaf(value)


def template_of(value):
    """`value` with None for each component."""
    return pack(value, [None] * len(flatten(value)))


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
