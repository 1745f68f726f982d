"""tf.saved_model.load_v2: the objects that TensorFlow 2 saved, with their functions.

Note [Saved objects]: beside its graph such a file holds objects: nodes with named
children, of which node 0 is the root. Functions name FunctionDefs of the graph's
library and the nodes that they captured; the checkpoint has a graph of objects of its
own, whose names lead from the root to the keys of the variables' values.
"""

import os
from collections.abc import Iterator
from typing import Any

from twinflow.base import dtypes, errors
from twinflow.base.damage import UnreadableFile, reported
from twinflow.base.text import as_str_any, path_to_str
from twinflow.base.trackable import Trackable
from twinflow.checkpoint.reader import load_checkpoint
from twinflow.checkpoint.state import checkpoint_exists
from twinflow.export import loading
from twinflow.export.folders import get_variables_path
from twinflow.export.loaded_functions import Library, LoadedConcrete, LoadedFunction
from twinflow.export.loaded_resources import filled, made_anew, restored
from twinflow.export.loading import asset_path, of_tags, read_saved_model
from twinflow.formats.object_protos import CheckpointedObjects, SavedModelObjects
from twinflow.formats.tensor_proto import make_ndarray
from twinflow.ops.core.constant import constant
from twinflow.ops.variables.resource import ResourceVariable

_GRAPH_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"
_VALUE, _TABLE = "VARIABLE_VALUE", "table"


class LoadedObject(Trackable):
    """An object of a SavedModel: its parts are attributes.

    A part `__call__` makes it callable; the root has `signatures` too, a dict of
    functions that take and give tensors by their names.
    """

    def __init__(self, identifier: str) -> None:
        self._identifier = identifier
        self._parts: dict[Any, Any] = {}

    def _children(self) -> list:
        kept = LoadedObject | ResourceVariable
        return [(k, v) for k, v in self._parts.items() if isinstance(v, kept)]

    def _put(self, name: str, part: Any) -> None:
        self._parts[name] = part

    def __getattr__(self, name: str) -> Any:
        parts = self.__dict__.get("_parts", {})
        if name in parts:
            return parts[name]
        raise AttributeError(
            f"This object of a SavedModel has no {name!r}; it has {sorted(parts)}."
        )

    def __dir__(self) -> list:
        return sorted({*super().__dir__(), *self._parts})

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if "__call__" not in self._parts:
            raise TypeError(
                f"This object of a SavedModel cannot be called; it has "
                f"{sorted(self._parts)}."
            )
        return self._parts["__call__"](*args, **kwargs)

    @property
    def variables(self) -> list:
        """The variables in it and in its parts, each once."""
        return list(_variables(self, set()))

    @property
    def trainable_variables(self) -> list:
        """Those of `variables` that are to be trained."""
        return [v for v in self.variables if v.trainable]

    def __repr__(self) -> str:
        return f"<object of a SavedModel with {sorted(self._parts)}>"


class LoadedList(LoadedObject):
    """A list or tuple of a SavedModel."""

    def __getitem__(self, at: Any) -> Any:
        return self._listed()[at]

    def __len__(self) -> int:
        return len(self._listed())

    def __iter__(self) -> Iterator:
        return iter(self._listed())

    def _listed(self) -> list:
        places = sorted((int(k), v) for k, v in self._parts.items() if k.isdigit())
        return [v for _, v in places]


class LoadedDict(LoadedObject):
    """A dict of a SavedModel."""

    def __getitem__(self, key: str) -> Any:
        return self._parts[key]

    def __len__(self) -> int:
        return len(self._parts)

    def __iter__(self) -> Iterator:
        return iter(self._parts)

    def keys(self) -> Any:
        """The keys."""
        return self._parts.keys()

    def _ipython_key_completions_(self) -> list:
        return list(self._parts)

    def items(self) -> Any:
        """The pairs."""
        return self._parts.items()

    def values(self) -> Any:
        """The values."""
        return self._parts.values()


class LoadedResource(LoadedObject):
    """A table, or another resource.

    Attributes:
        handle: the tensor by which ops reach it.
    """

    def __init__(self, handle: Any) -> None:
        super().__init__("resource")
        self.handle = handle


_KINDS = {
    "trackable_list_wrapper": LoadedList,
    "trackable_tuple_wrapper": LoadedList,
    "trackable_dict_wrapper": LoadedDict,
    "signature_map": LoadedDict,
}


def _variables(part: Any, seen: set) -> Iterator:
    if id(part) in seen:
        return
    seen.add(id(part))
    if isinstance(part, ResourceVariable):
        yield part
    for child in part._parts.values() if isinstance(part, LoadedObject) else ():
        yield from _variables(child, seen)


class _Reading:
    """The objects of one file while they are made."""

    def __init__(self, folder: str, meta: Any, graph: Any) -> None:
        self.folder, self.meta, self.graph = folder, meta, graph
        self.library = Library(meta.graph_def)
        self.constants = {n.name: n for n in meta.graph_def.node if n.op == "Const"}
        self.keys, self.reader = {}, None
        prefix = get_variables_path(folder)
        if checkpoint_exists(prefix):
            self.reader = load_checkpoint(prefix)
            self.keys = _keys(self.graph, self.reader)
        self.made: dict[Any, Any] = {}
        self.concrete: dict[Any, Any] = {}

    def objects(self) -> Any:
        """The root, with all its parts."""
        for number, node in enumerate(self.graph.nodes):
            self.made[number] = self._object(number, node)
        for number, node in enumerate(self.graph.nodes):
            owner = self.made[number]
            if isinstance(owner, LoadedObject):
                for child in node.children:
                    owner._put(child.local_name, self.made[child.node_id])
        self._fill()
        return self.made[0]

    def _fill(self) -> None:
        """What the resources hold."""
        for number, part in self.made.items():
            if not isinstance(part, LoadedResource):
                continue
            if "_initialize" in part._parts:
                filled(part._parts["_initialize"].get_concrete_function())
            key = self.keys.get((number, _TABLE))
            if key is not None:
                ends = (f"{key}-keys", f"{key}-values")
                restored(part.handle, *map(self.reader.get_tensor, ends))

    def _object(self, number: int, node: Any) -> Any:
        kind = node.WhichOneof("kind")
        make = getattr(self, f"_{kind}", None)
        if make is None:
            return _Refused(f"it holds a part of the kind {kind!r}")
        return make(number, node)

    def _user_object(self, number: int, node: Any) -> LoadedObject:
        identifier = node.user_object.identifier
        return _KINDS.get(identifier, LoadedObject)(identifier)

    def _variable(self, number: int, node: Any) -> Any:
        saved = node.variable
        key = self.keys.get((number, _VALUE))
        if key is None:
            return _Refused(f"the checkpoint has no value of the variable {saved.name}")
        value = self.reader.get_tensor(key)
        name = saved.name.partition(":")[0] or "variable"
        return ResourceVariable(
            value, trainable=saved.trainable, name=name,
            dtype=dtypes.as_dtype(saved.dtype),
        )  # fmt: skip

    def _function(self, number: int, node: Any) -> LoadedFunction:
        saved = node.function
        concrete = [self._concrete(name) for name in saved.concrete_functions]
        return LoadedFunction(
            self._names().get(number, "function"), concrete, saved.function_spec
        )

    def _bare_concrete_function(self, number: int, node: Any) -> LoadedConcrete:
        return self._concrete(node.bare_concrete_function.concrete_function_name)

    def _constant(self, number: int, node: Any) -> Any:
        found = self.constants.get(node.constant.operation)
        if found is None:
            return _Refused(f"its constant {node.constant.operation} is not there")
        return constant(make_ndarray(found.attr["value"].tensor))

    def _asset(self, number: int, node: Any) -> Any:
        info = self.meta.asset_file_def[node.asset.asset_file_def_index]
        return constant(asset_path(self.folder, info.filename).encode())

    def _resource(self, number: int, node: Any) -> Any:
        children = {c.local_name: c.node_id for c in node.children}
        maker = self.graph.nodes[children.get("_create_resource", 0)].function
        if len(maker.concrete_functions) != 1:
            return _Refused("it uses a resource that no function of the file makes")
        try:
            return LoadedResource(made_anew(self.library, maker.concrete_functions[0]))
        except (ValueError, errors.OpError) as error:
            return _Refused(f"it uses a resource that cannot be made here: {error}")

    def _captured_tensor(self, number: int, node: Any) -> "_Refused":
        return _Refused("it uses a tensor that another function computes")

    def _names(self) -> dict:
        if not hasattr(self, "_called"):
            self._called = {
                c.node_id: c.local_name for n in self.graph.nodes for c in n.children
            }
        return self._called

    def _concrete(self, name: str) -> LoadedConcrete:
        if name not in self.concrete:
            proto = self.graph.concrete_functions[name]
            places = list(proto.bound_inputs)
            bound = lambda: [_captured(self.made[i], name) for i in places]
            self.concrete[name] = LoadedConcrete(self.library, name, proto, bound)
        return self.concrete[name]


class _Refused:
    """A part that cannot be made here; it fails where it is used."""

    def __init__(self, why: str) -> None:
        self.why = why


def _captured(part: Any, name: str) -> Any:
    if isinstance(part, LoadedResource):
        return part.handle
    if isinstance(part, _Refused):
        raise NotImplementedError(
            f"The function {name!r} of the SavedModel cannot be called: {part.why}. "
            "tf.saved_model.loader.load(session, ['serve'], folder) reads its "
            "signatures as a graph."
        )
    return part


def _keys(graph: Any, reader: Any) -> dict:
    """{(number of a node, name of a value): key}, by the names that lead to both."""
    if not reader.has_tensor(_GRAPH_KEY):
        return {}
    saved = CheckpointedObjects.FromString(reader.get_tensor(_GRAPH_KEY))
    found: dict = {}
    todo, seen = [(0, 0)], {(0, 0)}
    while todo:
        here, there = todo.pop()
        attributes = saved.nodes[there].attributes
        found.update(((here, a.name), a.checkpoint_key) for a in attributes)
        theirs = {c.local_name: c.node_id for c in saved.nodes[there].children}
        for child in graph.nodes[here].children:
            pair = child.node_id, theirs.get(child.local_name)
            if pair[1] is not None and pair not in seen:
                seen.add(pair)
                todo.append(pair)
    return found


def load_v2(export_dir: Any, tags: Any = None) -> LoadedObject:
    """Read the objects of a SavedModel that TensorFlow 2 wrote.

    Eagerly its variables have their values at once; in a graph their initializers give
    them. Gradients go through its functions; checkpoints take it as an object. For a
    SavedModel without objects, as those of 1.x, use tf.saved_model.loader.load.

    Args:
        export_dir: the folder. tags: of the graph; needed where there are several.
    Returns:
        The root object: its functions, variables and parts are attributes, its
        signatures are in `signatures`.
    Raises:
        OSError: there is no SavedModel. ValueError: it holds no objects, or is damaged.
        NotImplementedError: when a function is called that needs what is not read, such
            as a table.
    """
    folder = as_str_any(path_to_str(export_dir))
    saved = read_saved_model(folder)
    at = _place(saved, tags, folder)
    with reported(folder, UnreadableFile):
        parsed = SavedModelObjects.FromString(saved.SerializeToString())
        graph = parsed.meta_graphs[at].object_graph_def
    if not graph.nodes:
        raise ValueError(
            f"The SavedModel {folder} holds a graph and no objects, as TensorFlow 1.x "
            "writes it: use tf.saved_model.loader.load(session, tags, folder)."
        )
    with reported(folder, UnreadableFile):
        return _Reading(folder, saved.meta_graphs[at], graph).objects()


def load(
    sess: Any, tags: Any = None, export_dir: Any = None, import_scope: Any = None,
    **saver_kwargs: Any,
) -> Any:  # fmt: skip
    """Add a graph of a SavedModel to a session's, as tf.saved_model.loader.load does.

    With a folder in the place of the session it is `load_v2`, as in TensorFlow 2.

    Args:
        sess: the Session, or the folder. tags: all tags of the graph. export_dir: the
            folder. import_scope: a prefix of the names. saver_kwargs: of
            import_meta_graph.
    Returns:
        The MetaGraphDef; of a folder, its root object.
    Raises:
        TypeError: there is no folder. What loader.load and load_v2 raise.
    Example:
        x = tf.placeholder(tf.float32, name="x")
        with tf.Session() as sess:
            tf.saved_model.simple_save(sess, "./export", {"x": x}, {"y": x * 2.})
        with tf.Session(graph=tf.Graph()) as sess:
            meta = tf.saved_model.load(sess, ["serve"], "./export")
            meta.signature_def["serving_default"].inputs["x"].name  # "x:0"
    """
    if export_dir is None:
        if isinstance(sess, str | os.PathLike):
            return load_v2(sess, tags)
        raise TypeError(
            "tf.saved_model.load expects (session, tags, folder), or just the folder "
            f"of a SavedModel of TensorFlow 2; got {type(sess).__name__}."
        )
    return loading.load(sess, tags, export_dir, import_scope, **saver_kwargs)


def _place(saved: Any, tags: Any, folder: str) -> int:
    """Which MetaGraphDef is meant."""
    metas = saved.meta_graphs
    if tags is None and len(metas) == 1:
        return 0
    wanted = [tags] if isinstance(tags, str) else tags or ["serve"]
    found = of_tags(saved, wanted, folder)
    return next(i for i, m in enumerate(metas) if m == found)
