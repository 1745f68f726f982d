"""Variables that start with the values of a checkpoint."""

import functools
from typing import Any

from twinflow.base import files, logging
from twinflow.base.annotations import Path
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import ResourceHandle
from twinflow.checkpoint.reader import load_checkpoint
from twinflow.checkpoint.state import latest_checkpoint
from twinflow.checkpoint.vocabularies import VocabInfo, remapped
from twinflow.graph.scopes import name_scope
from twinflow.graph.variable_scope import get_variable_scope
from twinflow.ops.core.partitioned import parts_of, saved_name
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
    known = _by_name(get_collection(GraphKeys.GLOBAL_VARIABLES))
    for source, target in sorted(assignment_map.items(), key=lambda pair: pair[0]):
        for name, parts in _pairs(source, target, known, shapes, prefix):
            _start_from(parts, name, shapes[name], prefix)


def _by_name(variables):
    """Lists of parts, by the names that checkpoints have for them."""
    found: dict = {}
    for variable in variables:
        found.setdefault(saved_name(variable), []).append(variable)
    return found


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
    """(name in the checkpoint, parts of a variable) of one entry of the map."""
    scope = get_variable_scope().name
    target = parts_of(target)
    if isinstance(target, ResourceHandle):
        parts = [target]
    elif _all_variables(target):
        parts = list(target)
    elif isinstance(target, str) and target in known:
        parts = known[target]
    elif isinstance(target, str):
        yield from _of_scope(source, target, scope, known, shapes, prefix)
        return
    else:
        raise TypeError(f"Expected a variable, a name or a scope, got {target!r}")
    if source not in shapes:
        raise ValueError(
            f"Tensor {source} is not found in {prefix} checkpoint {shapes}"
        )
    yield source, parts


def _all_variables(values):
    several = isinstance(values, list | tuple) and values
    return several and all(isinstance(v, ResourceHandle) for v in values)


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


def _start_from(parts, name, shape, prefix):
    """Let the initialisers of a variable's parts restore `name`."""
    for part in parts:
        info = part._get_save_slice_info()
        whole = part.shape if info is None else TensorShape(info.full_shape)
        if not whole.is_compatible_with(shape):
            raise ValueError(
                f"Shape of variable {part.name} ({whole}) doesn't match "
                f"with shape of tensor {name} ({shape}) from checkpoint reader."
            )
        spec = "" if info is None else info.spec
        dtype = part.dtype.base_dtype
        for copy in part.started_anew() if hasattr(part, "started_anew") else [part]:
            _start_with(copy, functools.partial(_restored, prefix, name, spec, dtype))
    logging.info("Initialize variable %s from checkpoint %s with %s",
                 ",".join(v.name for v in parts), prefix, name)  # fmt: skip


def _restored(prefix, name, spec, dtype):
    return restore_v2(prefix, [name], [spec], [dtype])[0]


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
    chosen = _get_grouped_variables(vars_to_warm_start)
    _check_used("var_name_to_prev_var_name", before, chosen)
    _check_used("var_name_to_vocab_info", vocabularies, chosen)
    prefix, plain = _prefix(ckpt_to_initialize_from), bool(vars_to_warm_start)
    together: dict = {}  # from names in the checkpoint to parts
    for name, parts in chosen.items():
        there = before.get(name) or name
        if name in vocabularies:
            _start_by_words(parts, vocabularies[name], prefix, there)
        elif plain and together.setdefault(there, parts) is not parts:
            init_from_checkpoint(prefix, {there: parts})
    if together:
        init_from_checkpoint(prefix, together)


def _start_by_words(parts, vocab, prefix, name):
    rows = sum(v.shape.as_list()[0] for v in parts)
    for part in parts:
        _start_with(part, functools.partial(remapped, part, rows, prefix, name, vocab))


def _warm_start_var(var, prev_ckpt, prev_tensor_name=None):
    """Let one variable, or its parts, start with a value of a checkpoint."""
    name = prev_tensor_name or _infer_var_name(var)
    init_from_checkpoint(prev_ckpt, {name: var})


def _warm_start_var_with_vocab(
    var, current_vocab_path, current_vocab_size, prev_ckpt, prev_vocab_path,
    previous_vocab_size=-1, current_oov_buckets=0, prev_tensor_name=None,
    initializer=None, axis=0,
):  # fmt: skip
    """The same by words; see VocabInfo."""
    name = prev_tensor_name or _infer_var_name(var)
    vocab = VocabInfo(
        current_vocab_path, current_vocab_size, current_oov_buckets, prev_vocab_path,
        previous_vocab_size, initializer, axis,
    )  # fmt: skip
    _start_by_words(_parts(var), vocab, _prefix(prev_ckpt), name)


def _parts(var):
    """The parts of a variable, which may be all of it."""
    parts = parts_of(var)
    parts = [parts] if isinstance(parts, ResourceHandle) else parts
    if _all_variables(parts):
        return list(parts)
    raise TypeError(
        "var MUST be one of the following: a Variable, list of Variable or "
        f"PartitionedVariable, but is {type(var)}"
    )


def _infer_var_name(var):
    """What checkpoints call a variable, whatever its parts are."""
    names = _by_name(_parts(var))
    if len(names) > 1:
        raise TypeError(f"`var` = {var} passed as arg violates the constraints.  ")
    return next(iter(names))


def _check_used(argument, names, chosen):
    """Refuse names that no variable has: they are misspelt."""
    unused = set(names) - set(chosen)
    if unused:
        raise ValueError(
            f"You provided the following variables in {argument} that were not used: "
            f"{unused}.  Perhaps you misspelled them?  Here is the list of viable "
            f"variable names: {list(chosen)}"
        )


def _get_grouped_variables(vars_to_warm_start):
    """Lists of parts of the variables that are meant, by name."""
    return _by_name(_chosen(vars_to_warm_start))


def _chosen(wanted):
    if wanted is None:
        return get_collection(GraphKeys.TRAINABLE_VARIABLES)
    if isinstance(wanted, str):
        return get_collection(GraphKeys.TRAINABLE_VARIABLES, scope=wanted)
    if not isinstance(wanted, list | tuple):
        raise ValueError(
            "`vars_to_warm_start must be a `list` or `str`.  Given type is "
            f"{type(wanted)}"
        )
    if all(isinstance(v, str) for v in wanted):
        where = GraphKeys.GLOBAL_VARIABLES
        found = [v for text in wanted for v in get_collection(where, scope=text)]
        return list(dict.fromkeys(found))
    if all(isinstance(v, ResourceHandle) for v in wanted):
        return list(wanted)
    raise ValueError(
        "If `vars_to_warm_start` is a list, it must be all `Variable` or all `str`.  "
        f"Given types are {[type(v) for v in wanted]}"
    )
