"""tf.train.Saver: variables saved and restored by their names."""

import os
import time
from typing import Any

from twinflow.base import errors, logging, stores, unfinished
from twinflow.base.advice import advised
from twinflow.base.annotations import Path
from twinflow.base.damage import reported
from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.base.text import as_str_any, path_to_str
from twinflow.checkpoint import save_ops, state
from twinflow.checkpoint.object_graph import PROTO_KEY
from twinflow.checkpoint.reader import object_graph
from twinflow.checkpoint.restoration import read_for
from twinflow.checkpoint.saveable import (
    SaveableObject,
    SaveSpec,
    VariableSaveable,
    saveables_of,
)
from twinflow.execute.session import Session
from twinflow.formats import checkpoint_v1, checkpoint_v2
from twinflow.formats.protos import SaverDef
from twinflow.graph.graph_def.meta_export import export_scoped_meta_graph
from twinflow.graph.graph_def.proto_functions import register_proto_function
from twinflow.ops.variables.collections import GraphKeys, get_collection

_ALTERED = (
    "Restoring from checkpoint failed. This is most likely due to {} from the "
    "checkpoint. Please ensure that you have not altered the graph expected based on "
    "the checkpoint. Original error:\n\n{}"
)


_OLD_FORMAT = (
    "TensorFlow's V1 checkpoint format has been deprecated. Consider switching to the "
    "more efficient V2 format: tf.train.Saver(write_version=tf.train.SaverDef.V2), now "
    "on by default."
)
_OBJECT_BASED = (
    "Restoring an object-based checkpoint using a name-based saver. This may be "
    "somewhat fragile, and will re-build the Saver. Instead, consider loading "
    "object-based checkpoints using tf.train.Checkpoint()."
)


class Saver:
    """Saves variables to checkpoints, TensorFlow's files, and restores them.

    Args:
        var_list: variables, or a dict from keys to variables; all saveable ones of the
            graph by default. Eager mode needs it.
        reshape: restore tensors of another shape with as many elements.
        sharded: write a file for each device.
        max_to_keep: how many of the last checkpoints stay; 0 or None: all.
        keep_checkpoint_every_n_hours: one that stays in each such time.
        name: of the scope of its nodes. restore_sequentially: one after the other.
        saver_def: the SaverDef of nodes that are there already.
        builder: accepted. defer_build: wait for `build`.
        allow_empty: do nothing where there are no variables.
        write_version: SaverDef.V2 or, for old programs, V1: all in one file.
        pad_step_number: write step numbers with eight digits.
        save_relative_paths: the folder may be moved.
        filename: used where none is fed.
    Raises:
        ValueError: there are no variables. RuntimeError: eager mode without var_list.
    Example:
        v = tf.get_variable("v", initializer=1.)
        saver = tf.train.Saver()
        with tf.Session() as sess:
            sess.run(v.initializer)
            path = saver.save(sess, "./model", global_step=100)  # "./model-100"
            saver.restore(sess, path)
    """

    def __init__(
        self, var_list: Any = None, reshape: bool = False, sharded: bool = False,
        max_to_keep: int | None = 5, keep_checkpoint_every_n_hours: Any = 10000.0,
        name: str | None = None, restore_sequentially: bool = False,
        saver_def: Any = None, builder: Any = None, defer_build: bool = False,
        allow_empty: bool = False, write_version: Any = SaverDef.V2,
        pad_step_number: bool = False, save_relative_paths: bool = False,
        filename: Any = None,
    ) -> None:  # fmt: skip
        if defer_build and var_list:
            raise ValueError(
                "If `var_list` is provided then build cannot be deferred. "
                "Either set defer_build=False or var_list=None."
            )
        eager = current_mode().eager
        if eager and var_list is None:
            raise RuntimeError(
                "When eager execution is enabled, `var_list` must specify a list or "
                "dict of variables to save"
            )
        self._var_list, self._reshape, self._sharded = var_list, reshape, sharded
        self._max_to_keep, self._hours = max_to_keep, keep_checkpoint_every_n_hours
        self._name, self._sequentially = name, restore_sequentially
        self.saver_def, self._builder = saver_def, builder
        self._allow_empty, self._write_version = allow_empty, write_version
        self._pad_step_number, self._filename = pad_step_number, filename
        self._save_relative_paths = save_relative_paths
        self._is_built = self._is_empty = False
        self._saveables: Any = None  # of eager mode
        self._known: list[Any] = []  # those whose shapes are known
        self._object_restore_saver: Any = None
        self._last_checkpoints: list[Any] = []
        self._versions: dict[Any, Any] = {}  # of the checkpoints that this Saver wrote
        self._checkpoints_to_be_deleted: list[Any] = []
        self._next_checkpoint_time = time.time() + self._hours * 3600
        if eager:
            self._set_up()
        elif not defer_build:
            self.build()
        if self.saver_def:
            self._check_saver_def()
            self._write_version = self.saver_def.version

    # ------------------------------------------------------------------ building
    def build(self) -> None:
        """Add the nodes, where `defer_build` has put it off.

        Raises:
            RuntimeError: eager mode.
        """
        if current_mode().eager:
            raise RuntimeError("Use save/restore instead of build in eager mode.")
        self._set_up()

    def _set_up(self):
        if self._is_built:
            return
        self._is_built = True
        eager = current_mode().eager
        if self.saver_def is None or eager:
            if self._var_list is None:
                self._var_list = _default_variables()
            variables = self._var_list
            if eager and isinstance(variables, ResourceHandle):
                variables = [variables]
            if isinstance(variables, list | tuple | dict) and not variables:
                if not self._allow_empty:
                    raise advised(ValueError, "No variables to save")
                self._is_empty = True
                return
            saveables = self._saveables = saveables_of(variables)
            self._known = [s for s in saveables if isinstance(s, VariableSaveable)]
            if not eager:
                self.saver_def = save_ops.build(
                    saveables, self._name, self._filename, self._sharded,
                    self._reshape, self._sequentially, self._max_to_keep, self._hours,
                    self._write_version,
                )  # fmt: skip
        elif self.saver_def and self._name:
            self._put_below(self._name)
        self._check_saver_def()

    def _put_below(self, scope):
        for field in "filename_tensor_name", "save_tensor_name", "restore_op_name":
            name = f"{scope}/{getattr(self.saver_def, field)}"
            setattr(self.saver_def, field, name)

    def _check_saver_def(self):
        if current_mode().eager:
            return
        if not isinstance(self.saver_def, SaverDef):
            raise ValueError(
                f"saver_def must be a saver_pb2.SaverDef: {self.saver_def}"
            )
        for field in "save_tensor_name", "restore_op_name":
            if not getattr(self.saver_def, field):
                raise ValueError(
                    f"saver_def must specify the {field}: {self.saver_def}"
                )

    # ------------------------------------------------------------------ keeping
    @property
    def last_checkpoints(self) -> list[str]:
        """The checkpoints that are kept, oldest first."""
        return [path for path, _ in self._last_checkpoints]

    def set_last_checkpoints(self, last_checkpoints: Any) -> None:
        """Older form of set_last_checkpoints_with_time: the times are unknown."""
        _check_list("last_checkpoints", last_checkpoints)
        self._last_checkpoints = [(path, float("inf")) for path in last_checkpoints]

    def set_last_checkpoints_with_time(self, last_checkpoints_with_time: Any) -> None:
        """Say which checkpoints are there: pairs of (path, seconds since the epoch)."""
        _check_list("last_checkpoints_with_time", last_checkpoints_with_time)
        self._last_checkpoints = last_checkpoints_with_time

    def recover_last_checkpoints(self, checkpoint_paths: Any) -> None:
        """As set_last_checkpoints_with_time, with the times of the files."""
        there = [p for p in checkpoint_paths if state.checkpoint_exists(p)]
        times = state.get_checkpoint_mtimes(there)
        self.set_last_checkpoints_with_time(list(zip(there, times, strict=True)))

    def _record(self, path):
        """Note the last checkpoint; an older one may have to go."""
        if not self.saver_max_to_keep():
            return
        kept = [pair for pair in self._last_checkpoints if pair[0] != path]
        kept.append((path, time.time()))
        self._versions[path] = state.version_of(path)
        if len(kept) > self.saver_max_to_keep():
            self._checkpoints_to_be_deleted.append(kept.pop(0))
        self._last_checkpoints = kept

    def saver_max_to_keep(self) -> int:
        """How many checkpoints stay."""
        return self.saver_def.max_to_keep if self.saver_def else self._max_to_keep

    def _remove_old(self, suffix):
        for path, made in self._checkpoints_to_be_deleted:
            if made > self._next_checkpoint_time:  # this one stays for good
                self._next_checkpoint_time += self._hours * 3600
                continue
            version = self._versions.pop(path, None)
            if version and version != state.version_of(path):
                continue  # another process has written it since
            try:
                state.remove_checkpoint(path, self._write_version, suffix)
            except Exception as error:
                logging.warning("Ignoring: %s", error)
        self._checkpoints_to_be_deleted = []

    # ------------------------------------------------------------------ saving
    def save(
        self, sess: Any, save_path: Path, global_step: Any = None,
        latest_filename: str | None = None, meta_graph_suffix: str = "meta",
        write_meta_graph: bool = True, write_state: bool = True,
        strip_default_attrs: bool = False,
    ) -> str | Any:  # fmt: skip
        """Write a checkpoint.

        Args:
            sess: the session with the values; anything in eager mode.
            save_path: the path without the ends. global_step: a number (or a variable)
                put behind it: "model-100".
            latest_filename: another name for the file `checkpoint`.
            meta_graph_suffix: the end of the MetaGraph's file.
            write_meta_graph: write it (graph mode). write_state: write `checkpoint`.
            strip_default_attrs: leave attributes out of it that have their defaults.
        Returns:
            The path, with the step; None where there is nothing to save.
        Raises:
            ValueError: the path does not do. TypeError: `sess` is no session.
        """
        if not self._is_built and not current_mode().eager:
            raise RuntimeError(
                "`build()` should be called before save if defer_build==True"
            )
        if self._write_version != SaverDef.V2:
            logging.warning(_OLD_FORMAT)
        save_path = as_str_any(path_to_str(save_path))
        path = self._checked_path(sess, save_path, global_step, latest_filename)
        if not self._is_empty:
            path = self._saved(sess, path, save_path)
            if write_state:
                self._record(path)
                state.update_checkpoint_state(
                    stores.dirname(save_path), path, self.last_checkpoints,
                    latest_filename, save_relative_paths=self._save_relative_paths,
                )  # fmt: skip
                self._remove_old(meta_graph_suffix)
        if write_meta_graph and not current_mode().eager:
            name = state.meta_graph_filename(path, meta_graph_suffix)
            with sess.graph.as_default():
                self.export_meta_graph(name, strip_default_attrs=strip_default_attrs)
        return None if self._is_empty else path

    def _checked_path(self, sess, save_path, global_step, latest_filename):
        """The path with its step, where path and session will do."""
        if latest_filename and os.path.split(latest_filename)[0]:
            raise ValueError("'latest_filename' must not contain path components")
        path, name = save_path, latest_filename or "checkpoint"
        if global_step is not None:
            step = _number(sess, global_step)
            path += f"-{step:08d}" if self._pad_step_number else f"-{step:d}"
        elif not self._sharded and os.path.basename(path) == name:
            raise ValueError(
                f"'latest_filename' collides with 'save_path': '{name}' and "
                f"'{save_path}'"
            )
        if not current_mode().eager and not isinstance(sess, Session):
            raise TypeError(f"'sess' must be a Session; {sess}")
        return path

    def _saved(self, sess, path, save_path):
        try:
            with state.needs_parent(save_path):
                if not stores.dirname(save_path):
                    raise errors.NotFoundError(None, None, "no folder is named")
                if current_mode().eager:
                    save_ops.save(path, self._eager_saveables(), self._write_version)
                    return path
                feeds = {self.saver_def.filename_tensor_name: path}
                return sess.run(self.saver_def.save_tensor_name, feeds).decode()
        except Exception:
            unfinished.release_all(path)
            raise

    def _eager_saveables(self):
        if self._var_list is not None and current_mode().eager:
            # objects may save other tensors now
            return saveables_of(_listed(self._var_list))
        if self._saveables is None:
            raise RuntimeError(
                "This Saver was made for a graph: make one in eager mode"
            )
        return self._saveables

    # ------------------------------------------------------------------ restoring
    def restore(self, sess: Any, save_path: Path | None) -> None:
        """Give the variables the values of a checkpoint.

        Args:
            sess: the session; anything in eager mode. save_path: what `save` returned.
        Raises:
            ValueError: there is no such checkpoint.
            NotFoundError, InvalidArgumentError: it does not fit the variables.
        """
        if self._is_empty:
            return
        if save_path is None:
            raise advised(ValueError, "Can't load save_path when it is None.")
        save_path = as_str_any(path_to_str(save_path))
        if not state.checkpoint_exists(save_path):
            raise ValueError(
                f"The passed save_path is not a valid checkpoint: {save_path}"
            )
        logging.info("Restoring parameters from %s", save_path)
        try:
            self._restored(sess, save_path)
        except errors.NotFoundError as error:
            try:
                keys = object_graph_key_mapping(save_path)
            except errors.NotFoundError:
                cause = "a Variable name or other graph key that is missing"
                raise _altered(error, cause) from None
            logging.warning(_OBJECT_BASED)
            self._restore_by_names(sess, save_path, keys)
        except errors.InvalidArgumentError as error:
            cause = "a mismatch between the current graph and the graph"
            raise _altered(error, cause) from None

    def _check_shapes(self, path):
        """Raise unless the values have the shapes of the variables."""
        opened = None if self._reshape else checkpoint_v1.opened(path)
        for saveable in self._known if opened else ():
            found = saveable.misfit(opened)
            if found is None:
                continue
            what = (
                f": the first is of the variable {saveable.variable.name}, the second "
                f"of its value, {saveable.name} in {path}"
            )
            if current_mode().eager:
                text = f"Shapes {found[0]} and {found[1]} are incompatible{what}"
                raise ValueError(text)
            left, right = (str(s.as_list()).replace(" ", "") for s in found)
            raise errors.invalid(
                "Assign requires shapes of both tensors to match. lhs shape= "
                f"{left} rhs shape= {right}{what}",
            )

    def _restored(self, sess, path):
        self._check_shapes(path)
        if current_mode().eager:
            saveables = self._eager_saveables()
            save_ops.restore(path, saveables, self._reshape, False, None)
        else:
            feeds = {self.saver_def.filename_tensor_name: path}
            sess.run(self.saver_def.restore_op_name, feeds)

    def _restore_by_names(self, sess, path, keys):
        """Restore from a checkpoint of objects, by the names its variables had."""
        opened = checkpoint_v2.Bundle(path)
        variables = self._variables(sess)
        missing = sorted(set(variables) - set(keys))
        if missing:
            raise errors.NotFoundError(
                None, None,
                "Existing variables not in the checkpoint: " + ", ".join(missing),
            )  # fmt: skip
        for name, variable in variables.items():
            value = read_for(variable, opened, keys[name])
            if current_mode().eager:
                variable.assign(value)
            else:
                variable.load(value, sess)

    def _variables(self, sess):
        """The variables by their names in checkpoints."""
        if self._saveables is None:
            with sess.graph.as_default():
                return {s.name: s.op for s in saveables_of(_default_variables())}
        return {s.name: s.op for s in self._saveables}

    # ------------------------------------------------------------------ protos
    def export_meta_graph(
        self, filename: Path | None = None, collection_list: Any = None,
        as_text: bool = False, export_scope: Any = None, clear_devices: bool = False,
        clear_extraneous_savers: bool = False, strip_default_attrs: bool = False,
    ) -> Any:  # fmt: skip
        """As tf.train.export_meta_graph, with this Saver in it."""
        return export_scoped_meta_graph(
            filename=filename, collection_list=collection_list, as_text=as_text,
            export_scope=export_scope, clear_devices=clear_devices,
            clear_extraneous_savers=clear_extraneous_savers,
            strip_default_attrs=strip_default_attrs, saver_def=self.saver_def,
        )[0]  # fmt: skip

    def as_saver_def(self) -> Any:
        """The SaverDef that another Saver can be made from."""
        return self.saver_def

    def to_proto(self, export_scope: Any = None) -> Any:
        """As `as_saver_def`, with names below `export_scope`; None: not below it."""
        if export_scope is None:
            return self.saver_def
        if not self.saver_def.save_tensor_name.startswith(export_scope + "/"):
            return None
        found = SaverDef()
        found.CopyFrom(self.saver_def)
        for field in "filename_tensor_name", "save_tensor_name", "restore_op_name":
            name = getattr(found, field)
            setattr(found, field, name.removeprefix(export_scope + "/"))
        return found

    @staticmethod
    def from_proto(saver_def: Any, import_scope: str | None = None) -> "Saver":
        """A Saver of nodes that are there, their names below `import_scope`."""
        return Saver(saver_def=saver_def, name=import_scope)


def object_graph_key_mapping(checkpoint_path):
    """From the names of variables to their keys in a checkpoint of objects.

    Raises:
        NotFoundError: it is not one of objects.
    """
    text = checkpoint_v2.Bundle(checkpoint_path).read(PROTO_KEY)[()]
    with reported(checkpoint_path, errors.DataLossError):
        graph = object_graph(text)
    return {
        attribute.full_name: attribute.checkpoint_key
        for node in graph.nodes
        for attribute in node.attributes
    }


def _check_list(name: str, value: object) -> None:
    if not isinstance(value, list):
        raise TypeError(f"{name} must be a list, but got {type(value)}: {value!r}")


def _listed(variables):
    if isinstance(variables, dict | list | tuple | set):
        return variables
    return [variables]


def _number(sess, global_step):
    """The value of a global step: a number, or what has one in the session."""
    if isinstance(global_step, ResourceHandle | Tensor):
        eager = current_mode().eager
        global_step = global_step.numpy() if eager else sess.run(global_step)
    return int(global_step)


def _default_variables():
    """What a Saver saves by default: variables, and what saves itself."""
    return get_collection(GraphKeys.GLOBAL_VARIABLES) + get_collection(
        GraphKeys.SAVEABLE_OBJECTS
    )


def _altered(error, cause):
    text = _ALTERED.format(cause, error.message)
    altered = type(error)(error.node_def, error.op, text)
    return errors.with_notes_of(error, altered)


register_proto_function(GraphKeys.SAVERS, SaverDef, Saver.to_proto, Saver.from_proto)


class BaseSaverBuilder:
    """Where programs find the classes of what is saved."""

    SaveSpec = SaveSpec
    SaveableObject = SaveableObject
