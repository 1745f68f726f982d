"""Variables by name, scope and collection, for tf.contrib.framework and slim."""

import re
from typing import Any

from twinflow.base import dtypes, logging
from twinflow.checkpoint.reader import load_checkpoint
from twinflow.checkpoint.saver import Saver
from twinflow.contrib.framework.argument_scopes import add_arg_scope
from twinflow.graph.scopes import (
    add_to_collection,
    get_collection,
    group,
)
from twinflow.graph.variable_scope import get_variable
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.partitioned import each_part
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.kinds import Variable
from twinflow.ops.variables.state import assign
from twinflow.train.training_util import assert_global_step, get_global_step


def get_variables(
    scope: Any = None, suffix: Any = None, collection: Any = GraphKeys.GLOBAL_VARIABLES
) -> Any:
    """The variables of a collection.

    Args:
        scope: a pattern of the beginning of names, or a VariableScope.
        suffix: the end of their names.
    """
    scope = getattr(scope, "name", scope)
    if suffix is not None:
        suffix = suffix if ":" in suffix else f"{suffix}:0"
        scope = f"{scope or ''}.*{re.escape(suffix)}$"
    return get_collection(collection, scope)


def get_model_variables(scope: Any = None, suffix: Any = None) -> Any:
    """The variables of models."""
    return get_variables(scope, suffix, GraphKeys.MODEL_VARIABLES)


def get_local_variables(scope: Any = None, suffix: Any = None) -> Any:
    """The local variables."""
    return get_variables(scope, suffix, GraphKeys.LOCAL_VARIABLES)


def get_trainable_variables(scope: Any = None, suffix: Any = None) -> Any:
    """The variables that optimizers change."""
    return get_variables(scope, suffix, GraphKeys.TRAINABLE_VARIABLES)


def get_variables_to_restore(include: Any = None, exclude: Any = None) -> Any:
    """The global variables in the scopes `include`, less those in `exclude`.

    Args:
        include, exclude: lists of scopes; all, and none, if not given.
    """
    for scopes, word in ((include, "include"), (exclude, "exclude")):
        if scopes is not None and not isinstance(scopes, list | tuple):
            raise TypeError(f"{word} is provided but is not a list or a tuple.")
    wanted = [v for scope in include or [None] for v in get_variables(scope)]
    left_out = {id(v) for scope in exclude or () for v in get_variables(scope)}
    return [v for v in wanted if id(v) not in left_out]


def get_variables_by_suffix(suffix: Any, scope: Any = None) -> Any:
    """The global variables whose names end so."""
    return get_variables(scope, suffix)


def get_variables_by_name(given_name: Any, scope: Any = None) -> Any:
    """The global variables in some scope whose last part of the name is this."""
    return get_variables(scope, f"/{given_name}:0")


def get_unique_variable(var_op_name: Any) -> Any:
    """The one global variable of this full name.

    Raises:
        ValueError: there is none, or several begin so and none is called so.
    """
    candidates = get_variables(scope=var_op_name)
    if not candidates:
        raise ValueError(f"Couldn't find variable {var_op_name}")
    for candidate in candidates:
        if candidate.op.name == var_op_name:
            return candidate
    raise ValueError(f"Variable {var_op_name} does not uniquely identify a variable")


def get_variable_full_name(var: Any) -> Any:
    """The name of a variable without ":0"."""
    return var.op.name


def filter_variables(
    var_list: Any, include_patterns: Any = None, exclude_patterns: Any = None,
    reg_search: bool = True,
) -> Any:  # fmt: skip
    """The variables whose names match one pattern and none of the others.

    Args:
        reg_search: find patterns anywhere, not only at the beginning.
    """
    found = re.search if reg_search else re.match

    def matches(v, patterns):
        return any(found(p, v.op.name) for p in patterns)

    return [
        v
        for v in var_list
        if (not include_patterns or matches(v, include_patterns))
        and not (exclude_patterns and matches(v, exclude_patterns))
    ]


def add_model_variable(var: Any) -> Any:
    """Note a variable, or the parts of one, as one of a model."""
    noted = get_collection(GraphKeys.MODEL_VARIABLES)
    for part in each_part(var):
        if part not in noted:
            add_to_collection(GraphKeys.MODEL_VARIABLES, part)


def assert_or_get_global_step(graph: Any = None, global_step_tensor: Any = None) -> Any:
    """The global step that is given, after a check, or that of the graph."""
    if global_step_tensor is None:
        return get_global_step(graph)
    assert_global_step(global_step_tensor)
    return global_step_tensor


@add_arg_scope
def variable(
    name: Any, shape: Any = None, dtype: Any = None, initializer: Any = None,
    regularizer: Any = None, trainable: bool = True, collections: Any = None,
    caching_device: Any = None, device: Any = None, partitioner: Any = None,
    custom_getter: Any = None, use_resource: Any = None, synchronization: Any = None,
    aggregation: Any = None,
) -> Any:  # fmt: skip
    """As tf.get_variable; `device` is accepted.

    Args:
        collections: those of the variable; the global ones if not given.
    """
    getter = custom_getter or get_variable
    where = [GraphKeys.GLOBAL_VARIABLES] if collections is None else collections
    where = list(dict.fromkeys(where))
    return getter(
        name, shape=shape, dtype=dtype or dtypes.float32, initializer=initializer,
        regularizer=regularizer, trainable=trainable, collections=where,
        use_resource=use_resource,
    )  # fmt: skip


@add_arg_scope
def model_variable(
    name: Any, *args: Any, collections: Any = None, **kwargs: Any
) -> Any:
    """As `variable`, noted as one of a model."""
    where = list(collections or [])
    where += [GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES]
    made = variable(name, *args, collections=where, **kwargs)
    add_model_variable(made)
    return made


def local_variable(
    initial_value: Any, validate_shape: bool = True, name: str | None = None,
    use_resource: Any = None,
) -> Any:  # fmt: skip
    """A local variable, which no checkpoint holds."""
    where = GraphKeys.LOCAL_VARIABLES
    return _plain(initial_value, name, where, validate_shape, use_resource)


def global_variable(
    initial_value: Any, validate_shape: bool = True, name: str | None = None,
    use_resource: Any = None,
) -> Any:  # fmt: skip
    """A global variable that is not trained."""
    where = GraphKeys.GLOBAL_VARIABLES
    return _plain(initial_value, name, where, validate_shape, use_resource)


def _plain(initial_value, name, collection, validate_shape, use_resource):
    return Variable(
        initial_value, trainable=False, collections=[collection], name=name,
        validate_shape=validate_shape, use_resource=use_resource,
    )  # fmt: skip


def assign_from_values(var_names_to_values: Any) -> Any:
    """The op that gives variables these values, and what to feed to it.

    Args:
        var_names_to_values: {full name: array}.
    Returns:
        (an op, {placeholder: array})
    """
    feed, ops = {}, []
    for name, value in var_names_to_values.items():
        var = get_unique_variable(name)
        given = placeholder(var.dtype.base_dtype, value.shape, name="ph")
        ops.append(assign(var, given))
        feed[given] = value
    return group(*ops), feed


def assign_from_values_fn(var_names_to_values: Any) -> Any:
    """A function of a session that gives variables these values."""
    op, feed = assign_from_values(var_names_to_values)
    return lambda session: session.run(op, feed)


def _by_name(var_list):
    """{name in a checkpoint: variables} of a list, or of a dict of these."""
    found: dict = {}
    if isinstance(var_list, list | tuple):
        for v in var_list:
            found.setdefault(get_variable_full_name(v), []).append(v)
        return found
    for name, value in var_list.items():
        found[name] = list(value) if isinstance(value, list | tuple) else [value]
    return found


def assign_from_checkpoint(
    model_path: Any, var_list: Any, ignore_missing_vars: bool = False
) -> Any:
    """The op that gives variables values of a checkpoint, and what to feed to it.

    Args:
        model_path: the path of a checkpoint, read at once.
        var_list: variables, or {name in the checkpoint: variable or list of these}.
        ignore_missing_vars: leave out, with a warning, what the checkpoint lacks.
    Returns:
        (an op, {placeholder: array})
    Raises:
        ValueError: the checkpoint lacks a variable, or has one of another shape.
    """
    reader, feed, ops = load_checkpoint(model_path), {}, []
    for name, variables in _by_name(var_list).items():
        if not reader.has_tensor(name):
            text = f"Checkpoint is missing variable [{name}]"
            if not ignore_missing_vars:
                raise ValueError(text)
            logging.warning(text)
            continue
        value = reader.get_tensor(name)
        for v in variables:
            if tuple(v.shape.as_list()) != value.shape:
                raise ValueError(
                    f"Total size of new array must be unchanged for {name} lh_shape: "
                    f"[{value.shape}], rh_shape: [{v.shape}]"
                )
            given = placeholder(v.dtype.base_dtype, v.shape, f"placeholder/{v.op.name}")
            ops.append(v.assign(given))
            feed[given] = value
    return group(*ops), feed


def assign_from_checkpoint_fn(
    model_path: Any, var_list: Any, ignore_missing_vars: bool = False,
    reshape_variables: bool = False,
) -> Any:  # fmt: skip
    """A function of a session that gives variables values of a checkpoint.

    Args:
        model_path: the path of a checkpoint.
        var_list: variables, or {name in the checkpoint: variable}.
        ignore_missing_vars: leave out, with a warning, what the checkpoint lacks.
        reshape_variables: take values of another shape and the same size.
    Returns:
        The function; None, with a warning, if there is nothing to restore.
    Example:
        slim = tf.contrib.slim
        w = tf.get_variable("w", initializer=1.0)
        sess = tf.Session()
        sess.run(w.initializer)
        path = tf.train.Saver().save(sess, "./model")
        init_fn = slim.assign_from_checkpoint_fn(path, slim.get_variables_to_restore())
        sess.run(w.assign(2.0))
        init_fn(sess)
        sess.run(w)  # 1.0
    """
    if ignore_missing_vars:
        named = isinstance(var_list, dict)
        pairs = var_list if named else {v.op.name: v for v in var_list}
        reader = load_checkpoint(model_path)
        for name in [n for n in pairs if not reader.has_tensor(n)]:
            logging.warning(f"Variable {name} missing in checkpoint {model_path}")
        var_list = {n: v for n, v in pairs.items() if reader.has_tensor(n)}
    if not var_list:
        logging.warning("No Variables to restore")
        return None
    saver = Saver(var_list, reshape=reshape_variables)
    return lambda session: saver.restore(session, model_path)
