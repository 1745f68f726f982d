"""Variables that start with the values of a checkpoint."""

import functools
import re
from typing import Any

from twinflow.base import files, logging
from twinflow.base.annotations import Path
from twinflow.base.tensor import ResourceHandle
from twinflow.checkpoint.reader import load_checkpoint
from twinflow.checkpoint.state import latest_checkpoint
from twinflow.checkpoint.vocabularies import remapped
from twinflow.graph.scopes import name_scope
from twinflow.graph.variable_scope import get_variable_scope
from twinflow.ops.core.partitioned import saved_name
from twinflow.ops.files.checkpoints import restore_v2
from twinflow.ops.variables.collections import GraphKeys, get_collection
from twinflow.ops.variables.state import assign


def init_from_checkpoint(ckpt_dir_or_file: Path, assignment_map: Any) -> None:
    """Let variables of the graph be initialised from a checkpoint.

    It changes their initialisers; nothing is restored before they run.

    Args:
        ckpt_dir_or_file: a prefix, or a folder whose last checkpoint it is.
        assignment_map: dict from names (or scopes that end in "/") in the checkpoint to
            variables, lists of one, names or scopes of the graph.
    Raises:
        ValueError: a name is not there, or a shape is another one.
    Example:
        with tf.Graph().as_default(), tf.Session() as sess:
            v = tf.get_variable("v", initializer=[1., 2.])
            sess.run(v.initializer)
            tf.train.Saver().save(sess, "./model")
        w = tf.get_variable("w", [2])
        tf.train.init_from_checkpoint("./model", {"v": w})
        with tf.Session() as sess:
            sess.run(w.initializer)
            sess.run(w)  # [1., 2.]
    """
    prefix = _prefix(ckpt_dir_or_file)
    reader = load_checkpoint(prefix)
    shapes = reader.get_variable_to_shape_map()
    known = {saved_name(v): v for v in get_collection(GraphKeys.GLOBAL_VARIABLES)}
    for source, target in sorted(assignment_map.items(), key=lambda pair: pair[0]):
        for name, variable in _pairs(source, target, known, shapes, prefix):
            _start_from(variable, name, shapes[name], prefix)


def _prefix(path):
    if not files.IsDirectory(path):
        return path
    found = latest_checkpoint(path)
    if found is None:
        raise ValueError(
            f"Couldn't find 'checkpoint' file or checkpoints in given directory {path}"
        )
    return found


def _pairs(source, target, known, shapes, prefix):
    """(name in the checkpoint, variable) of one entry of the map."""
    if isinstance(target, list | tuple) and len(target) == 1:
        (target,) = target
    scope = get_variable_scope().name
    if isinstance(target, ResourceHandle):
        variable = target
    elif isinstance(target, str) and target in known:
        variable = known[target]
    elif isinstance(target, str):
        yield from _of_scope(source, target, scope, known, shapes, prefix)
        return
    else:
        raise TypeError(f"Expected a variable, a name or a scope, got {target!r}")
    if source not in shapes:
        raise ValueError(
            f"Tensor {source} is not found in {prefix} checkpoint {shapes}"
        )
    yield source, variable


def _of_scope(source, target, scope, known, shapes, prefix):
    scopes = source == "/" or source.endswith("/")
    if not scopes or not target.endswith("/"):
        raise ValueError(
            f"Assignment map with scope only name {target} should map to scope only "
            f"{source}. Should be 'scope/': 'other_scope/'."
        )
    start = "" if source == "/" else source
    inside = "" if target == "/" else target
    found = [name for name in known if name.startswith(inside)]
    if not found and scope:  # then it is one in the current scope
        inside = f"{scope}/{inside}"
        found = [name for name in known if name.startswith(inside)]
    if not found:
        logging.warning("No variables are in the scope %r, which was to begin with %r; "
                        "there are %s", inside, source, sorted(known))  # fmt: skip
    for name in found:
        there = start + name[len(inside) :]
        if there not in shapes:
            raise ValueError(
                f"Tensor {there} ({start} in {target}) is not found in {prefix} "
                "checkpoint"
            )
        yield there, known[name]


def _start_from(variable, name, shape, prefix):
    """Let the initialiser of a variable restore `name`."""
    if not variable.shape.is_compatible_with(shape):
        raise ValueError(
            f"Shape of variable {variable.name} ({variable.shape}) doesn't match "
            f"with shape of tensor {name} ({shape}) from checkpoint reader."
        )

    def value():
        return restore_v2(prefix, [name], [""], [variable.dtype.base_dtype])[0]

    _start_with(variable, value)
    logging.info("Initialize variable %s from checkpoint %s with %s",
                 variable.name, prefix, name)  # fmt: skip


def _start_with(variable, make):
    """Let the initialiser of a variable assign what `make()` gives."""
    with variable.graph.as_default(), name_scope("checkpoint_initializer"):
        value = make()
        value.set_shape(variable.shape)
        started = assign(variable, value)
    variable._initializer_op = getattr(started, "op", started)
    variable._initial_value = value


def warm_start(
    ckpt_to_initialize_from: Path, vars_to_warm_start: Any = ".*",
    var_name_to_vocab_info: Any = None, var_name_to_prev_var_name: Any = None,
) -> None:  # fmt: skip
    """Let trainable variables start with the values of a checkpoint.

    Args:
        ckpt_to_initialize_from: a prefix or a folder.
        vars_to_warm_start: a regular expression of names, a list of variables or of
            names; None: only trainable ones that `var_name_to_vocab_info` names.
        var_name_to_vocab_info: dict from names to the VocabInfo of those whose rows or
            columns are words; each word takes its old values along.
        var_name_to_prev_var_name: dict from names to those in the checkpoint.
    Raises:
        ValueError: a name is not in the checkpoint, or not among the variables.
    Example:
        with tf.Graph().as_default(), tf.Session() as sess:
            v = tf.get_variable("v", initializer=[1., 2.])
            sess.run(v.initializer)
            tf.train.Saver().save(sess, "./model")
        v = tf.get_variable("v", [2])
        tf.train.warm_start("./model")
        with tf.Session() as sess:
            sess.run(v.initializer)
            sess.run(v)  # [1., 2.]
    """
    before = var_name_to_prev_var_name or {}
    vocabularies = var_name_to_vocab_info or {}
    chosen = {saved_name(v): v for v in _chosen(vars_to_warm_start)}
    together: dict = {}  # from names in the checkpoint to variables
    _check_used("var_name_to_prev_var_name", before, chosen)
    _check_used("var_name_to_vocab_info", vocabularies, chosen)
    for name, variable in chosen.items():
        there = before.get(name) or name
        if name in vocabularies:
            shape, vocab = variable.shape.as_list(), vocabularies[name]
            prefix = _prefix(ckpt_to_initialize_from)
            make = functools.partial(remapped, shape, prefix, there, vocab)
            _start_with(variable, make)
        elif vars_to_warm_start and (
            together.setdefault(there, variable) is not variable
        ):
            init_from_checkpoint(ckpt_to_initialize_from, {there: variable})
    if together:
        init_from_checkpoint(ckpt_to_initialize_from, together)


def _check_used(argument, names, chosen):
    """Refuse names that no variable has: they are misspelt."""
    unused = set(names) - set(chosen)
    if unused:
        raise ValueError(
            f"You provided the following variables in {argument} that were not used: "
            f"{unused}.  Perhaps you misspelled them?  Here is the list of viable "
            f"variable names: {list(chosen)}"
        )


def _chosen(wanted):
    trainable = get_collection(GraphKeys.TRAINABLE_VARIABLES)
    if wanted is None:
        return trainable
    if isinstance(wanted, str):
        return [v for v in trainable if re.match(wanted, saved_name(v))]
    if all(isinstance(v, str) for v in wanted):
        everything = get_collection(GraphKeys.GLOBAL_VARIABLES)
        return [
            v for v in everything
            if any(re.match(text, saved_name(v)) for text in wanted)
        ]  # fmt: skip
    return list(wanted)
