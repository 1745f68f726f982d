"""Restoring objects from a checkpoint: now, or when their variables are made.

A restoration pairs the objects of a program with those of the checkpoint: the root with
the root, then parts of the same name. What the program makes later is paired when its
owner says that it has got a part (base.trackable.changed). Eagerly a paired variable
gets its value at once; in a graph the session has the values, so `run_restore_ops` and
`initialize_or_restore` put them there.
"""

import functools
import weakref

from twinflow.base import errors, logging, slices, trackable
from twinflow.base.dispatch import current_mode, tapes_paused
from twinflow.base.protos import CheckpointableObjectGraph
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import ResourceHandle
from twinflow.checkpoint.object_graph import PROTO_KEY, VALUE, parts_of, walk
from twinflow.execute.session import get_default_session
from twinflow.ops.variables.collections import variables_initializer

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
    """

    def __init__(self, opened, graph, root):
        self.opened, self.graph = opened, graph
        self.root = weakref.ref(root)
        self.objects = _Objects()
        self.places: dict = {}  # from the ids of objects; those of dead ones may lie
        self.done: set = set()  # places whose value is there
        self._visiting: set = set()
        self._left = {p for p, node in enumerate(graph.nodes) if keys_of(node)}
        trackable.pending.append(self)
        self.pair(root, 0)
        self._pair_slots()
        if not self._left:
            self.forget()

    def __call__(self, obj):
        """`obj` has got a part."""
        place = self.places.get(id(obj))
        if place is not None and self.objects.get(place) is obj:
            self._pair_parts(obj, place)
        else:
            for place, known in self._starts():
                self._pair_parts(known, place)
            if not self.objects:  # all are gone
                self._left.clear()
        self._pair_slots()
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
            if optimizer is None:
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
        raise errors.InvalidArgumentError(
            None, None,
            f"tensor_name = {key}; expected dtype {wanted.name} does not equal "
            f"original dtype {dtype.name}: the first is of the variable "
            f"{variable.name}, the second of its value in {opened.prefix}",
        )  # fmt: skip
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


# ---------------------------------------------------------------------- statuses
class LoadStatus:
    """What became of a restoration."""

    def assert_consumed(self):
        """Raise AssertionError unless all was restored."""
        raise AssertionError(
            "No checkpoint specified (save_path=None); nothing is being restored."
        )

    def assert_existing_objects_matched(self):
        """Raise AssertionError unless all objects of the program were restored."""
        return self.assert_consumed()

    def run_restore_ops(self, session=None):
        """Put the values into a session; eagerly they are there already."""
        self.assert_consumed()

    def initialize_or_restore(self, session=None):
        """As `run_restore_ops`, and initialise the variables that have no value."""
        raise NotImplementedError(
            f"{type(self).__name__} does not define initialize_or_restore()."
        )


class InitializationOnlyStatus(LoadStatus):
    """There was nothing to restore.

    Args:
        root: the object that would have been restored.
    """

    def __init__(self, root):
        self._root = root

    def initialize_or_restore(self, session=None):
        """Initialise the variables of a graph."""
        if not current_mode().eager:
            session = _session(session)
            session.run(variables_initializer(_graph_variables(self._root)))


class CheckpointLoadStatus(LoadStatus):
    """What became of restoring objects.

    Args:
        restoration: the Restoration.
    """

    def __init__(self, restoration):
        self._restoration, self._root = restoration, restoration.root()

    def assert_existing_objects_matched(self):
        """Raise AssertionError unless all objects of the program were restored."""
        r = self._restoration
        r._look_again()
        nodes = r.graph.nodes
        for place, obj in r.objects.items():
            waits = isinstance(obj, ResourceHandle) and obj.graph is None
            if waits and place not in r.done:
                raise AssertionError(
                    f"Object not assigned a value from checkpoint: {nodes[place]}"
                )
        unbound = [
            entry.object
            for entry in walk(r.root())[0]
            if id(entry.object) not in r.places
            and not isinstance(entry.object, list | dict | tuple)
        ]
        if unbound:
            raise AssertionError(
                "Some Python objects were not bound to checkpointed values, likely due "
                f"to changes in the Python program: {unbound}"
            )
        return self

    def assert_consumed(self):
        """Raise AssertionError unless the whole checkpoint was restored, too."""
        self.assert_existing_objects_matched()
        r = self._restoration
        slots = {
            entry.slot_variable_node_id: entry
            for node in r.graph.nodes
            for entry in node.slot_variables
        }
        for place, node in enumerate(r.graph.nodes):
            if place not in r.objects and place not in slots:
                raise AssertionError(f"Unresolved object in checkpoint: {node}")
        left = [entry for place, entry in slots.items() if place not in r.objects]
        if left:
            raise AssertionError(f"Unresolved slot restorations: {left}")
        return self

    def run_restore_ops(self, session=None):
        """Put the values into a session; eagerly they are there already."""
        if not current_mode().eager:
            session = _session(session)
            for variable, array in self._restoration.graph_values():
                variable.load(array, session)

    def initialize_or_restore(self, session=None):
        """As `run_restore_ops`, and initialise the variables that have no value."""
        if current_mode().eager:
            return
        session = _session(session)
        restored = {v for v, _ in self._restoration.graph_values()}
        others = [
            v for v in _graph_variables(self._restoration.root()) if v not in restored
        ]
        session.run(variables_initializer(others))
        self.run_restore_ops(session)


class NameBasedSaverStatus(LoadStatus):
    """A checkpoint of tf.train.Saver, restored by the names of variables.

    Args:
        opened: the Bundle. root: the object whose variables are restored.
    """

    def __init__(self, opened, root):
        self._opened, self._root = opened, root
        self.found = list(self._values())
        for variable, array in self.found:
            if variable.graph is None:
                put(variable, array)

    def _values(self):
        for entry in walk(self._root)[0]:
            if isinstance(entry.object, ResourceHandle):
                key = entry.object.name.removesuffix(":0")
                if key in self._opened:
                    yield entry.object, read_for(entry.object, self._opened, key)

    def assert_consumed(self):
        """Raise AssertionError unless every variable and every value has its other."""
        variables = [
            e.object
            for e in walk(self._root)[0]
            if isinstance(e.object, ResourceHandle)
        ]
        names = {v.name.removesuffix(":0") for v in variables}
        missing = sorted(names - set(self._opened.entries))
        unused = sorted(set(self._opened.entries) - names)
        if missing or unused:
            raise AssertionError(
                "Some objects had attributes which were not restored: variables that "
                f"the checkpoint lacks: {missing}; names in it without a variable: "
                f"{unused}"
            )
        return self

    def run_restore_ops(self, session=None):
        """Put the values into a session; eagerly they are there already."""
        if not current_mode().eager:
            session = _session(session)
            for variable, array in self._values():
                variable.load(array, session)

    def initialize_or_restore(self, session=None):
        """As `run_restore_ops`, and initialise the variables that have no value."""
        if not current_mode().eager:
            _session(session).run(variables_initializer(_graph_variables(self._root)))
            self.run_restore_ops(session)


def restore(root, save_path):
    """Restore the objects below `root`.

    Args:
        save_path: the path without the ends, or None: there is nothing yet.
    Returns:
        A LoadStatus.
    Raises:
        NotFoundError: there is no such checkpoint. DataLossError: it is damaged.
    """
    if save_path is None:
        return InitializationOnlyStatus(root)
    opened = slices.opened(save_path)
    try:
        text = opened.read(PROTO_KEY)[()]
    except errors.NotFoundError:
        status = NameBasedSaverStatus(opened, root)
        _warn_of_nothing(status.found, save_path)
        return status
    restoration = Restoration(opened, CheckpointableObjectGraph.FromString(text), root)
    matched = [place for place in restoration.objects if place]
    _warn_of_nothing(matched or not parts_of(root), save_path)
    return CheckpointLoadStatus(restoration)


def _warn_of_nothing(found, save_path):
    if not found:
        logging.warning(
            "Nothing in the checkpoint %s has a name that the objects have; nothing is "
            "restored until objects with its names are made. `twinflow ckpt ls` lists "
            "them.", save_path,
        )  # fmt: skip


def _graph_variables(root):
    found = [e.object for e in walk(root)[0] if isinstance(e.object, ResourceHandle)]
    return [v for v in found if v.graph is not None]


def _session(session):
    session = session or get_default_session()
    if session is None:
        raise ValueError(
            "There is no session to restore into: pass `session=` or use `with sess:`"
        )
    return session
