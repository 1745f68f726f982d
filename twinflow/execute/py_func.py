"""Python functions as ops: tf.py_func (of arrays) and tfe.py_func (of eager tensors).

Note [Gradients of py_func]: a node whose gradient is asked gets one more output, the
tape of its run, which the gradient node plays back. The gradient of that node runs the
function again, under a tape of its own.
"""

import itertools
import traceback
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.autodiff.tape import GradientTape
from twinflow.base import dispatch, dtypes, errors, nest
from twinflow.base.advice import say_fix
from twinflow.base.annotations import Array
from twinflow.base.convert import to_array
from twinflow.base.dispatch import apply
from twinflow.base.frames import is_internal
from twinflow.base.op import Op, define
from twinflow.base.tensor import ResourceHandle, Tensor, TensorLike
from twinflow.eager.mode import MODE
from twinflow.eager.tensor import wrap
from twinflow.execute.interpreter import special_steps
from twinflow.graph.regions import Recorded, dense
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import zeros_like

if TYPE_CHECKING:
    from twinflow.eager.tensor import EagerTensor
    from twinflow.execute.interpreter import Assembler
    from twinflow.graph.gradients import Watch
    from twinflow.graph.node import GraphTensor, Node
    from twinflow.graph.program import Program

_by_token: weakref.WeakValueDictionary = weakref.WeakValueDictionary()
_numbers = itertools.count()
_KINDS = (
    (ValueError | TypeError, errors.InvalidArgumentError),
    (StopIteration, errors.OutOfRangeError),
    (MemoryError, errors.ResourceExhaustedError),
    (NotImplementedError | errors.UnimplementedError, errors.UnimplementedError),
)


class Functions:
    """The Python functions that nodes of living graphs hold."""

    def size(self) -> int:
        """How many there are."""
        return len(_by_token)


FUNCTIONS = Functions()


class Body:
    """A Python function as a node knows it.

    Args:
        function: of arrays; of eager tensors if `eager`.
        types: the dtypes of its results.
        again: for a gradient, the same as a function of (inputs and gradients).
    Attributes:
        token: its name in this process.
    """

    def __init__(
        self, function: Callable, types: tuple, eager: bool,
        again: Callable | None = None,
    ) -> None:  # fmt: skip
        self.function, self.types = function, types
        self.eager, self.again = eager, again
        self.token = f"pyfunc_{next(_numbers)}"
        _by_token[self.token] = self

    def __call__(self, args: list) -> list[Tensor]:
        """The results as tensors.

        Raises:
            tf.errors.OpError: what the function raised, or a result does not fit.
        """
        try:
            found = self.function(*args)
            found = _listed(found)
            if self.eager:
                pairs = zip(found, self.types)
                found = [_tensor(v, d) for v, d in pairs]
            else:
                found = [_of_array(v) for v in found]
        except Exception as error:
            raise _failed(error) from error
        self._check(found)
        return found

    def _check(self, found: list[Tensor]) -> None:
        if len(found) != len(self.types):
            raise errors.InvalidArgumentError(
                None, None,
                f"{self.token} returns {len(found)} values, but expects to see "
                f"{len(self.types)} values.",
            )  # fmt: skip
        for i, (t, wanted) in enumerate(zip(found, self.types)):
            if t.dtype is not wanted:
                raise errors.InvalidArgumentError(
                    None, None,
                    f"{i}-th value returned by {self.token} is "
                    f"{dtypes.cpp_name(t.dtype)}, but expects "
                    f"{dtypes.cpp_name(wanted)}",
                )  # fmt: skip


class Played:
    """What a run leaves for its gradient: its tape, inputs and results."""

    def __init__(self, tape: GradientTape, args: list[Tensor], results: list) -> None:
        self.tape, self.args, self.results = tape, args, results

    def slopes(self, dys: list[Tensor]) -> list[Tensor]:
        """The gradients of the inputs that have some."""
        return _slopes(self.tape, self.args, self.results, dys)


def _slopes(tape: GradientTape, args: list, results: list, dys: list[Tensor]) -> Any:
    sources = [a for a in args if a.dtype.is_inexact]
    targets = [y for y in results if y.dtype.is_inexact]
    return tape.gradient(targets, sources, dys, unconnected_gradients="zero")


def _listed(found: Array | np.generic) -> list:
    if found is None:
        return []
    return list(found) if isinstance(found, list | tuple) else [found]


def _tensor(value: Any, dtype: dtypes.DType) -> Any:
    if isinstance(value, Tensor):
        return value
    if isinstance(value, ResourceHandle):
        raise RuntimeError(
            "Attempting to return a variable from an eagerly executed py_func. Return "
            f"its value, by calling `.read_value()` on it: {value}"
        )
    return convert_to_tensor(value, None if isinstance(value, TensorLike) else dtype)


def _of_array(value: Array | np.generic) -> "EagerTensor":
    """As NumPy has it: Python's floats are float64, its ints int64."""
    array = np.asarray(value)
    if array.dtype.kind == "V" and array.dtype.fields:
        raise _unsupported(f"numpy type {array.dtype.num}")
    if array.dtype.kind == "O" and not isinstance(value, np.ndarray | list | tuple):
        raise _unsupported(f"object type {type(value).__name__}")
    return wrap(*to_array(value if array.dtype.kind in "OSU" else array))


def _unsupported(what: str) -> errors.OpError:
    return errors.UnimplementedError(None, None, f"Unsupported {what}")


def _failed(error: Any) -> errors.OpError:
    """The error of the op for what the function raised, with the user's traceback."""
    kind = next((k for of, k in _KINDS if isinstance(error, of)), errors.UnknownError)
    entries = traceback.extract_tb(error.__traceback__)
    mine = [e for e in entries if not is_internal(e.filename)]
    text = f"{type(error).__name__}: {error}"
    parts = ["Traceback (most recent call last):\n", *traceback.format_list(mine)]
    found = kind(None, None, f"{text}\n" + "\n".join([*parts, f"{text}\n\n"]))
    return _explained(found)


def _explained(error: Any) -> Any:
    """An error, with a note that it is one of the user's function."""
    say_fix(
        error, "the Python function of py_func raised this: its own lines are in the "
        "traceback; it is called with NumPy arrays.",
    )  # fmt: skip
    return error


# ---------------------------------------------------------------------- the ops
def _infer(input: list[Tensor], token: str, Tout: tuple, body: Body) -> list[None]:
    return [None] * len(Tout)


def _define(kind: str, stateful: bool) -> Op:
    return define(
        kind,
        attrs={"body": None},
        infer=_infer,
        stateful=stateful,
        host=True,
    )


EagerPyFunc = _define("EagerPyFunc", True)
PyFunc = _define("PyFunc", True)
PyFuncStateless = _define("PyFuncStateless", False)


def _step(asm: "Assembler", node: "Node", program: "Program") -> Callable:
    """The step of a node; an output beyond those of the function is for its tape."""
    body = node.attrs["body"] or _by_token.get(node.attrs["token"])
    if body is None:
        return _refusing(node.attrs["token"])
    ins = [(asm.slot(t, program), t.dtype) for t in node.inputs]
    outs = [asm.slot(t, program) for t in node.outputs]
    run_body = _run_eagerly if body.eager else _run_on_arrays
    taped = len(outs) > len(body.types)

    def run(v: list) -> None:
        found = run_body(body, [wrap(v[i], d) for i, d in ins], taped)
        for o, value in zip(outs, found):
            v[o] = value

    return run


def _refusing(token: Any) -> Any:
    """A step that cannot run: its function is in the process that wrote the graph."""

    def run(v: Any) -> Any:
        raise errors.InvalidArgumentError(
            None, None,
            f"ValueError: callback {token} is not found: it is a function of the "
            "process that made the graph. Import the graph with an input_map that has "
            "another tensor in the place of its result.",
        )  # fmt: skip

    return run


def _run_on_arrays(body: Any, args: Any, taped: bool) -> list[Array]:
    return [t._a for t in body([a.numpy() for a in args])]


def _run_eagerly(body: Any, args: Any, taped: bool) -> list:
    with dispatch.entered(MODE):
        if not taped:
            return [t._a for t in body(args)]
        with GradientTape(persistent=True) as tape:
            tape.watch(args)
            found = body(args)
    return [*[t._a for t in found], Played(tape, args, found)]


for _kind in ("EagerPyFunc", "PyFunc", "PyFuncStateless"):
    special_steps[_kind] = _step


class PyFuncExtra(Recorded):
    """How a node is recorded, and where the tape of its run is."""

    played = None

    def record(self, node: "Node", tapes: "tuple[Watch, ...]") -> None:
        """Put the node on `tapes`."""
        inputs = [t for t in node.inputs if t.dtype.is_inexact]
        self.put_each(node, tapes, inputs, lambda places: PyFuncVjp(node, places))

    def tape_of(self, node: "Node") -> "GraphTensor":
        """The output that holds the tape of the run."""
        if self.played is None:
            self.played = self.add_output(node, dtypes.variant, ())
        return self.played


class PyFuncVjp:
    """The way back through a node; see base.vjp.Vjp for the protocol."""

    none_ok = True

    def __init__(self, node: "Node", places: list[int]) -> None:
        self.node, self.places = node, places

    def back(self, kept: Any, attrs: Any, dys: list) -> list[Tensor]:
        """The gradients of the wanted inputs (Note [Gradients of py_func])."""
        node, body = self.node, self.node.attrs["body"]
        outputs = node.outputs[: len(body.types)]
        pairs = [p for p in zip(dys, outputs) if p[1].dtype.is_inexact]
        dys = [zeros_like(y) if d is None else dense(d) for d, y in pairs]
        if body.again is None:
            xs, plain = list(node.inputs), body
            first = [node.extra.tape_of(node)]
        else:
            xs, plain = list(node.inputs[1:]), Body(body.again, body.types, True)
            first = []
        found = _gradient_node(plain, first, xs, dys)
        return [found[i] for i in self.places]


def _gradient_node(plain: Body, first: list, xs: list[Tensor], dys: list) -> Any:
    """A node for the gradients of `plain`; `first` has the tape of its run, if any."""
    types = tuple(x.dtype for x in xs if x.dtype.is_inexact)

    def again(*args: Any) -> list[Tensor]:
        x, d = list(args[: len(xs)]), list(args[len(xs) :])
        with GradientTape() as tape:
            tape.watch(x)
            y = plain(x)
        return _slopes(tape, x, y, d)

    def play(played: Any, *args: Any) -> list[Tensor]:
        return played._a.slopes(list(args[len(xs) :]))

    body = Body(play, types, True, again) if first else Body(again, types, True)
    return _append(EagerPyFunc, body, [*first, *xs, *dys], None)


def _append(op: Any, body: Body, inputs: Any, name: str | None) -> Any:
    """The outputs of a new node; the node itself where there are none."""
    if not isinstance(inputs, list | tuple):
        raise TypeError(
            f"Expected list for 'input' argument to '{op.type}' Op, not {inputs}."
        )
    attrs = {"token": body.token, "Tout": body.types, "body": body}
    found = apply(op, (list(inputs),), attrs, name)
    if not found:
        return dispatch.current_mode().nodes[-1] if op.stateful else []
    if op is EagerPyFunc:
        node = found[0].op
        node.extra = PyFuncExtra()
        node.extra.record(node, dispatch.local.top.tapes)
    return found


def _types(Tout: dtypes.DType | list[dtypes.DType]) -> tuple[dtypes.DType, ...]:
    listed = Tout if isinstance(Tout, list | tuple) else [Tout]
    return tuple(dtypes.as_dtype(d).base_dtype for d in listed)


# ---------------------------------------------------------------------- public
def py_func(
    func: Callable[..., Any],
    inp: Any,
    Tout: Any,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Call a Python function of arrays as an op.

    Args:
        func: a function of ndarrays (NumPy scalars for 0-d) that returns one array, or
            a list of them. Eagerly it is called at once.
        inp: a list of tensors. Tout: the dtype of the result, or a list of them.
        stateful: False lets equal calls be merged, and calls that nobody needs be
            left out. name: the name of the node in a graph.
    Returns:
        A tensor, or a list of them if `Tout` is one; where `Tout` is empty the op (an
        empty list if it is not stateful). No gradient passes through.
    Raises:
        tf.errors.InvalidArgumentError, UnknownError ...: in a graph, what `func` raised
            (with its traceback), or a result does not have the dtype of `Tout`.
    Example:
        tf.py_func(lambda x: np.sinh(x), [tf.constant(1.)], tf.float32)  # 1.18
    """
    if dispatch.current_mode().eager:
        try:
            found = func(*[convert_to_tensor(x).numpy() for x in inp])
        except Exception as error:
            _explained(error)
            raise
        flat = [x if x is None else convert_to_tensor(x) for x in nest.flatten(found)]
        return flat[0] if len(flat) == 1 else flat
    body = Body(func, _types(Tout), False)
    found = _append(PyFunc if stateful else PyFuncStateless, body, inp, name)
    return found if isinstance(Tout, list | tuple) else found[0]


def eager_py_func(
    func: Callable[..., Any], inp: Any, Tout: Any, name: Any = None
) -> Any:
    """Call a Python function of eager tensors as an op; tfe.py_func.

    It may use any op and Python's control flow, print values and stop in a debugger,
    also while a graph runs. Gradients pass through to `inp`.

    Args:
        func: a function of eager tensors that returns one, or a list of them.
        inp: a list of tensors. Tout: the dtype of the result, or a list of them.
        name: the name of the node in a graph.
    Returns:
        A tensor, or a list of them if `Tout` is one.
    Raises:
        tf.errors.InvalidArgumentError, UnknownError ...: what `func` raised (with its
            traceback), or a result does not have the dtype of `Tout`.
    Example:
        tfe.py_func(lambda x: x if x > 0. else -x, [-2.], tf.float32)  # 2.0
    """
    body = Body(func, _types(Tout), True)
    if dispatch.current_mode().eager:
        found = _now(body, [convert_to_tensor(x) for x in inp])
    else:
        found = _append(EagerPyFunc, body, inp, name)
    return found if isinstance(Tout, list | tuple) else found[0]


def _now(body: Body, args: list[Tensor]) -> list[Tensor]:
    """Eagerly there is no op between: tapes see what the function does."""
    try:
        return body(args)
    except errors.OpError as error:
        error._message += " [Op:EagerPyFunc]"
        raise
