"""Restoring objects from a checkpoint: now, or when their variables are made.

A restoration pairs the objects of a program with those of the checkpoint: the root with
the root, then parts of the same name. What the program makes later is paired when its
owner says that it has got a part (base.trackable.changed). Eagerly a paired variable
gets its value at once; in a graph the session has the values, so `run_restore_ops` and
`initialize_or_restore` (checkpoint.restoring) put them there.
"""

import contextlib
import functools
import weakref
from collections.abc import Callable

from twinflow.base import errors, logging, trackable
from twinflow.base.dispatch import tapes_paused
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import ResourceHandle
from twinflow.checkpoint.object_graph import VALUE, parts_of

_VALUES = (VALUE, "ITERATOR_STATE")
_FOREIGN = (
    "%s is the state of an iterator of TensorFlow, which only TensorFlow can read: the "
    "iterator stays where it is."
)


class Restoration:
    """A checkpoint being restored to the objects below `root`.

    Args:
        opened: the Bundle. graph: its CheckpointableObjectGraph. root: the object.
    Attributes:
        objects: from places in the graph to objects.
        late: puts an array into a graph's variable that is paired later on, or None.
    """

    def __init__(self, opened, graph, root):
        self.opened, self.graph = opened, graph
        self.root = weakref.ref(root)
        self.objects = _Objects()
        self.places: dict = {}  # from the ids of objects; those of dead ones may lie
        self.done: set = set()  # places whose value is there
        self.late: Callable | None = None
        self._visiting: set = set()
        self._left = {p for p, node in enumerate(graph.nodes) if keys_of(node)}
        trackable.pending.append(self)
        with self._while_something_is_left():
            self.pair(root, 0)
            self._pair_slots()

    def __call__(self, obj):
        """`obj` has got a part."""
        place = self.places.get(id(obj))
        with self._while_something_is_left():
            if place is not None and self.objects.get(place) is obj:
                self._pair_parts(obj, place)
            else:
                for place, known in self._starts():
                    self._pair_parts(known, place)
                if not self.objects:  # all are gone
                    self._left.clear()
            self._pair_slots()

    @contextlib.contextmanager
    def _while_something_is_left(self):
        """A block that pairs. What fails is not tried again by each later object."""
        try:
            yield
        except BaseException:
            self.forget()
            raise
        if not self._left:
            self.forget()

    def _starts(self):
        """Pairs of (place, object) to look for new parts from: the root while it is
        there, else all."""
        root = self.root()
        return [(0, root)] if root is not None else list(self.objects.items())

    def forget(self):
        """Wait no longer."""
        if self in trackable.pending:
            trackable.pending.remove(self)

    # ------------------------------------------------------------------ pairing
    def pair(self, obj, place, again=None):
        """Let `obj` be the object at `place` of the checkpoint.

        Args:
            again: finds it again, where it is a container.
        """
        if place not in self.objects:
            self.objects.put(place, obj, again)
            self.places[id(obj)] = place
            self._left.discard(place)  # all have their objects: nothing to wait for
            self._restore(obj, place)
            self._pair_parts(obj, place)
        elif self.objects[place] is not obj:
            logging.warning(
                "Inconsistent references when loading the checkpoint into this object "
                "graph. Either the Checkpointable object references in the Python "
                "program have changed in an incompatible way, or the checkpoint was "
                "generated in an incompatible program.\n\nTwo checkpoint references "
                "resolved to different objects (%s and %s).", self.objects[place], obj,
            )  # fmt: skip

    def _pair_parts(self, obj, place):
        names = {c.local_name: c.node_id for c in self.graph.nodes[place].children}
        for name, part in parts_of(obj):
            if name in names:
                known = names[name] in self.objects
                again = functools.partial(self._part, place, name)
                self.pair(part, names[name], again)
                if known and not isinstance(part, ResourceHandle):
                    self._again(part, names[name])

    def _part(self, place, name):
        """The part of a name of the object at `place`; None if it is not there."""
        obj = self.objects.get(place)
        return None if obj is None else dict(parts_of(obj)).get(name)

    def _again(self, obj, place):
        """Look for new parts below an object that was paired before."""
        if self.objects[place] is obj and place not in self._visiting:
            self._visiting.add(place)
            try:
                self._pair_parts(obj, place)
            finally:
                self._visiting.discard(place)

    def _pair_slots(self):
        for place, node in enumerate(self.graph.nodes):
            optimizer = self.objects.get(place)
            if not hasattr(optimizer, "get_slot"):  # none there yet, or no optimizer
                continue
            for entry in node.slot_variables:
                variable = self.objects.get(entry.original_variable_node_id)
                if (
                    variable is not None
                    and entry.slot_variable_node_id not in self.done
                ):
                    slot = optimizer.get_slot(variable, entry.slot_name)
                    if slot is not None:
                        self.pair(slot, entry.slot_variable_node_id)

    # ------------------------------------------------------------------ values
    def _restore(self, obj, place):
        node = self.graph.nodes[place]
        keys = keys_of(node)
        if not keys:
            if node.attributes and hasattr(type(obj), "_checkpoint_attribute"):
                logging.warning(_FOREIGN, node.attributes[0].checkpoint_key)
            return
        if isinstance(obj, ResourceHandle):
            if obj.graph is None:
                put(obj, read_for(obj, self.opened, keys[0]))
                self.done.add(place)
            elif self.late is not None:
                self.late(obj, read_for(obj, self.opened, keys[0]))
        elif hasattr(obj, "_checkpoint_value"):
            obj._set_checkpoint_value(read_for(obj, self.opened, keys[0]))
            self.done.add(place)

    def graph_values(self):
        """Pairs of (variable of a graph, its array) that are paired so far."""
        self._look_again()
        for place, obj in self.objects.items():
            keys = keys_of(self.graph.nodes[place])
            if keys and in_graph(obj):
                yield obj, read_for(obj, self.opened, keys[0])

    def _look_again(self):
        for place, known in self._starts():
            self._pair_parts(known, place)
        self._pair_slots()


class _Objects:
    """Objects by their places: kept alive by the program alone, not by what waits."""

    def __init__(self):
        self._found: dict = {}  # from places to functions that give the objects

    def put(self, place, obj, again):
        """Note an object; `again` finds what cannot be referred to weakly."""
        try:
            self._found[place] = weakref.ref(obj)
        except TypeError:  # a list, tuple or dict
            self._found[place] = again

    def get(self, place):
        """The object, or None: there is none any more."""
        found = self._found.get(place)
        return None if found is None else found()

    __getitem__ = get

    def __contains__(self, place):
        return self.get(place) is not None

    def __iter__(self):
        return (place for place, _ in self.items())

    def items(self):
        """Pairs of (place, object)."""
        found = ((place, self.get(place)) for place in list(self._found))
        return ((place, obj) for place, obj in found if obj is not None)

    def __bool__(self):
        return any(True for _ in self)


def keys_of(node):
    """The keys of the values of a node of the checkpoint, one at most."""
    return [a.checkpoint_key for a in node.attributes if a.name in _VALUES]


def in_graph(obj):
    """Whether the value of `obj` is in a session."""
    if isinstance(obj, ResourceHandle):
        return obj.graph is not None
    return hasattr(type(obj), "_checkpoint_tensor")


def read_for(variable, opened, key):
    """The value of a variable (or of another object) in a checkpoint.

    Raises:
        ValueError: it has another shape. InvalidArgumentError: another dtype.
    """
    if not isinstance(variable, ResourceHandle):
        return opened.read(key)
    wanted, dtype = variable.dtype.base_dtype, opened.dtype(key)
    if wanted != dtype:
        raise errors.invalid(
            f"tensor_name = {key}; expected dtype {wanted.name} does not equal "
            f"original dtype {dtype.name}: the first is of the variable "
            f"{variable.name}, the second of its value in {opened.prefix}",
        )
    shape = TensorShape(opened.shape(key))
    if not variable.shape.is_compatible_with(shape):
        raise ValueError(
            f"Shapes {variable.shape} and {shape} are incompatible: the first is of "
            f"the variable {variable.name}, the second of its value, {key} in "
            f"{opened.prefix}"
        )
    return opened.read(key)


def put(variable, array):
    """Give an eager variable a value from a checkpoint."""
    with tapes_paused():
        variable.assign(array)
