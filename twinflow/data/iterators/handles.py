"""What users take elements from: eager iterators, and iterators of a graph."""

import functools
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.advice import advised
from twinflow.base.dispatch import apply
from twinflow.base.errors import FailedPreconditionError, OutOfRangeError
from twinflow.base.tensor import Tensor
from twinflow.base.trackable import Trackable
from twinflow.data import cards
from twinflow.data.functions import Env
from twinflow.data.iterators import ops, saving
from twinflow.data.structure import OfStructure, Structure, compatible, same_form
from twinflow.eager.tensor import wrap
from twinflow.graph.scopes import add_to_collection
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.constant import convert_to_tensor

if TYPE_CHECKING:
    from twinflow.graph.node import Node

GLOBAL_ITERATORS = "iterators"  # the collection of the handles of a graph
GET_NEXT_CALL_WARNING_THRESHOLD = 32
GET_NEXT_CALL_WARNING_MESSAGE = (
    "An unusually high number of `Iterator.get_next()` calls was detected. This often "
    "indicates that `Iterator.get_next()` is being called inside a training loop, "
    "which will cause gradual slowdown and eventual resource exhaustion. If this is "
    "the case, restructure your code to call `next_element = iterator.get_next()` once "
    "outside the loop, and use `next_element` as the input to some computation that is "
    "invoked inside the loop."
)
_STATE = {"VariableV2", "VarHandleOp", "HashTableV2", "MutableHashTableV2"}
_NOT_STARTED = (
    "GetNext() failed because the iterator has not been initialized. Ensure that you "
    "have run the initializer operation for this iterator before getting the next "
    "element. [Op:IteratorGetNextSync]"
)
_COLD = "To iterate over it now, make it from values and eager tensors."


class EagerIterator(OfStructure, Trackable):
    """Goes over a dataset while eager execution is enabled; also tfe.Iterator.

    tf.train.Checkpoint(iterator=it, ...) saves its place: restored, an iterator over
    the same dataset gives the elements that were still to come.

    Args:
        dataset: the Dataset.
    Raises:
        RuntimeError: eager execution is not enabled.
    Example:
        for x in tfe.Iterator(tf.data.Dataset.range(3)): print(x)
    """

    def __init__(self, dataset: Any) -> None:
        if not dispatch.current_mode().eager:
            raise RuntimeError(
                f"{type(self)} objects can only be used when eager execution is "
                "enabled, use tf.data.Dataset.make_initializable_iterator or "
                "tf.data.Dataset.make_one_shot_iterator for graph construction"
            )
        if dataset.inputs:
            raise ValueError(
                f"{dataset} depends on the graph tensor {dataset.inputs[0]!r}. {_COLD}"
            )
        dataset = dataset._finished()
        self._structure = dataset.structure
        self._cell = ops.IteratorCell("EagerIterator", *_specs(self._structure))
        self._cell.begin(dataset, Env())
        self._handle = wrap(self._cell, dtypes.resource)

    _checkpoint_attribute = saving.ATTRIBUTE

    def _checkpoint_value(self):
        return np.array(self._cell.save(), object)

    def _set_checkpoint_value(self, array):
        self._cell.restore(array[()])

    def __iter__(self) -> "EagerIterator":
        return self

    def __next__(self) -> Any:
        if not dispatch.current_mode().eager:
            return _take(self._handle, self._structure, None)
        structure = self._structure
        flat = next(self._cell.elements)
        return structure.pack([wrap(a, d) for a, d in zip(flat, structure.types)])

    next = __next__

    def _repr_html_(self) -> str:
        return cards.of_iterator(self)

    def get_next(self, name: str | None = None) -> Any:
        """The next element.

        Raises:
            OutOfRangeError: there is none.
        """
        try:
            return self.__next__()
        except StopIteration:
            text = "End of sequence [Op:IteratorGetNextSync]"
            raise OutOfRangeError(None, None, text) from None


class Iterator(OfStructure, Trackable):
    """Goes over datasets in a graph: `get_next` is an op that moves on when it runs.

    Its place in a session is saved by tf.train.Checkpoint(iterator=it, ...), and by a
    Saver with tf.data.experimental.make_saveable_from_iterator(it).

    Args:
        iterator_resource: the handle, a tensor. initializer: the op that starts it.
        output_types, output_shapes, output_classes: of the elements.
    Example:
        it = tf.data.Dataset.range(2).make_initializable_iterator()
        x = it.get_next()
        sess = tf.Session()
        sess.run(it.initializer)
        sess.run(x)  # 0
    """

    def __init__(
        self, iterator_resource: Any, initializer: Any, output_types: Any,
        output_shapes: Any, output_classes: Any,
    ) -> None:  # fmt: skip
        self._handle, self._initializer = iterator_resource, initializer
        self._structure = Structure.of(output_types, output_shapes, output_classes)
        self._string_handle: Any = None
        self._now: EagerIterator | None = None  # what it goes over eagerly
        self._get_next_call_count = 0
        mode = dispatch.current_mode()
        if not (mode.eager or mode.is_function):  # there it would run at each call
            self._string_handle = self.string_handle("IteratorToStringHandle")
            if self._handle.op.type in ops.HOMES:
                add_to_collection(GLOBAL_ITERATORS, self._handle)

    @property
    def _iterator_resource(self):
        return self._handle

    _checkpoint_attribute = saving.ATTRIBUTE

    def _repr_html_(self) -> str:
        return cards.of_iterator(self)

    @functools.cached_property
    def _checkpoint_ops(self):
        """(its state, what is fed to put another there, the op that does)"""
        with self._handle.graph.as_default() as graph, graph.outside_regions():
            fed = placeholder(dtypes.string, [], name="iterator_state")
            return saving.state_of(self._handle), fed, saving.resume(self._handle, fed)

    @property
    def _checkpoint_tensor(self):
        return self._checkpoint_ops[0]

    def load(self, state: Any, session: Any) -> None:
        """Go on in a session from a saved place."""
        _, fed, op = self._checkpoint_ops
        session.run(op, {fed: state})

    @staticmethod
    def from_structure(
        output_types: Any, output_shapes: Any = None, shared_name: str | None = None,
        output_classes: Any = None,
    ) -> "Iterator":  # fmt: skip
        """An iterator for datasets of one structure; see `make_initializer`.

        Args:
            output_types: DTypes in the form of an element.
            output_shapes: TensorShapes in that form; unknown if not given.
        """
        structure = Structure.of(output_types, output_shapes, output_classes)
        handle = home(structure, shared_name)
        return Iterator(handle, None, output_types, output_shapes, output_classes)

    @staticmethod
    def from_string_handle(
        string_handle: Any, output_types: Any, output_shapes: Any = None,
        output_classes: Any = None,
    ) -> "Iterator":  # fmt: skip
        """An iterator that takes from the one whose handle it is fed.

        Args:
            string_handle: string[], the value of another one's `string_handle()`.
        Raises:
            InvalidArgumentError (at run time): its elements have another structure.
        """
        string_handle = convert_to_tensor(string_handle, dtypes.string)
        structure = Structure.of(output_types, output_shapes, output_classes)
        attrs = dict(zip(("output_types", "output_shapes"), _specs(structure)))
        handle = apply(ops.IteratorFromStringHandleV2, (string_handle,), attrs)
        return Iterator(handle, None, output_types, output_shapes, output_classes)

    @property
    def initializer(self) -> "Node":
        """The op that starts the iterator.

        Raises:
            ValueError: it needs none, or `make_initializer` makes it.
        """
        if self._initializer is None:
            raise ValueError("Iterator does not have an initializer.")
        return self._initializer

    def make_initializer(self, dataset: Any, name: str | None = None) -> "Node | None":
        """An op that starts the iterator on `dataset`; eagerly it starts at once.

        Raises:
            TypeError, ValueError: its elements have another structure.
        """
        _check_structure(self._structure, dataset.structure)
        if dispatch.current_mode().eager:
            self._now = EagerIterator(dataset)
            return None
        return initializer(self._handle, dataset, name or "make_initializer")

    def get_next(self, name: str | None = None) -> Any:
        """Tensors for the next element; each run of them moves on by one.

        Running them raises tf.errors.OutOfRangeError after the last element.
        """
        self._get_next_call_count += 1
        if self._get_next_call_count > GET_NEXT_CALL_WARNING_THRESHOLD:
            warnings.warn(GET_NEXT_CALL_WARNING_MESSAGE, stacklevel=2)
        if not dispatch.current_mode().eager:
            return _take(self._handle, self._structure, name)
        if self._now is None:
            raise FailedPreconditionError(None, None, _NOT_STARTED)
        return self._now.get_next(name)

    def string_handle(self, name: str | None = None) -> Tensor:
        """string[]: what to feed to an iterator made by `from_string_handle`."""
        if name is None and self._string_handle is not None:
            return self._string_handle
        return apply(ops.IteratorToStringHandle, (self._handle,), None, name)


def one_shot(dataset):
    """The Iterator of Dataset.make_one_shot_iterator in a graph."""
    graph, dataset = dispatch.current_mode(), dataset._finished()
    if graph.is_function:  # each call of the function starts anew
        handle = home(dataset.structure)
        initializer(handle, dataset, "MakeIterator")
    else:
        _refuse_state(dataset.inputs)
        cell = ops.IteratorCell("OneShotIterator", *_specs(dataset.structure))
        attrs = {"cell": cell, "dataset": dataset}
        handle = apply(ops.OneShotIterator, (), attrs)
    return _of(handle, None, dataset)


def initializable(dataset, shared_name=None):
    """The Iterator of Dataset.make_initializable_iterator."""
    handle = home(dataset.structure, shared_name)
    return _of(handle, initializer(handle, dataset, "MakeIterator"), dataset)


def home(structure, shared_name=None):
    """The handle of a new iterator, or of the one that has the name already."""
    types, shapes = _specs(structure)
    cell = ops.IteratorCell(shared_name or "Iterator", types, shapes)
    if shared_name:
        shared = dispatch.current_mode().state.setdefault("iterators", {})
        cell = shared.setdefault(shared_name, cell)
        ops.check_types(types, cell.types)
    return apply(ops.IteratorV2, (), {
        "shared_name": shared_name or "", "container": "", "output_types": types,
        "output_shapes": shapes, "cell": cell,
    })  # fmt: skip


def _specs(structure):
    return structure.types, structure.shapes


def _of(handle, initializer, dataset):
    s = dataset.structure
    args = s.output_types, s.output_shapes, s.output_classes
    return Iterator(handle, initializer, *args)


def initializer(handle, dataset, name):
    """The node that starts the iterator `handle` on `dataset`."""
    graph, dataset = dispatch.current_mode(), dataset._finished()
    inputs = [graph.tensor(t) for t in dataset.inputs]
    graph.leave_ids(dataset._ops)
    args = [graph.tensor(handle), inputs]
    return graph.append_node(ops.MakeIterator, args, {"dataset": dataset}, name, [])


def _take(handle, structure, name):
    graph = dispatch.current_mode()
    attrs = {"output_types": structure.types, "output_shapes": structure.shapes}
    specs = list(zip(structure.types, structure.shapes))
    args, name = [graph.tensor(handle)], name or "IteratorGetNext"
    node = graph.append_node(ops.IteratorGetNext, args, attrs, name, specs)
    return structure.pack(node.outputs)


def _refuse_state(inputs):
    """A one-shot iterator starts by itself, when nobody can feed it."""
    seen, stack = set(), [t.op for t in inputs]
    while stack:
        node = stack.pop()
        if node.type == "Placeholder":
            raise ValueError(
                f"Cannot capture a placeholder (name:{node.name}, type:Placeholder) by "
                "value."
            )
        if node.type in _STATE:
            raise ValueError(
                "Failed to create a one-shot iterator for a dataset. "
                "`Dataset.make_one_shot_iterator()` does not support datasets that "
                "capture stateful objects, such as a `Variable` or `LookupTable`. In "
                "these cases, use `Dataset.make_initializable_iterator()`. (Original "
                f"error: Cannot capture a stateful node (name:{node.name}, "
                f"type:{node.type}) by value.)"
            )
        if node not in seen:
            seen.add(node)
            stack.extend(t.op for t in node.inputs)


def _check_structure(wanted, found):
    if not same_form(wanted.template, found.template) or wanted.types != found.types:
        raise advised(
            TypeError,
            f"Expected output types {wanted.output_types!r} but got dataset with "
            f"output types {found.output_types!r}.",
        )
    if not all(map(compatible, wanted.shapes, found.shapes)):
        raise advised(
            TypeError,
            f"Expected output shapes compatible with {wanted.output_shapes!r} but got "
            f"dataset with output shapes {found.output_shapes!r}.",
        )
