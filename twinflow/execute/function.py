"""Functions: a Python function traced into a graph, once per kind of arguments."""

import functools
import importlib
import inspect
import itertools
import re
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Concatenate, Generic, overload

import numpy as np

from twinflow.base import dispatch, nest
from twinflow.base.advice import advised
from twinflow.base.annotations import P, Q, R
from twinflow.base.depth import too_deep
from twinflow.base.tensor import Composite, Tensor
from twinflow.execute import retraces
from twinflow.execute.concrete import ConcreteFunction
from twinflow.execute.function_picture import PicturedFunction
from twinflow.execute.function_report import FunctionReport, costs_of
from twinflow.execute.trace import Trace, is_spec, report_lines
from twinflow.ops.core import array
from twinflow.ops.variables.kinds import Variable

MOST_TRACES = 64  # of one function; a trace keeps about 14 kB


class Function(PicturedFunction, Generic[P, R]):
    """What `tf.function` and `tfe.defun` return: traces on the first call, then runs.

    Args:
        python_function: the function to trace.
        input_signature: TensorSpecs that fix the arguments, or None.
        name: the name in graphs and errors.
        autograph: whether Python's control flow in it goes for tensors.
    """

    __name__: str

    def __init__(
        self, python_function: Any, input_signature: Any = None,
        name: str | None = None, traces: dict[tuple, Trace] | None = None,
        autograph: bool = False,
    ) -> None:  # fmt: skip
        self.python_function = python_function
        self.autograph = autograph
        self.input_signature = _checked(input_signature)
        self.name = name or _name(python_function)
        self.traces: dict[Any, Any] = {} if traces is None else traces
        self._methods: dict[Any, Any] = {}  # from the id of an instance to its traces
        functools.update_wrapper(self, python_function)

    def __get__(
        self: "Function[Concatenate[Any, Q], R]",
        instance: Any,
        owner: type[Any] | None = None,
    ) -> "Function[Q, R]":
        if instance is None:
            return self  # type: ignore[return-value]
        traces = self._methods.get(id(instance))
        if traces is None:
            traces = self._methods[id(instance)] = {}
            weakref.finalize(instance, self._methods.pop, id(instance), None)
        bound = self.python_function.__get__(instance, owner)
        return Function(bound, self.input_signature, self.name, traces, self.autograph)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        given = args, kwargs
        if kwargs or len(args) < self._most:
            args, kwargs = self._placed(args, kwargs)  # type: ignore[assignment]
        key, tensors = self._key(args, kwargs)
        return self._trace(key, args, kwargs, given)(tensors)

    @functools.cached_property
    def _parameters(self) -> tuple[inspect.Parameter, ...]:
        """Those that have a place and either a name or a default to go by."""
        try:
            found = inspect.signature(self.python_function).parameters.values()
        except (TypeError, ValueError):
            return ()
        kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD,)
        return tuple(itertools.takewhile(lambda p: p.kind in kinds, found))

    @functools.cached_property
    def _most(self) -> int:
        return len(self._parameters)

    def _placed(self, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
        """The arguments with keywords and defaults in their places: one trace each."""
        found, left = list(args), dict(kwargs)
        for p in self._parameters[len(args) :]:
            if p.name not in left and p.default is p.empty:
                return args, kwargs
            found.append(left.pop(p.name, p.default))
        return tuple(found), left

    def run_python(self, args: tuple, kwargs: dict) -> Any:
        """What the Python function gives, its control flow converted if asked."""
        if not self.autograph:
            return self.python_function(*args, **kwargs)
        autograph = importlib.import_module("twinflow.autograph.tracing")
        return autograph.run(self.python_function, args, kwargs)

    @property
    def _function_cache(self) -> dict:
        return self.traces

    def _trace(self, key: Any, args: tuple, kwargs: dict, given: tuple) -> Trace:
        """The trace for a key; the least recently used one goes when there are many."""
        traces = self.traces
        found = traces.get(key)
        if found is None:
            found = Trace(self, self.input_signature or args, kwargs)
            self._explain(found, *given)
            while len(traces) >= MOST_TRACES:
                traces.pop(next(iter(traces)))
            traces[key] = found
        elif len(traces) > MOST_TRACES // 2:
            traces[key] = traces.pop(key)
        return found

    def _explain(self, trace: Trace, args: tuple, kwargs: dict) -> None:
        """Note why there is another trace."""
        others = [t.kinds for t in self.traces.values()]
        trace.kinds = retraces.kinds(self.python_function, args, kwargs)
        trace.reason = retraces.reason(trace.kinds, others)
        retraces.warn(self.name, len(others) + 1, trace.reason)

    def _key(self, args: tuple, kwargs: dict) -> tuple[Sequence, ...]:
        mode = dispatch.current_mode()
        parts: list = [0 if mode.eager else mode]
        if self.input_signature is not None:
            return tuple(parts), _fitted(args, kwargs, self.input_signature)
        tensors: list = []
        if not kwargs and _flat_signature(args, parts, tensors):
            return tuple(parts), tensors
        try:
            _signature((args, kwargs), parts, tensors)
        except RecursionError as error:
            raise too_deep(error, args, kwargs) from None
        return tuple(parts), tensors

    def trace(self, *args: Any, **kwargs: Any) -> Trace:
        """The Trace for these arguments, for looking at.

        Its stages: ``str(trace)`` is the graph, ``trace.optimized()`` what the passes
        leave of it, ``trace.lowered()`` what XLA gets (after a call).
        """
        given = args, kwargs
        args, kwargs = self._placed(args, kwargs)
        key, _ = self._key(args, kwargs)
        return self._trace(key, args, kwargs, given)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The form for these arguments, which takes tensors alone.

        Example:
            add = tfe.defun(tf.add).get_concrete_function(1., 2.)
            add()  # 3.0
        """
        trace = self.trace(*args, **kwargs)
        return ConcreteFunction(trace.graph, self.attributes)

    attributes: dict[Any, Any] | None = None  # AttrValues of its FunctionDefs

    def memory(self, *args: Any, **kwargs: Any) -> Any:
        """What a call with these arguments under a tape keeps for its gradient.

        Returns:
            A Memory: bytes per op and line of the program, largest first; print it.
        """
        return self.trace(*args, **kwargs).memory()

    def explain(self, *args: Any, **kwargs: Any) -> FunctionReport:
        """Why it was traced, what it holds, and what runs in Python, host and XLA.

        Args:
            args, kwargs: arguments to call it with once, op by op in the interpreter,
                to see what the ops on the host cost; without them nothing is called.
        Returns:
            A FunctionReport: `traces`, `captures`, `once`, `host`, `engines`; print it.
        Example:
            double = tfe.defun(lambda x: x * 2.)
            double(tf.ones([2])); double(tf.ones([3]))
            len(double.explain().traces)  # 2
        """
        costs = costs_of(self, args, kwargs) if args or kwargs else {}
        return FunctionReport(self, costs)

    def report(self) -> str:
        """What became of each trace, as text.

        Why it was made (which argument changed), its clusters and their engines.
        """
        lines = [f"{self.name}: {len(self.traces)} traces"]
        for trace in self.traces.values():
            lines += [f"  {line}" for line in report_lines(trace)]
        return "\n".join(lines)


def _name(function: Any) -> str:
    """A valid name for nodes."""
    found = re.sub(r"[^A-Za-z0-9_.]", "_", getattr(function, "__name__", "function"))
    return found.lstrip("_") or "function"


def _checked(signature: Any) -> tuple | None:
    """An input_signature as a tuple of specs."""
    if signature is None:
        return None
    if is_spec(signature):
        raise TypeError(
            "input_signature must be either a tuple or a list, received "
            f"{type(signature)}"
        )
    listed = isinstance(signature, list | tuple)
    if not listed or not all(map(is_spec, nest.flatten(signature))):
        raise TypeError(
            f"Invalid input_signature {signature!r}; input_signature must be a "
            "possibly nested sequence of TensorSpec objects."
        )
    return tuple(signature)


def _fitted(args: tuple, kwargs: Any, signature: tuple) -> list[Tensor]:
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
    if any(is_spec(a) for a in nest.flatten(args)):
        raise ValueError(
            "When input_signature is provided, all inputs to the Python function must "
            "be Tensors."
        )
    tensors = [array.convert_to_tensor(a) for a in nest.flatten(args)]
    for t, spec in zip(tensors, specs, strict=True):
        if t.dtype is not spec.dtype or not spec.shape.is_compatible_with(t.shape):
            raise advised(
                ValueError,
                "Python inputs incompatible with input_signature: got a "
                f"{t.dtype.name} tensor of shape {t.shape}, expected {spec!r}.",
            )
    return tensors


def _flat_signature(args: tuple, parts: list, tensors: list[Tensor]) -> bool:
    """As `_signature` of (args, {}), where all arguments are eager tensors."""
    for value in args:
        if type(value) is not dispatch.EagerTensor:
            return False
    parts += [(tuple, 2), (tuple, len(args))]
    parts += [(t.dtype, t._a.shape) for t in args]
    parts.append((dict, ()))
    tensors += args
    return True


def _signature(value: Any, parts: list, tensors: list[Tensor]) -> None:
    """Collect what a trace depends on: kinds of tensors, values of the rest."""
    kind = type(value)
    if isinstance(value, Tensor):
        parts.append((value.dtype, value._shape))
        tensors.append(value)
    elif kind is np.ndarray or isinstance(value, np.generic):
        t = array.constant(value)
        parts.append((t.dtype, t._shape))
        tensors.append(t)
    elif isinstance(value, Composite):
        parts.append(kind)
        for c in value._components():
            _signature(c, parts, tensors)
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


def _children(value: Any) -> Any:
    """The keys and children of one level of a structure, in the order of nest."""
    if isinstance(value, Mapping):
        keys = tuple(sorted(value))
        return keys, [value[k] for k in keys]
    if hasattr(type(value), "__attrs_attrs__"):
        keys = tuple(a.name for a in type(value).__attrs_attrs__)
        return keys, [getattr(value, k) for k in keys]
    return len(value), value


def _hashable(value: Any) -> Any:
    if type(value) is float:
        return repr(value)  # -0.0 is not 0.0, and nan is nan
    if isinstance(value, Variable):
        return _Ref(value)
    try:
        hash(value)
    except TypeError:
        return _Ref(value)
    return value


class _Ref:
    """Identity of an object, without keeping it alive."""

    __slots__ = ("id", "ref")

    def __init__(self, value: Any) -> None:
        self.id = id(value)
        try:
            self.ref = weakref.ref(value)
        except TypeError:
            self.ref = value

    def __hash__(self) -> int:
        return self.id

    def __eq__(self, other: object) -> bool:
        return type(other) is _Ref and self.id == other.id and self.ref == other.ref


@overload
def defun(
    *, input_signature: Any = None, autograph: bool = False
) -> Callable[[Callable[P, R]], Function[P, R]]: ...
@overload
def defun(
    func: Callable[P, R], input_signature: Any = None, autograph: bool = False
) -> Function[P, R]: ...
def defun(
    func: Any = None, input_signature: Any = None, autograph: bool = False
) -> Any:
    """Compile a Python function into a graph that is run as a whole.

    Args:
        func: the function; tensors and arrays among its arguments may change from call
            to call, anything else is part of the trace.
        input_signature: TensorSpecs that fix dtypes and shapes of the arguments.
        autograph: whether Python's `if`, `while` and `for` go for tensors, in it and in
            what it calls of the program.
    Returns:
        A Function; a decorator where `func` is not given.
    Example:
        @tfe.defun
        def f(x): return x * x
        f(tf.constant(3.))  # 9.0
    """
    if func is None:
        return functools.partial(
            defun, input_signature=input_signature, autograph=autograph
        )
    return Function(func, input_signature, autograph=bool(autograph))


@overload
def function(
    *, input_signature: Any = None, autograph: Any = True,
    experimental_autograph_options: Any = None,
) -> Callable[[Callable[P, R]], Function[P, R]]: ...  # fmt: skip
@overload
def function(
    func: Callable[P, R], input_signature: Any = None, autograph: Any = True,
    experimental_autograph_options: Any = None,
) -> Function[P, R]: ...  # fmt: skip
def function(
    func: Any = None, input_signature: Any = None, autograph: Any = True,
    experimental_autograph_options: Any = None,
) -> Any:  # fmt: skip
    """As `defun`, by the name of TensorFlow 2: with Python's control flow.

    Args:
        func, input_signature, autograph: see `defun`.
        experimental_autograph_options: accepted.
    Returns:
        See `defun`.
    Raises:
        TypeError: with `autograph=False`, where Python asks for the value of a tensor.
    Example:
        @tf.function
        def f(x):
            while x > 1.:
                x = x / 2.
            return x
        f(tf.constant(12.))  # 0.75
    """
    if func is None:
        return functools.partial(
            function, input_signature=input_signature, autograph=autograph
        )
    return Function(func, input_signature, autograph=bool(autograph))
