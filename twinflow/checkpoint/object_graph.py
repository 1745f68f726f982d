"""Objects, their parts and their slots as a graph: what names values in checkpoints.

An object's path is the shortest way to it from the root; the key of a value is the path
of its object and what it is of it:

    model/dense/kernel/.ATTRIBUTES/VARIABLE_VALUE
    model/dense/kernel/.OPTIMIZER_SLOT/optimizer/m/.ATTRIBUTES/VARIABLE_VALUE

The checkpoint holds the graph too (PROTO_KEY), so that a program finds its parts by the
names they have in their parents, not by names of variables.
"""

from collections import deque
from typing import Any, NamedTuple

from twinflow.base.tensor import ResourceHandle
from twinflow.base.trackable import Trackable, children
from twinflow.formats.protos import CheckpointableObjectGraph

PROTO_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"
VALUE = "VARIABLE_VALUE"
CONFIG = "OBJECT_CONFIG_JSON"


class Found(NamedTuple):
    """An object on its way from the root.

    Attributes:
        object: itself. path: the names on the way. parts: (name, place) of its parts.
    """

    object: Any
    path: tuple
    parts: list


class Slot(NamedTuple):
    """A variable that an optimizer keeps for another; `optimizer`, `variable` and
    `place` are places in the list of objects."""

    optimizer: int
    variable: int
    name: str
    place: int


def walk(root):
    """The objects of a root in breadth-first order, and the slots of its optimizers.

    Returns:
        (a list of Found, a list of Slot); slot variables come last among the objects.
    """
    found, places, left = [Found(root, (), [])], {id(root): 0}, deque([0])
    while left:
        parent = found[left.popleft()]
        for name, part in parts_of(parent.object):
            place = places.get(id(part))
            if place is None:
                place = places[id(part)] = len(found)
                found.append(Found(part, (*parent.path, name), []))
                left.append(place)
            parent.parts.append((name, place))
    slots = []
    for here, entry in enumerate(list(found)):
        for name, variable, slot in slots_of(entry.object, found):
            path = found[variable].path
            mark = (*path, ".OPTIMIZER_SLOT", *entry.path, name)
            slots.append(Slot(here, variable, name, len(found)))
            found.append(Found(slot, mark, []))
    return found, slots


def parts_of(obj):
    """Pairs of (name, part): of a trackable or a container; a variable has none."""
    return [] if isinstance(obj, ResourceHandle) else children(obj)


def slots_of(optimizer, found):
    """(name of the slot, place of its variable, the slot), by name of the slot."""
    if not hasattr(optimizer, "get_slot_names"):
        return
    for name in optimizer.get_slot_names():
        for place, entry in enumerate(found):
            if isinstance(entry.object, ResourceHandle):
                slot = optimizer.get_slot(entry.object, name)
                if slot is not None:
                    yield name, place, slot


def key_of(path, what=VALUE):
    """The key of a value of the object at `path`."""
    return "/".join([*map(_escaped, path), ".ATTRIBUTES", what])


def _escaped(name):
    """A name without slashes; the marks of keys begin with a dot and stay."""
    if name == ".OPTIMIZER_SLOT":
        return name
    return name.replace(".", "..").replace("/", ".S")


def proto_of(found, slots):
    """The CheckpointableObjectGraph of what `walk` found."""
    graph = CheckpointableObjectGraph()
    for entry in found:
        node = graph.nodes.add()
        for name, place in entry.parts:
            node.children.add(node_id=place, local_name=name)
        for attribute, full_name in attributes_of(entry.object):
            key = key_of(entry.path, attribute)
            node.attributes.add(name=attribute, full_name=full_name, checkpoint_key=key)
    for slot in slots:
        graph.nodes[slot.optimizer].slot_variables.add(
            original_variable_node_id=slot.variable, slot_name=slot.name,
            slot_variable_node_id=slot.place,
        )  # fmt: skip
    return graph


def attributes_of(obj):
    """Pairs of (what is saved of an object, the name it has elsewhere)."""
    if isinstance(obj, ResourceHandle):
        return [(VALUE, obj.name.removesuffix(":0"))]
    if hasattr(obj, "_checkpoint_attribute"):
        return [(obj._checkpoint_attribute, "")]
    if hasattr(obj, "_checkpoint_value"):
        return [(VALUE, "")]
    return [(attribute, "") for attribute in own_attributes(obj)]


def own_attributes(obj):
    """What an object that is no variable saves of itself (checkpoint.own_values)."""
    if isinstance(obj, ResourceHandle) or not isinstance(obj, Trackable):
        return []
    own = list(obj._gather_saveables_for_checkpoint())
    return own or ([CONFIG] if _has_settings(obj) else [])


def _has_settings(obj):
    if not hasattr(obj, "get_config"):
        return False
    try:
        obj.get_config()
    except Exception:  # a class of a program, whose settings are not needed
        return False
    return True
