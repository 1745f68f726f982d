"""What TensorFlow's test files take from test_util, googletest and tf_inspect."""

import contextlib
import functools
import inspect
import itertools
import pkgutil
from typing import NamedTuple

from twinflow.graph.defaults import enable_eager_execution


def unchanged(function=None, *args, **kwargs):
    """A decorator that leaves tests as they are, with or without arguments."""
    return function if callable(function) else unchanged


def with_control_flow_v2(cls):
    """A decorator of classes: each test stands under a second name, ...ControlFlowV2.

    twinflow has one kind of control flow, so that both run the same.
    """
    for name, value in list(vars(cls).items()):
        is_test = callable(value) and name.startswith("test")
        if is_test and not getattr(value, "_only_first_version", False):
            setattr(cls, name + "WithControlFlowV2", value)
    return cls


def left_out(reason="not for twinflow"):
    """A decorator of tests that `with_control_flow_v2` does not run twice."""

    def decorate(function):
        function._only_first_version = True
        return function

    return decorate


def is_false(*args, **kwargs):
    """No: twinflow has no kernels of this kind."""
    return False


def no_device(*args, **kwargs):
    """A block without a device of its own."""
    return contextlib.nullcontext()


def nothing(*args, **kwargs):
    """There is nothing to do."""


def eager_main(argv=None):
    """Run the tests of the program eagerly."""
    enable_eager_execution()
    pkgutil.resolve_name("twinflow.test:main")(argv)


def skip_if(condition):
    """A decorator: the test runs only where `condition` (or its result) is false."""

    def decorate(function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            if not (condition() if callable(condition) else condition):
                function(*args, **kwargs)

        return wrapped

    return decorate


def nhwc_to_nchw(shape):
    """A shape of 4 or 5 sizes with the channels moved behind the batch."""
    return [shape[0], shape[-1], *shape[1:-1]]


def nchw_to_nhwc(shape):
    """A shape of 4 or 5 sizes with the channels moved to the end."""
    return [shape[0], *shape[2:], shape[1]]


def getargspec(function):
    """The arguments of a function, as Python 2 had them."""
    full = inspect.getfullargspec(function)
    return ArgSpec(full.args, full.varargs, full.varkw, full.defaults)


class ArgSpec(NamedTuple):
    """The arguments of a function."""

    args: list[str]
    varargs: str | None
    keywords: str | None
    defaults: tuple | None


def vect_to_nhwc(shape):
    """The NHWC shape of one in blocks: N, C/4, H, W, 4."""
    n, c, h, w, four = _vect(shape, 5)
    return [n, h, w, c * four]


def nhwc_to_vect(shape):
    """The shape in blocks (N, C/4, H, W, 4) of an NHWC one.

    Raises:
        ValueError: the channels cannot be divided by 4.
    """
    n, h, w, c = _vect(shape, 4)
    if c % 4:
        raise ValueError(
            f"NHWC to NCHW_VECT_C requires channels to be a multiple of 4, not {c}."
        )
    return [n, c // 4, h, w, 4]


def _vect(shape, size):
    if len(shape) != size:
        raise ValueError(f"Expected a shape of {size} sizes, but got {shape}.")
    return shape


def assert_ops_in_graph(expected_ops, graph):
    """The nodes of a graph that have these names and types.

    Args:
        expected_ops: {name: type}.
    Returns:
        {name: NodeDef}
    Raises:
        ValueError: one is missing, or of another type.
    """
    found = {node.name: node for node in graph.as_graph_def().node}
    found = {name: node for name, node in found.items() if name in expected_ops}
    if found.keys() != expected_ops.keys():
        raise ValueError(f"Not all expected ops are present. Expected {expected_ops}")
    for name, kind in expected_ops.items():
        if found[name].op != kind:
            raise ValueError(f"Expected op for node {name} is different. {kind}")
    return found


def get_node_def_from_graph(node_name, graph_def):
    """The NodeDef of a name, or None."""
    return next((n for n in graph_def.node if n.name == node_name), None)


def set_producer_version(graph, producer_version):
    """Let a graph be one of an older producer."""
    graph.producer = producer_version


def generate_combinations_with_testcase_name(**kwargs):
    """All combinations of the values, each a dict with a name for parameterized tests.

    Example:
        generate_combinations_with_testcase_name(mode=["graph", "eager"], n=[1, 2])
    """
    found = []
    keys = list(kwargs)[::-1]
    keys.sort(key=lambda key: key[0])  # the order of 1.12's names
    for values in itertools.product(*(kwargs[key] for key in keys)):
        case = dict(zip(keys, values))
        name = "".join(
            f"_{''.join(filter(str.isalnum, key))}_"
            f"{''.join(filter(str.isalnum, str(value)))}"
            for key, value in case.items()
        )
        found.append({**case, "testcase_name": f"_test{name}"})
    return found
