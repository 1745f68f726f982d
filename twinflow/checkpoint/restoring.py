"""Restoring objects from a checkpoint, and what became of it.

See checkpoint.restoration for how the values find their objects.
"""

from twinflow.base import errors, logging
from twinflow.base.damage import reported
from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import ResourceHandle
from twinflow.checkpoint.object_graph import PROTO_KEY, own_attributes, parts_of, walk
from twinflow.checkpoint.own_values import restore_in
from twinflow.checkpoint.reader import object_graph
from twinflow.checkpoint.restoration import (
    Restoration,
    is_newer,
    next_number,
    put,
    read_for,
)
from twinflow.execute.session import get_default_session
from twinflow.formats import checkpoint_v1
from twinflow.ops.variables.collections import variables_initializer


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

    def restore_later(self, put):
        """Let `put(variable, array)` take the values of what a graph gets later."""

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
        self._root, self._number = root, next_number()

    def initialize_or_restore(self, session=None):
        """Initialise the variables of a graph."""
        if not current_mode().eager:
            found = _graph_variables(self._root)
            wanted = [v for v in found if not is_newer(v, self._number)]
            _session(session).run(variables_initializer(wanted))


class _ValuesStatus(LoadStatus):
    """There were values; a subclass says by `_values` which variables they are of."""

    def run_restore_ops(self, session=None):
        """Put the values into a session; eagerly they are there already."""
        if not current_mode().eager:
            session = _session(session)
            for variable, array in self._values():
                variable.load(array, session)
            restore_in(session, *self._own())

    def _own(self):
        """(SaveableObjects to be restored too, the Bundle)."""
        return [], None


class CheckpointLoadStatus(_ValuesStatus):
    """What became of restoring objects.

    Args:
        restoration: the Restoration.
    """

    def __init__(self, restoration):
        self._restoration, self._root = restoration, restoration.root()
        self._values = restoration.graph_values

    def _own(self):
        return self._restoration.graph_saveables(), self._restoration.opened

    def restore_later(self, put):
        """Let `put(variable, array)` take the values of what a graph gets later."""
        self._restoration.late = put

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

    def initialize_or_restore(self, session=None):
        """As `run_restore_ops`, and initialise the variables that have no value."""
        if current_mode().eager:
            return
        session = _session(session)
        restored = {v for v, _ in self._values()}
        others = [
            v
            for v in _graph_variables(self._restoration.root())
            if v not in restored and not is_newer(v, self._restoration.number)
        ]
        session.run(variables_initializer(others))
        self.run_restore_ops(session)


class NameBasedSaverStatus(_ValuesStatus):
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
        own = {
            type(e.object).__name__: own_attributes(e.object)
            for e in walk(self._root)[0]
            if own_attributes(e.object)
        }
        if missing or unused or own:
            raise AssertionError(
                "Some objects had attributes which were not restored: variables that "
                f"the checkpoint lacks: {missing}; names in it without a variable: "
                f"{unused}; what only checkpoints by objects have: {own}"
            )
        return self

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
    opened = checkpoint_v1.opened(save_path)
    try:
        text = opened.read(PROTO_KEY)[()]
    except errors.NotFoundError:
        status = NameBasedSaverStatus(opened, root)
        _warn_of_nothing(status.found, save_path)
        return status
    with reported(save_path, errors.DataLossError):
        graph = object_graph(text)
        restoration = Restoration(opened, graph, root)
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
