"""Datasets as values of nodes, and functions of a GraphDef's library on elements.

Note [Datasets as values]: a node of an imported input pipeline gives a variant, an
array that holds a Dataset made of values alone. Its elements are tuples of components:
a sparse tensor is one component of three parts. A window (data.pipeline.windows) is a
variant too, which holds a source.
"""

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.data.dataset import Dataset
from twinflow.data.functions import ElementFunction, Env, Run, symbolic
from twinflow.data.pipeline.windows import unboxed
from twinflow.data.structure import Structure
from twinflow.eager.mode import MODE
from twinflow.execute.library_graph import graph_of


def boxed(dataset):
    """The array that holds a dataset."""
    box = np.empty((), object)
    box[()] = dataset
    return box


def form_of(types, shapes=None):
    """The Structure of elements that are tuples of such components."""
    types = tuple(types)
    return Structure((None,) * len(types), types, shapes or (None,) * len(types))


def dataset_of(box, form):
    """The Dataset that an array holds; of elements like `form` if it is a window."""
    found = unboxed(box)
    if isinstance(found, Dataset):
        return found
    unknown = form_of(form.types)
    return Dataset("WindowDataset", unknown, lambda env: found)


def of_tensor(tensor, form):
    """The Dataset whose value a tensor will have when it is started."""

    def start(env):
        return started(env.value(tensor), form, env)

    return Dataset("ImportedDataset", form, start, [tensor])


def started(box, form, env):
    """The source of the Dataset that an array holds."""
    with dispatch.entered(MODE):
        dataset = dataset_of(box, form)._finished()
    return dataset.start(env)


class Imported(ElementFunction):
    """A LibraryFunction of the components of elements.

    Args:
        captured: what it is called with behind those. form: the Structure of what it
            gives, where the function does not tell.
    """

    def __init__(self, function, captured=(), form=None):
        self.function, self.captured = function, list(captured)
        self.inputs = symbolic(self.captured)
        outputs = function.definition.signature.output_arg
        self.structure = form or form_of(dtypes.as_dtype(o.type) for o in outputs)
        self.result = None

    @property
    def graph(self):
        """The FuncGraph."""
        return graph_of(self.function)


class ImportedPredicate(Imported):
    """One that gives a truth value."""

    def start(self, env):
        """A function from an element to it."""
        run, _ = self.begin(env)
        return lambda element: run(element)[0]


class ImportedDatasets(Imported):
    """One that gives a dataset of elements like `form`."""

    def start(self, env):
        """A function from an element to a pass over its dataset."""
        run, cell_of = self.begin(env)

        def elements(element):
            dataset = dataset_of(run(element)[0], self.structure)
            return Run(dataset, Env({}, cell_of, env.stats, env.threads))

        return elements
