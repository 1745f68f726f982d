"""Operations and tensors of a graph by name, by filter, and by walks."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from twinflow.contrib.graph_editor.elements import (
    ControlOutputs,
    Users,
    concatenate_unique,
    get_consuming_ops,
    get_generating_ops,
    get_unique_graph,
    inputs_of,
    is_iterable,
    make_list_of_op,
    make_list_of_t,
    results_inside,
)
from twinflow.graph.graph import Graph
from twinflow.graph.node import GraphTensor, Node


# ------------------------------------------------------------------------ by name
def can_be_regex(obj: Any) -> bool:
    """Whether something is a string or a compiled regular expression."""
    return isinstance(obj, str | re.Pattern)


def make_regex(obj: Any) -> re.Pattern[str]:
    """A compiled regular expression.

    Raises:
        ValueError: it is neither a string nor one.
    """
    if not can_be_regex(obj):
        raise ValueError(f"Expected a string or a regex, got: {type(obj)}")
    return re.compile(obj)


def _get_input_ts(ops: Any) -> list:
    """The inputs of operations, each once."""
    found: dict = {}
    for op in make_list_of_op(ops):
        found.update(dict.fromkeys(inputs_of(op)))
    return list(found)


def _get_output_ts(ops: Any) -> list:
    return [t for op in make_list_of_op(ops) for t in op.outputs]


def filter_ts(ops: Any, positive_filter: Any) -> list[Any]:
    """The inputs and outputs of operations that a function says yes to.

    Args:
        ops: operations, or a graph. positive_filter: the function; True for all.
    """
    found = concatenate_unique(_get_input_ts(ops), _get_output_ts(ops))
    return found if positive_filter is True else list(filter(positive_filter, found))


def filter_ts_from_regex(ops: Any, regex: Any) -> list[Any]:
    r"""The inputs and outputs of operations whose names match, as "^foo/.*:\d+$"."""
    found = make_regex(regex)
    return filter_ts(ops, lambda t: found.search(t.name))


def filter_ops(ops: Any, positive_filter: Any) -> list[Any]:
    """The operations that a function says yes to.

    Args:
        ops: operations, or a graph. positive_filter: the function; True for all.
    """
    found = make_list_of_op(ops)
    return found if positive_filter is True else list(filter(positive_filter, found))


def filter_ops_from_regex(ops: Any, regex: Any) -> list[Any]:
    """The operations whose names match, as "^foo(/.*)?$"."""
    found = make_regex(regex)
    return filter_ops(ops, lambda op: found.search(op.name))


def get_name_scope_ops(ops: Any, scope: str) -> list[Any]:
    """The operations in a name scope.

    Args:
        ops: operations, or a graph. scope: its name.
    """
    return filter_ops_from_regex(ops, f"^{scope.removesuffix('/')}(/.*)?$")


# ------------------------------------------------------------------------ neighbours
def check_cios(
    control_inputs: Any = False, control_outputs: Any = None, control_ios: Any = None
) -> tuple[Any, ...]:
    """Which control edges are followed.

    Args:
        control_inputs: whether those backwards are. control_outputs: a ControlOutputs
            for those forwards. control_ios: one for both.
    Returns:
        `(control_inputs, control_outputs)`.
    Raises:
        TypeError: what should be a ControlOutputs is none.
        ValueError: both kinds of them are given.
    """
    for given in (control_ios, control_outputs):
        if given is not None and not isinstance(given, ControlOutputs):
            raise TypeError(f"Expected a util.ControlOutputs, got: {type(given)}")
    if control_ios is not None:
        if control_outputs is not None:
            raise ValueError("control_outputs should be None when using control_ios.")
        control_inputs, control_outputs = True, control_ios
    if control_outputs is not None:
        control_outputs.update()
    return control_inputs, control_outputs


def get_ops_ios(
    ops: Any, control_inputs: Any = False, control_outputs: Any = None,
    control_ios: Any = None,
) -> list[Any]:  # fmt: skip
    """The operations beside some: what they use, and what uses them.

    Args:
        ops: operations. control_inputs, control_outputs, control_ios: see `check_cios`.
    """
    back, forward = check_cios(control_inputs, control_outputs, control_ios)
    ops = make_list_of_op(ops)
    return _beside(ops, _users(ops), back, forward)


def _users(ops: Any) -> Users:
    return Users(get_unique_graph(ops, none_if_empty=True))


def _beside(ops: Iterable, users: Users, back: Any, forward: Any) -> list:
    found: dict = {}
    for op in ops:
        found.update(dict.fromkeys(_before(op, (), back)))
        found.update(dict.fromkeys(_behind(op, users, (), forward)))
    return list(found)


def _before(op: Node, stop: Any, control: Any) -> list:
    found = [t.op for t in (*inputs_of(op), *results_inside(op)) if t not in stop]
    return found + (list(op.control_inputs) if control else [])


def _behind(op: Node, users: Users, stop: Any, control: Any) -> list:
    found = [user for t in op.outputs if t not in stop for user in users.of(t)]
    if op.region is not None and op.region.owner is not None:
        found.append(op.region.owner)
    return found + (list(control.get(op)) if control is not None else [])


def compute_boundary_ts(ops: Any) -> tuple[list[Any], list[Any], list[Any]]:
    """What goes into a set of operations, what comes out, and what stays inside.

    Args:
        ops: operations. What is used inside and outside is in two of the lists.
    Returns:
        Three lists of tensors.
    """
    ops = make_list_of_op(ops)
    users, inside = _users(ops), frozenset(ops)
    inputs, outputs = _get_input_ts(ops), _get_output_ts(ops)
    made = frozenset(outputs)
    given = (t for op in ops for t in results_inside(op) if t in made)
    within = concatenate_unique([t for t in inputs if t in made], given)
    hidden = {t for t in within if inside.issuperset(users.of(t))}
    outside_inputs = [t for t in inputs if t not in made]
    return outside_inputs, [t for t in outputs if t not in hidden], within


def get_within_boundary_ops(
    ops: Any, seed_ops: Any, boundary_ops: Any = (), inclusive: bool = True,
    control_inputs: Any = False, control_outputs: Any = None, control_ios: Any = None,
) -> list[Any]:  # fmt: skip
    """The operations that can be reached, both ways, without crossing a boundary.

    Args:
        ops: those to choose from. seed_ops: where it begins. boundary_ops: where it
            ends. inclusive: whether the boundary belongs to it.
        control_inputs, control_outputs, control_ios: see `check_cios`.
    Raises:
        ValueError: a seed lies on the boundary.
    """
    back, forward = check_cios(control_inputs, control_outputs, control_ios)
    seeds = make_list_of_op(seed_ops, allow_graph=False)
    boundary, found = set(make_list_of_op(boundary_ops)), set(seeds)
    if boundary & found:
        raise ValueError("Boundary is intersecting with the seeds.")
    users, wave = _users(seeds), found
    while wave:
        near = set(_beside(wave, users, back, forward)) - found
        wave = near - boundary
        found |= near if inclusive else wave
    return [op for op in make_list_of_op(ops) if op in found]


# ------------------------------------------------------------------------ walks
def get_forward_walk_ops(
    seed_ops: Any, inclusive: bool = True, within_ops: Any = None,
    within_ops_fn: Callable[..., Any] | None = None, stop_at_ts: Any = (),
    control_outputs: Any = None,
) -> list[Any]:  # fmt: skip
    """The operations that use what some compute, directly or not.

    Args:
        seed_ops: operations; or tensors, for those that use them.
        inclusive: whether these belong to it. within_ops: others are not entered.
        within_ops_fn: neither are those that this function says no to.
        stop_at_ts: tensors that are not followed.
        control_outputs: a ControlOutputs, to follow these edges too.
    Example:
        x = tf.placeholder(tf.float32)
        y = tf.exp(tf.square(x))
        ops = tf.contrib.graph_editor.get_forward_walk_ops([x])
        [op.name for op in ops] == ["Square", "Exp"]  # True
    """
    _, control = check_cios(False, control_outputs)
    seeds = _seeds(seed_ops, get_consuming_ops)
    stop = frozenset(make_list_of_t(stop_at_ts))
    users = _users(seeds)
    allowed = _allowed(within_ops, within_ops_fn)
    seeds = _inside(seeds, within_ops)
    found = _walk(seeds, lambda op: _behind(op, users, stop, control), allowed)
    return found if inclusive else [op for op in found if op not in seeds]


def get_backward_walk_ops(
    seed_ops: Any, inclusive: bool = True, within_ops: Any = None,
    within_ops_fn: Callable[..., Any] | None = None, stop_at_ts: Any = (),
    control_inputs: Any = False,
) -> list[Any]:  # fmt: skip
    """The operations that some need, directly or not.

    Args:
        seed_ops: operations; or tensors, for those that compute them.
        control_inputs: whether these edges are followed too.
        inclusive, within_ops, within_ops_fn, stop_at_ts: see `get_forward_walk_ops`.
    """
    seeds = _inside(_seeds(seed_ops, get_generating_ops), within_ops)
    stop = frozenset(make_list_of_t(stop_at_ts))
    allowed = _allowed(within_ops, within_ops_fn)
    found = _walk(seeds, lambda op: _before(op, stop, control_inputs), allowed)
    return found if inclusive else [op for op in found if op not in seeds]


def _seeds(seeds: Any, of_tensors: Callable) -> list:
    seeds = list(seeds) if is_iterable(seeds) else [seeds]
    if seeds and isinstance(seeds[0], GraphTensor):
        return list(dict.fromkeys(of_tensors(seeds)))
    return list(dict.fromkeys(make_list_of_op(seeds, allow_graph=False)))


def _inside(seeds: list, within: Any) -> list:
    if not within:
        return seeds
    allowed = frozenset(make_list_of_op(within, allow_graph=False))
    return [op for op in seeds if op in allowed]


def _allowed(within: Any, function: Any) -> Callable[[Node], bool]:
    ops = frozenset(make_list_of_op(within, allow_graph=False)) if within else None
    return lambda op: (ops is None or op in ops) and (not function or function(op))


def _walk(seeds: list, step: Callable, allowed: Callable) -> list:
    found, wave = dict.fromkeys(seeds), seeds
    while wave:
        near = dict.fromkeys(n for op in wave for n in step(op))
        wave = [op for op in near if op not in found and allowed(op)]
        found.update(dict.fromkeys(wave))
    return list(found)


def _both_walks(
    forward: Any, backward: Any, inclusive: tuple, within: dict, edges: tuple
) -> tuple[list, list]:
    first, second = inclusive
    return (
        get_forward_walk_ops(forward, first, **within, control_outputs=edges[1]),
        get_backward_walk_ops(backward, second, **within, control_inputs=edges[0]),
    )


def get_walks_intersection_ops(
    forward_seed_ops: Any, backward_seed_ops: Any, forward_inclusive: bool = True,
    backward_inclusive: bool = True, within_ops: Any = None,
    within_ops_fn: Callable[..., Any] | None = None, control_inputs: Any = False,
    control_outputs: Any = None, control_ios: Any = None,
) -> list[Any]:  # fmt: skip
    """The operations between some and others: behind the ones, before the others.

    Args:
        forward_seed_ops, forward_inclusive, control_outputs: see
            `get_forward_walk_ops`.
        backward_seed_ops, backward_inclusive, control_inputs: see
            `get_backward_walk_ops`.
        within_ops, within_ops_fn: of both. control_ios: see `check_cios`.
    """
    pairs = forward_inclusive, backward_inclusive
    within = {"within_ops": within_ops, "within_ops_fn": within_ops_fn}
    edges = check_cios(control_inputs, control_outputs, control_ios)
    walks = _both_walks(forward_seed_ops, backward_seed_ops, pairs, within, edges)
    known = set(walks[1])
    return [op for op in walks[0] if op in known]


def get_walks_union_ops(
    forward_seed_ops: Any, backward_seed_ops: Any, forward_inclusive: bool = True,
    backward_inclusive: bool = True, within_ops: Any = None,
    within_ops_fn: Callable[..., Any] | None = None, control_inputs: Any = False,
    control_outputs: Any = None, control_ios: Any = None,
) -> list[Any]:  # fmt: skip
    """The operations behind some, and those before others.

    Args:
        forward_seed_ops, forward_inclusive, control_outputs: see
            `get_forward_walk_ops`.
        backward_seed_ops, backward_inclusive, control_inputs: see
            `get_backward_walk_ops`.
        within_ops, within_ops_fn: of both. control_ios: see `check_cios`.
    """
    pairs = forward_inclusive, backward_inclusive
    within = {"within_ops": within_ops, "within_ops_fn": within_ops_fn}
    edges = check_cios(control_inputs, control_outputs, control_ios)
    walks = _both_walks(forward_seed_ops, backward_seed_ops, pairs, within, edges)
    return concatenate_unique(*walks)


# ------------------------------------------------------------------------ by all means
def select_ops(*args: Any, **kwargs: Any) -> list[Any]:
    """Operations by regular expressions, or as they are.

    Args:
        args: regular expressions, operations and lists of them; tensors are left out,
            and so are expressions that start with "(?#ts)".
        graph: where expressions look. positive_filter: a function that says which.
        restrict_ops_regex: take expressions only if they start with "(?#ops)".
    Raises:
        TypeError: an argument is none of these. ValueError: an expression without a
            graph, or an unknown keyword.
    Example:
        x = tf.placeholder(tf.float32, name="x")
        graph = tf.get_default_graph()
        tf.contrib.graph_editor.select_ops("^x$", graph=graph) == [x.op]  # True
    """
    return _selected(args, kwargs, filter_ops_from_regex, make_list_of_op, "ops", "ts")


def select_ts(*args: Any, **kwargs: Any) -> list[Any]:
    """Tensors by regular expressions, or as they are.

    Args:
        args: regular expressions, tensors and lists of them; operations are left out,
            and so are expressions that start with "(?#ops)".
        graph: where expressions look. positive_filter: a function that says which.
        restrict_ts_regex: take expressions only if they start with "(?#ts)".
    Raises:
        TypeError: an argument is none of these. ValueError: an expression without a
            graph, or an unknown keyword.
    """
    return _selected(args, kwargs, filter_ts_from_regex, make_list_of_t, "ts", "ops")


_KEYWORDS = ("graph", "positive_filter", "restrict_ops_regex", "restrict_ts_regex")


def _selected(
    args: Any, kwargs: dict, by_regex: Callable, listed: Callable, own: str, other: str
) -> list:
    for key in kwargs:
        if key not in _KEYWORDS:
            raise ValueError(f"Wrong keywords argument: {key}.")
    graph, wanted = kwargs.get("graph"), kwargs.get("positive_filter")
    if graph is not None and not isinstance(graph, Graph):
        raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
    found: list = []
    for arg in args:
        if not can_be_regex(arg):
            chosen = listed(arg, **{f"ignore_{other}": True})
        elif graph is None:
            raise ValueError("Use the keyword argument 'graph' to use regex.")
        else:
            regex = make_regex(arg)
            marked = regex.pattern.startswith(f"(?#{own})")
            only = kwargs.get(f"restrict_{own}_regex") and not marked
            if only or regex.pattern.startswith(f"(?#{other})"):
                continue
            chosen = by_regex(graph, regex)
        concatenate_unique(found, filter(wanted, chosen) if wanted else chosen)
    return found


def select_ops_and_ts(*args: Any, **kwargs: Any) -> tuple[list[Any], list[Any]]:
    """Operations and tensors by regular expressions, or as they are.

    Args:
        args: regular expressions (those for tensors start with "(?#ts)"), operations,
            tensors and lists of them.
        graph, positive_filter: see `select_ops`.
    Returns:
        A list of operations and one of tensors.
    """
    ops = select_ops(*args, restrict_ops_regex=False, **kwargs)
    return ops, select_ts(*args, restrict_ts_regex=True, **kwargs)
