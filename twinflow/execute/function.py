"""Functions: a Python function traced into a graph, once per kind of arguments."""

import functools
import re
import weakref
from collections.abc import Mapping

import numpy as np

from twinflow.base import dispatch, dtypes, nest
from twinflow.base.convert import to_array
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.execute.call import call
from twinflow.graph.func_graph import FuncGraph
from twinflow.graph.node import Node
from twinflow.ops import array
from twinflow.ops.variable import ResourceVariable


class Function:
    """What `tf.function` and `tfe.defun` return: traces on the first call, then runs.

    Args:
        python_function: the function to trace.
        input_signature: TensorSpecs that fix the arguments, or None.
        name: the name in graphs and errors.
    """

    def __init__(self, python_function, input_signature=None, name=None, traces=None):
        self.python_function = python_function
        self.input_signature = _checked(input_signature)
        self.name = name or _name(python_function)
        self.traces: dict = {} if traces is None else traces
        self._methods: dict = {}  # from the id of an instance to its traces
        functools.update_wrapper(self, python_function)

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        traces = self._methods.get(id(instance))
        if traces is None:
            traces = self._methods[id(instance)] = {}
            weakref.finalize(instance, self._methods.pop, id(instance), None)
        bound = self.python_function.__get__(instance, owner)
        return Function(bound, self.input_signature, self.name, traces)

    def __call__(self, *args, **kwargs):
        key, tensors = self._key(args, kwargs)
        trace = self.traces.get(key)
        if trace is None:
            trace = self.traces[key] = self._traced(args, kwargs)
        return trace(tensors)

    def _traced(self, args, kwargs):
        return Trace(self, self.input_signature or args, kwargs)

    def _key(self, args, kwargs):
        mode = dispatch.current_mode()
        parts: list = [0 if mode.eager else mode]
        if self.input_signature is not None:
            return tuple(parts), _fitted(args, kwargs, self.input_signature)
        tensors: list = []
        _signature((args, kwargs), parts, tensors)
        return tuple(parts), tensors

    def trace(self, *args, **kwargs):
        """The Trace for these arguments, for looking at."""
        key, _ = self._key(args, kwargs)
        if key not in self.traces:
            self.traces[key] = self._traced(args, kwargs)
        return self.traces[key]


def _name(function):
    """A valid name for nodes."""
    found = re.sub(r"[^A-Za-z0-9_.]", "_", getattr(function, "__name__", "function"))
    return found.lstrip("_") or "function"


def _is_spec(value):
    plain = not isinstance(value, Tensor | ResourceVariable) and hasattr(value, "dtype")
    return plain and isinstance(getattr(value, "shape", None), TensorShape)


def _checked(signature):
    """An input_signature as a tuple of specs."""
    if signature is None:
        return None
    listed = isinstance(signature, list | tuple)
    if not listed or not all(map(_is_spec, nest.flatten(signature))):
        raise TypeError(
            f"Invalid input_signature {signature!r}; input_signature must be a possibly "
            "nested sequence of TensorSpec objects."
        )
    return tuple(signature)


def _fitted(args, kwargs, signature):
    """The arguments as tensors of the dtypes and shapes of an input_signature."""
    try:
        nest.assert_same_structure(signature, args, check_types=False)
    except (TypeError, ValueError):
        kwargs = kwargs or True
    if kwargs:
        raise ValueError(
            "Structure of Python function inputs does not match input_signature: got "
            f"{args!r}, expected {signature!r}, without keywords."
        )
    specs = nest.flatten(signature)
    tensors = [array.convert_to_tensor(a) for a in nest.flatten(args)]
    for t, spec in zip(tensors, specs, strict=True):
        if t.dtype is not spec.dtype or not spec.shape.is_compatible_with(t.shape):
            raise ValueError(
                "Python inputs incompatible with input_signature: got a "
                f"{t.dtype.name} tensor of shape {t.shape}, expected {spec!r}."
            )
    return tensors


def _signature(value, parts, tensors):
    """Collect what a trace depends on: kinds of tensors, values of the rest."""
    kind = type(value)
    if isinstance(value, Tensor):
        parts.append((value.dtype, value._shape))
        tensors.append(value)
    elif kind is np.ndarray or isinstance(value, np.generic):
        t = array.constant(value)
        parts.append((t.dtype, t._shape))
        tensors.append(t)
    elif kind in (tuple, list):
        parts.append((kind, len(value)))
        for v in value:
            _signature(v, parts, tensors)
    elif nest.is_sequence(value):
        keys, children = _children(value)
        parts.append((kind, keys))
        for v in children:
            _signature(v, parts, tensors)
    else:
        parts.append((kind, _hashable(value)))


def _children(value):
    """The keys and children of one level of a structure, in the order of nest."""
    if isinstance(value, Mapping):
        keys = tuple(sorted(value))
        return keys, [value[k] for k in keys]
    if hasattr(type(value), "__attrs_attrs__"):
        keys = tuple(a.name for a in type(value).__attrs_attrs__)
        return keys, [getattr(value, k) for k in keys]
    return len(value), value


def _hashable(value):
    if type(value) is float:
        return repr(value)  # -0.0 is not 0.0, and nan is nan
    if isinstance(value, ResourceVariable):
        return _Ref(value)
    try:
        hash(value)
    except TypeError:
        return _Ref(value)
    return value


class _Ref:
    """Identity of an object, without keeping it alive."""

    __slots__ = ("id", "ref")

    def __init__(self, value):
        self.id = id(value)
        try:
            self.ref = weakref.ref(value)
        except TypeError:
            self.ref = value

    def __hash__(self):
        return self.id

    def __eq__(self, other):
        return type(other) is _Ref and self.id == other.id and self.ref == other.ref


class Trace:
    """One traced form of a Function: a FuncGraph and how to call it."""

    def __init__(self, function, args, kwargs):
        outer = dispatch.current_mode()
        graph = self.graph = FuncGraph(function.name, outer)
        with dispatch.entered(graph):
            args, kwargs = _placeholders((args, kwargs), graph)
            result = function.python_function(*args, **kwargs)
            self._set_outputs(graph, result)

    def _set_outputs(self, graph, result):
        flat = nest.flatten(result)
        self.result = result if nest.is_sequence(result) else None
        self.kinds = []
        for r in flat:
            if r is None or isinstance(r, Node):
                self.kinds.append(None)
            else:
                self.kinds.append(len(graph.outputs))
                graph.outputs.append(graph.tensor(r))

    def __call__(self, tensors):
        outputs = call(self.graph, tensors)
        flat = [None if k is None else outputs[k] for k in self.kinds]
        if self.result is None:
            return flat[0]
        return nest.pack_sequence_as(self.result, flat)


def _placeholders(value, graph):
    """The arguments with a placeholder in place of each tensor or spec."""
    if isinstance(value, Tensor | np.ndarray | np.generic):
        if not isinstance(value, Tensor):
            value = array.constant(value) if dispatch.current_mode().eager else value
            a, dtype = to_array(value)
            return graph.add_input(dtype, a.shape, "arg")
        shape = () if value.dtype is dtypes.resource else value._shape
        return graph.add_input(value.dtype, shape, "arg")
    if _is_spec(value):
        return graph.add_input(value.dtype, value.shape.tuple, "arg")
    if nest.is_sequence(value):
        flat = [_placeholders(v, graph) for v in nest.flatten(value)]
        return nest.pack_sequence_as(value, flat)
    return value


def defun(func=None, input_signature=None, autograph=False):
    """Compile a Python function into a graph that is run as a whole.

    Args:
        func: the function; tensors and arrays among its arguments may change from call
            to call, anything else is part of the trace.
        input_signature: TensorSpecs that fix dtypes and shapes of the arguments.
    Returns:
        A Function; a decorator where `func` is not given.
    Example:
        @tfe.defun
        def f(x): return x * x
    """
    if func is None:
        return functools.partial(defun, input_signature=input_signature)
    return Function(func, input_signature)


def function(func=None, input_signature=None, autograph=True, experimental_autograph_options=None):
    """As `defun`, by the name of TensorFlow 2.

    Args:
        func, input_signature: see `defun`.
        autograph: accepted; Python control flow on tensors is not converted yet.
    """
    if func is None:
        return functools.partial(function, input_signature=input_signature)
    return Function(func, input_signature)
