"""The ops whose value is a dataset; what each of them makes is in TABLES."""

import functools

import numpy as np

from twinflow.base import dispatch, dtypes, op_defs
from twinflow.base.op import define
from twinflow.data.bigtable import datasets as bigtable
from twinflow.data.kernels import (  # noqa: F401 - they say how nodes are read, written
    iterators,
    sources,
    transforms,
    writing,
)
from twinflow.data.kernels.values import (
    Imported,
    ImportedDatasets,
    ImportedPredicate,
    boxed,
    dataset_of,
    form_of,
)
from twinflow.eager.mode import MODE

TABLES = {**sources.TABLE, **transforms.TABLE, **bigtable.TABLE}


class Known:
    """What makes the dataset of a node, beside its inputs.

    Attributes:
        attrs: the attributes. form: the Structure of the elements.
    """

    def __init__(self, attrs, form):
        self.attrs, self.form = attrs, form

    def function(self, args, name="f", form=None):
        """The function of elements in an attribute, called with `args` behind them."""
        return Imported(self.attrs[name], args, form)

    def predicate(self, args, name):
        """One that gives a truth value."""
        return ImportedPredicate(self.attrs[name], args)

    def datasets(self, args, name="f"):
        """One that gives datasets."""
        return ImportedDatasets(self.attrs[name], args, self.form)


def _value(kind, make, *inputs, **attrs):
    """The kernel: the array that holds the dataset of a node."""
    args = op_defs.find(kind).inputs
    types = attrs.get("output_types")
    if types is None:  # those of the components
        types = [dtypes.from_numpy(np.asarray(a).dtype) for a in _components(inputs)]
    known = Known(attrs, form_of(types, attrs.get("output_shapes")))
    pairs = zip(args, inputs, strict=True)
    with dispatch.entered(MODE), dispatch.tapes_paused():
        given = [_given(arg, value, known.form) for arg, value in pairs]
        found = make(known, *given)
        if found.structure.is_plain and len(found.structure.types) == len(types):
            found.structure = known.form
    return boxed(found)


def _components(inputs):
    """The arrays of the last input that is a list."""
    return next((a for a in reversed(inputs) if isinstance(a, list | tuple)), ())


def _given(arg, value, form):
    """An input as tables take it: datasets, numbers, arrays and lists of them."""
    if arg.dtype is dtypes.variant:
        if isinstance(value, list | tuple):
            return tuple(dataset_of(v, form) for v in value)
        return dataset_of(value, form)
    if isinstance(value, list | tuple):
        return list(value)
    number = isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "iub"
    return value.item() if number and value.ndim == 0 else value


for _kind, _make in TABLES.items():
    define(
        _kind,
        infer=lambda *inputs, **attrs: (),
        host=functools.partial(_value, _kind, _make),
        stateful=True,
    )
