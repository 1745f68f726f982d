"""Restoring objects from a checkpoint: now, or when their variables are made.

A restoration pairs the objects of a program with those of the checkpoint: the root with
the root, then parts of the same name. What the program makes later is paired when its
owner says that it has got a part (base.trackable.changed). Eagerly a paired variable
gets its value at once; in a graph the session has the values, so `run_restore_ops` and
`initialize_or_restore` (checkpoint.restoring) put them there.
"""

import contextlib
import functools
import itertools
import weakref
from collections.abc import Callable

from twinflow.base import errors, logging, trackable
from twinflow.base.dispatch import current_mode, entered, tapes_paused
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import ResourceHandle
from twinflow.checkpoint.object_graph import CONFIG, VALUE, own_attributes, parts_of
from twinflow.checkpoint.own_values import own_saveables, restore_now
from twinflow.eager.mode import MODE
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.variables.creators import has_creators

_VALUES = (VALUE, "ITERATOR_STATE")
next_number = functools.partial(next, itertools.count())
_newest: dict = {}  # from ids of objects to (weak reference, number of a restoration)
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
        self.number = next_number()
        self._outdone: set = set()  # places of objects with values from later ones
        self.late: Callable | None = None
        self._visiting: set = set()
        self._left = {p for p, node in enumerate(graph.nodes) if _waits(node)}
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
            if _is_newest(obj, self.number):
                self._restore(obj, place)
            else:
                self._outdone.add(place)
                self.done.add(place)
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
        parts = dict([*parts_of(obj), *self._made_for(obj, names)])
        for name, there in names.items():
            if name in parts:
                known, part = there in self.objects, parts[name]
                self.pair(part, there, functools.partial(self._part, place, name))
                if known and not isinstance(part, ResourceHandle):
                    self._again(part, there)

    @staticmethod
    def _made_for(obj, names):
        """Parts that an object makes when a checkpoint has values for them."""
        look_up = getattr(type(obj), "_lookup_dependency", None)
        if look_up in (None, trackable.Trackable._lookup_dependency):
            return []
        known = dict(parts_of(obj))
        found = [(n, obj._lookup_dependency(n)) for n in names if n not in known]
        return [(name, part) for name, part in found if part is not None]

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
                    if slot is None:
                        slot = self._made_slot(optimizer, variable, entry)
                    if slot is not None:
                        self.pair(slot, entry.slot_variable_node_id)

    def _made_slot(self, optimizer, variable, entry):
        """A slot that a step would make later; None where a graph makes it."""
        keys = keys_of(self.graph.nodes[entry.slot_variable_node_id])
        if not keys or variable.graph is not None or not current_mode().eager:
            return None
        make = getattr(optimizer, "_get_or_make_slot", None)
        if make is None or has_creators():
            return None
        with tapes_paused():
            value = convert_to_tensor(self.opened.read(keys[0]))
            return make(variable, value, entry.slot_name, optimizer.get_name())

    # ------------------------------------------------------------------ values
    def _restore(self, obj, place):
        node = self.graph.nodes[place]
        keys = keys_of(node)
        if own_attributes(obj):
            for saveable in self._own(obj, place):
                if restore_now(saveable, self.opened):
                    self.done.add(place)
            return
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

    def _own(self, obj, place):
        """The SaveableObjects of an object whose values the checkpoint has."""
        known = own_attributes(obj)
        return [
            saveable
            for a in self.graph.nodes[place].attributes
            if a.name in known and a.name != CONFIG
            for saveable in own_saveables(obj, a.name, a.checkpoint_key)
        ]

    def graph_saveables(self):
        """The SaveableObjects that ops of a graph restore."""
        self._look_again()
        return [
            saveable
            for place, obj in self.objects.items()
            if own_attributes(obj) and place not in self.done
            for saveable in self._own(obj, place)
        ]

    def graph_values(self):
        """Pairs of (variable of a graph, its array) that are paired so far."""
        self._look_again()
        for place, obj in self.objects.items():
            keys = keys_of(self.graph.nodes[place])
            if keys and in_graph(obj) and place not in self._outdone:
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


def _is_newest(obj, number):
    """Note that a restoration finds an object; whether no later one has done so."""
    if is_newer(obj, number):
        return False
    place = id(obj)
    with contextlib.suppress(TypeError):  # a container
        gone = weakref.ref(obj, lambda _: _newest.pop(place, None))
        _newest[place] = gone, number
    return True


def is_newer(obj, number):
    """Whether a later restoration has found an object."""
    known = _newest.get(id(obj))
    return known is not None and known[0]() is obj and known[1] > number


def _waits(node):
    """Whether a node of the checkpoint has values for an object to come."""
    return any(a.name != CONFIG for a in node.attributes)


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
    with entered(MODE), tapes_paused():  # now, even where a function is traced
        variable.assign(array)
