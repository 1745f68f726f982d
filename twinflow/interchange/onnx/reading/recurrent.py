"""The recurrent nodes: RNN, LSTM and GRU, a loop over the steps for each direction."""

from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.graph.while_loop import while_loop
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.tensor_array.arrays import TensorArray

_ACTIVATIONS = ("Sigmoid", "Tanh", "Relu", "Softsign", "Softplus", "Elu")


class _Cell:
    """One direction of a node: its weights, and how a step is made.

    Args:
        r: the Reader. node: its Node. at: the number of the direction. weights,
        recurrent, bias, peephole: those of all directions.
    """

    gates: int
    states: int = 1
    functions: tuple[str, ...]

    def __init__(
        self, r: Any, node: Any, at: int, weights: Any, recurrent: Any, bias: Any,
        peephole: Any,
    ) -> None:  # fmt: skip
        self.r, self.node = r, node
        self.w = r.transposed(_at(r, weights, at), (1, 0))
        self.u = r.transposed(_at(r, recurrent, at), (1, 0))
        self.size = node.get("hidden_size") or r.shape(self.u)[0]
        self.bias = self.inner_bias = self.peephole = None
        if bias is not None:
            halves = r.op("Split", np.int32(0), _at(r, bias, at), num_split=2)
            self.bias, self.inner_bias = halves
        if peephole is not None:
            self.peephole = r.op("Split", np.int32(0), _at(r, peephole, at),
                                 num_split=3)  # fmt: skip
        kinds = node.get("activations") or list(self.functions) * 2
        count = len(self.functions)
        self.kinds = kinds[at * count : (at + 1) * count]
        self.clip = node.get("clip")
        if unknown := [k for k in self.kinds if k not in _ACTIVATIONS]:
            r.refuse(f"the activations {unknown} have no counterpart")

    def act(self, place: int, x: Any) -> Any:
        """One of the activations.

        As onnxruntime does, `clip` bounds what goes into gates and new values, and not
        the memory that an LSTM gives out.
        """
        r = self.r
        if self.clip and place < 2:
            x = r.op("Minimum", r.op("Maximum", x, r.like(-self.clip, x)),
                     r.like(self.clip, x))  # fmt: skip
        return r.op(self.kinds[place], x)

    def added(self, x: Any, y: Any) -> Any:
        """A sum, where the second may be missing."""
        return x if y is None else self.r.op("Add", x, y)

    def inputs(self, x: Any) -> Any:
        """The part of all gates that no state is in, for all steps at once."""
        r = self.r
        flat = r.reshaped(x, np.array([-1, r.shape(self.w)[0]], np.int64))
        z = self.added(r.op("MatMul", flat, self.w), self.bias)
        lead = r.op("StridedSlice", r.sizes(x), [0], [2], [1])
        last = np.array([self.gates * self.size], np.int64)
        return r.reshaped(z, r.op("ConcatV2", [lead, last], np.int32(0)))

    def parts(self, z: Any) -> list:
        """The gates one by one."""
        return self.r.op("Split", np.int32(1), z, num_split=self.gates)

    def step(self, z: Any, states: list) -> list:
        """The new states; the first is the output."""
        raise NotImplementedError


class _Rnn(_Cell):
    gates, functions = 1, ("Tanh",)

    def step(self, z: Any, states: list) -> list:
        z = self.r.op("Add", z, self.r.op("MatMul", states[0], self.u))
        return [self.act(0, self.added(z, self.inner_bias))]


class _Lstm(_Cell):
    gates, states, functions = 4, 2, ("Sigmoid", "Tanh", "Tanh")

    def step(self, z: Any, states: list) -> list:
        r, (h, c) = self.r, states
        z = self.added(r.op("Add", z, r.op("MatMul", h, self.u)), self.inner_bias)
        i, o, f, new = self.parts(z)
        peep = self.peephole or [None] * 3
        i = self.act(0, self.peeped(i, peep[0], c))
        if self.node.get("input_forget"):
            f = r.op("Sub", r.like(1, i), i)
        else:
            f = self.act(0, self.peeped(f, peep[2], c))
        c = r.op("Add", r.op("Mul", f, c), r.op("Mul", i, self.act(1, new)))
        o = self.act(0, self.peeped(o, peep[1], c))
        return [r.op("Mul", o, self.act(2, c)), c]

    def peeped(self, gate: Any, weights: Any, c: Any) -> Any:
        """A gate that looks at the memory, where the node has weights for that."""
        if weights is None:
            return gate
        return self.r.op("Add", gate, self.r.op("Mul", weights, c))


class _Gru(_Cell):
    gates, functions = 3, ("Sigmoid", "Tanh")

    def step(self, z: Any, states: list) -> list:
        r, (h,) = self.r, states
        xz, xr, xn = self.parts(z)
        uz, ur, un = r.op("Split", np.int32(1), self.u, num_split=3)
        bz, br, bn = [None] * 3
        if self.inner_bias is not None:
            bz, br, bn = r.op("Split", np.int32(0), self.inner_bias, num_split=3)
        keep = self.act(0, self.added(r.op("Add", xz, r.op("MatMul", h, uz)), bz))
        reset = self.act(0, self.added(r.op("Add", xr, r.op("MatMul", h, ur)), br))
        if self.node.get("linear_before_reset"):
            inner = r.op("Mul", reset, self.added(r.op("MatMul", h, un), bn))
        else:
            inner = self.added(r.op("MatMul", r.op("Mul", reset, h), un), bn)
        new = self.act(1, r.op("Add", xn, inner))
        left = r.op("Sub", r.like(1, keep), keep)
        return [r.op("Add", r.op("Mul", left, new), r.op("Mul", keep, h))]


def _at(r: Any, value: Any, place: int) -> Any:
    """The part of one direction."""
    return r.op("GatherV2", value, np.int32(place), np.int32(0))


def _reader(kind: type[_Cell]) -> Callable:
    def read(
        r: Any, node: Any, x: Any, weights: Any, recurrent: Any, bias: Any = None,
        lengths: Any = None, first: Any = None, first_c: Any = None, peep: Any = None,
    ) -> list:  # fmt: skip
        firsts = [first, first_c][: kind.states]
        if node.get("layout"):
            x = r.transposed(x, (1, 0, 2))
            swap = lambda s: None if s is None else r.transposed(s, (1, 0, 2))
            firsts = [swap(s) for s in firsts]
        direction = node.get("direction", "forward")
        backwards = {"forward": [False], "reverse": [True]}.get(
            direction, [False, True]
        )
        found = []
        for at, back in enumerate(backwards):
            cell = kind(r, node, at, weights, recurrent, bias, peep)
            own = [None if s is None else _at(r, s, at) for s in firsts]
            found.append(_run(r, cell, x, lengths, own, back))
        ys = r.op("Pack", [f[0] for f in found], axis=1)
        ends = [
            r.op("Pack", list(each), axis=0) for each in zip(*(f[1] for f in found))
        ]
        if node.get("layout"):
            ys = r.transposed(ys, (2, 0, 1, 3))
            ends = [r.transposed(e, (1, 0, 2)) for e in ends]
        return [ys, *ends]

    return read


def _run(
    r: Any, cell: _Cell, x: Any, lengths: Any, firsts: list, back: bool
) -> tuple[Any, list]:
    """(the outputs of all steps, the last states) of one direction."""
    x = _turned(r, x, lengths) if back else x
    z = convert_to_tensor(cell.inputs(x))
    sizes = r.op("Cast", r.sizes(x), DstT=dtypes.int32)
    steps = r.op("StridedSlice", sizes, [0], [1], [1], shrink_axis_mask=1)
    batch = r.op("StridedSlice", sizes, [1], [2], [1])
    wide = r.op("ConcatV2", [batch, np.array([cell.size], np.int32)], np.int32(0))
    zeros = r.op("Fill", wide, r.like(0, z))
    states = [convert_to_tensor(zeros if s is None else s) for s in firsts]
    listed = TensorArray(z.dtype, steps, clear_after_read=False).unstack(z)
    out = TensorArray(z.dtype, steps)

    def turn(t: Any, out: Any, *states: Any) -> tuple:
        new = cell.step(listed.read(t), list(states))
        y = new[0]
        if lengths is not None:
            alive = r.op("Less", t, r.op("Cast", lengths, DstT=dtypes.int32))
            new = [r.op("Select", alive, n, s) for n, s in zip(new, states)]
            y = r.op("Select", alive, y, r.op("ZerosLike", y))
        return t + 1, out.write(t, y), *new

    _, out, *ends = while_loop(
        lambda t, *_: r.op("Less", t, steps), turn,
        (convert_to_tensor(np.int32(0)), out, *states),
    )  # fmt: skip
    ys = out.stack()
    return (_turned(r, ys, lengths) if back else ys), ends


def _turned(r: Any, x: Any, lengths: Any) -> Any:
    """The steps from last to first; each row only as far as it goes."""
    if lengths is None:
        return r.op("ReverseV2", x, np.array([0], np.int32))
    lengths = r.op("Cast", lengths, DstT=dtypes.int64)
    return r.op("ReverseSequence", x, lengths, seq_dim=0, batch_dim=1)


READERS = {"RNN": _reader(_Rnn), "LSTM": _reader(_Lstm), "GRU": _reader(_Gru)}
