"""The ops of iterators in a graph: making them, initialising them, taking elements."""

import collections
import itertools
import weakref

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.op import define
from twinflow.base.op_lookup import known_op
from twinflow.base.state import Cell
from twinflow.data.functions import Env, Run
from twinflow.data.iterators import packing
from twinflow.data.structure import compatible
from twinflow.execute.interpreter import special_steps
from twinflow.execute.plan import Plan
from twinflow.execute.tiers import INTERPRET
from twinflow.graph.graph_def import revived
from twinflow.graph.program import build
from twinflow.passes import optimize

_END = object()


class Started:
    """What a pass was started with: a Dataset and its Env."""

    def __init__(self, dataset, env):
        self.dataset, self.env = dataset, env


class IteratorCell(Cell):
    """Where a session (or a function, or eager mode) keeps a pass over a dataset.

    Args:
        types, shapes: of the components of elements, where they are known.
    Attributes:
        run, elements: the pass, and its iterator. started: its Started.
    """

    __slots__ = ("elements", "run", "shapes", "shares", "started", "token", "types")

    def __init__(self, name, types=(), shapes=()):
        super().__init__(name, dtypes.resource, ())
        self.types, self.shapes = types, shapes
        self.elements = self.run = self.started = self.token = self.shares = None

    def fresh(self):
        """A cell of the same name that is not initialised."""
        return IteratorCell(self.name, self.types, self.shapes)

    @property
    def initialized(self):
        """Whether a pass has been started."""
        return self.elements is not None

    def begin(self, dataset, env, state=None):
        """Start a new pass over `dataset`, or go on from what `save` gave.

        Raises:
            InvalidArgumentError: that is of another pipeline; nothing has changed.
        """
        if state is None:
            self.elements = self.run = None
        run = Run(dataset, env)
        if state is not None:
            packing.resume(run, dataset.structure, state)
        self.run, self.elements, self.started = run, iter(run), Started(dataset, env)
        self.shares = None

    def save(self):
        """Where the pass is, as bytes (data.iterators.packing).

        Raises:
            FailedPreconditionError: no pass has been started.
        """
        if self.run is None:
            raise errors.FailedPreconditionError(
                None,
                None,
                "Save() failed because the iterator has not been initialized. Ensure "
                "that you have run the initializer operation for this iterator before "
                "saving it.",
            )
        token = revived.token_of(self.started)
        return packing.saved(self.run, self.started.dataset.structure, token)

    def restore(self, state):
        """Go on from what `save` gave, over the same dataset."""
        self.begin(self.started.dataset, self.started.env.again(), state)

    def take(self):
        """The arrays of the next element.

        Raises:
            FailedPreconditionError: no pass has been started.
            OutOfRangeError: the pass is over.
        """
        if self.elements is None:
            raise errors.FailedPreconditionError(
                None,
                None,
                "GetNext() failed because the iterator has not been initialized. "
                "Ensure that you have run the initializer operation for this iterator "
                "before getting the next element.",
            )
        found = next(self.elements, _END)
        if found is _END:
            raise errors.OutOfRangeError(None, None, "End of sequence")
        return found

    def take_share(self, share, count):
        """The arrays of the next element of one of `count` readers that take turns.

        Elements for the others wait until they ask.
        """
        if self.shares is None:
            self.shares = [collections.deque() for _ in range(count)], itertools.count()
        waiting, numbers = self.shares
        while not waiting[share]:
            found = self.take()
            waiting[next(numbers) % count].append(found)
        return waiting[share].popleft()

    def __deepcopy__(self, memo):
        raise TypeError("An iterator cannot be copied; iterate over its dataset again.")

    def __reduce__(self):
        raise TypeError("An iterator cannot be pickled; pickle what it is made from.")


# ---------------------------------------------------------------------- GraphDefs
def export_nothing(parts):
    """There is no dataset to begin with: it stays in this process."""
    parts.add("", "NoOp")
    revived.mark(parts, parts.node.attrs.get("dataset"))


def export_element(parts):
    """What is computed from a dataset: as the next element of an iterator."""
    outputs = parts.node.outputs
    if not outputs:
        export_nothing(parts)
        return
    types = tuple(t.dtype for t in outputs)
    attrs = {"output_types": types, "output_shapes": [t._shape for t in outputs]}
    iterator = parts.add(
        "iterator", "IteratorV2", shared_name="", container="", **attrs
    )
    parts.add("", "IteratorGetNext", iterator, **attrs)


WRITERS: dict = {}  # op type: parts -> whether TensorFlow's nodes of it were added


def with_dataset(otherwise):
    """The `export` of an op with a dataset: TensorFlow's nodes, or `otherwise`."""

    def export(parts):
        known_op("RangeDataset")  # whose module fills WRITERS
        if not WRITERS[parts.node.type](parts):
            otherwise(parts)

    return export


def _export_iterator(parts):
    """The iterator without its dataset, which stays in this process."""
    node, attrs = parts.node, {}
    for user in (node, *node.outputs[0].consumers()):
        if user.attrs.get("output_types"):
            attrs = {k: user.attrs[k] for k in ("output_types", "output_shapes")}
            break
    attrs = attrs or {"output_types": (dtypes.variant,), "output_shapes": (None,)}
    shared = node.attrs.get("shared_name", "")
    parts.add("", "IteratorV2", shared_name=shared, container="", **attrs)
    if node.type == "OneShotIterator":
        revived.mark(parts, node.attrs["dataset"])


# ---------------------------------------------------------------------- handles
IteratorV2 = define(
    "IteratorV2",
    attrs={"cell": None},
    infer=lambda cell, **attrs: (),
    kernel=lambda xp: lambda cell, **attrs: cell,
    cell="cell",
    home=lambda name, attrs: IteratorCell(name),
    export=_export_iterator,
    stateful=True,
    host=True,
)

OneShotIterator = define(
    "OneShotIterator",
    attrs={"cell": None, "dataset": None},
    unread="dataset_factory output_types output_shapes container shared_name",
    infer=lambda cell, dataset: (),
    cell="cell",
    export=with_dataset(_export_iterator),
    stateful=True,
    host=True,
)


def _one_shot_step(asm, node, program):
    """Starts the pass in the first run; only then are the dataset's inputs computed."""
    (out,) = (asm.slot(t, program) for t in node.outputs)
    cell, dataset = asm.cell_of(node.attrs["cell"]), node.attrs["dataset"]

    def run(v):
        if not cell.initialized:
            inputs = dataset.inputs
            graph = inputs[0].graph if inputs else node.graph
            found = optimize(build(graph, inputs))
            values = Plan(found, asm.cell_of, INTERPRET).run([]) if inputs else []
            env = Env(dict(zip(inputs, values)), asm.cell_of)
            env.checked = False
            cell.begin(dataset, env)
        v[out] = cell

    return run


special_steps["OneShotIterator"] = _one_shot_step


def _revive_one_shot(graph, name, inputs, dataset):
    structure = dataset.structure
    cell = IteratorCell("OneShotIterator", structure.types, structure.shapes)
    attrs = {"cell": cell, "dataset": dataset}
    specs = [(dtypes.resource, ())]
    return graph.append_node(OneShotIterator, [], attrs, name, specs)


revived.rules["OneShotIterator"] = _revive_one_shot

HOMES = ("IteratorV2", "OneShotIterator")

# ---------------------------------------------------------------------- initialising
MakeIterator = define(
    "MakeIterator(iterator: resource, inputs: N*Tin) -> (); dataset=None",
    infer=None,
    export=with_dataset(export_nothing),
    stateful=True,
    host=True,
)


def _make_step(asm, node, program):
    iterator, *places = (asm.slot(t, program) for t in node.inputs)
    dataset = node.attrs["dataset"]

    def run(v):
        values = dict(zip(dataset.inputs, [v[i] for i in places]))
        v[iterator].begin(dataset, Env(values, asm.cell_of))

    return run


special_steps["MakeIterator"] = _make_step


def _revive_maker(graph, name, inputs, dataset):
    args = [inputs[0], inputs[1:]]
    return graph.append_node(MakeIterator, args, {"dataset": dataset}, name, [])


revived.rules["MakeIterator"] = _revive_maker

# ---------------------------------------------------------------------- taking
IteratorGetNext = define(
    "IteratorGetNext(iterator: resource) -> (components: N*Tout)"
    "; output_types=None, output_shapes=None",
    infer=None,
    kernel=lambda xp: lambda iterator, output_types, output_shapes: iterator.take(),
    stateful=True,
    host=True,
)

ShareGetNext = define(
    "TwinShareGetNext(iterator: resource) -> (components: N*Tout)"
    "; share=0, count=1, output_types=None, output_shapes=None",
    infer=None,
    kernel=lambda xp: (
        lambda iterator, share, count, **_: iterator.take_share(share, count)
    ),
    export=export_element,
    stateful=True,
    host=True,
)


# ---------------------------------------------------------------------- names
_by_token: weakref.WeakValueDictionary = weakref.WeakValueDictionary()
_numbers = itertools.count(1)


def token_of(cell):
    """The string handle of an iterator."""
    if cell.token is None:
        cell.token = f"twinflow iterator {next(_numbers)}".encode()
        _by_token[cell.token] = cell
    return np.array(cell.token, object)


def of_token(token, output_types, output_shapes):
    """The cell of an iterator whose string handle this is.

    Raises:
        InvalidArgumentError: it is none, or of other elements.
    """
    found = _by_token.get(np.asarray(token)[()])
    if found is None:
        raise errors.invalid("Could not parse string_handle as a valid ResourceHandle")
    check_types(output_types or (), found.types)
    _check_shapes(output_shapes or (), found.shapes)
    return found


def check_types(wanted, found):
    """Refuse the handle of an iterator over elements of other types."""
    if wanted and found and len(wanted) != len(found):
        raise errors.invalid(
            f"Number of components does not match: expected {len(wanted)} types but "
            f"got {len(found)}. {_pair(wanted, found)}",
        )
    for i, (a, b) in enumerate(zip(wanted, found)):
        if a != b:
            raise errors.invalid(
                f"Data type mismatch at component {i}: expected {dtypes.cpp_name(a)} "
                f"but got {dtypes.cpp_name(b)}. {_pair(wanted, found)}",
            )


def _check_shapes(wanted, found):
    for i, (a, b) in enumerate(zip(wanted, found)):
        if not compatible(a, b):
            raise errors.invalid(
                f"Incompatible shapes at component {i}: expected {_sizes(a)} but got "
                f"{_sizes(b)}. The handle that was fed is of an iterator over elements "
                f"of shapes {', '.join(map(_sizes, found))}; from_string_handle was "
                f"told {', '.join(map(_sizes, wanted))}.",
            )


def _pair(wanted, found):
    return (
        "The handle that was fed is of an iterator over elements of types "
        f"{', '.join(map(dtypes.cpp_name, found))}; from_string_handle was told "
        f"{', '.join(map(dtypes.cpp_name, wanted))}."
    )


def _sizes(shape):
    if shape is None:
        return "<unknown>"
    return "[" + ",".join("?" if n is None else str(n) for n in shape) + "]"


IteratorToStringHandle = define(
    "IteratorToStringHandle",
    infer=lambda handle: (),
    kernel=lambda xp: token_of,
    stateful=True,
    host=True,
)

IteratorFromStringHandleV2 = define(
    "IteratorFromStringHandleV2",
    attrs={"output_types": None, "output_shapes": None},
    infer=lambda handle, output_types, output_shapes: (),
    kernel=lambda xp: of_token,
    stateful=True,
    host=True,
)
