"""Where random ops take their numbers from.

Note [Random streams]: a stream is a key and a position; each execution of a random op
takes one position of its stream (Note [Cells]), so what is drawn depends on no engine
and on no other op's shape.

* An op with a seed of its own has its own stream, keyed by (graph seed, op seed): each
  node of a graph its own object; eagerly one per kind of op and seeds, which a second
  call continues.
* Without one, the op takes the next position of the stream that it shares with the
  other ops of its owner: the graph, or eager execution. A function that is traced
  eagerly uses the eager one. Without a graph seed the key comes from the system.
* Setting the seed of eager execution restarts its streams in place, those in functions
  traced before included: the key is part of the state, so nothing is compiled anew.
* Inside `initializing(name)` an op has a stream keyed by (graph seed, name, n-th use of
  the name), and one with a seed of its own starts it anew: a variable starts equal in
  every mode, whatever else was drawn. Weights of layers go by the layer's name and
  theirs: what surrounds these differs between a model and the function of its `call`.

Streams are told apart by identity. A Session keeps its own positions, in copies from
`fresh`.

Where the numbers of TensorFlow 1.12 are wanted (`setting`; `twinflow run` does) an op
of a seeded program has a stream of its own instead, with the seeds that it has there
(Note [Original numbers]): without a seed of its own, the number of nodes that the graph
would have in TensorFlow, and eagerly the next number of a generator for the purpose.
"""

import contextlib
import contextvars
import hashlib
import itertools
import operator
import random
import threading
import weakref
import zlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.state import Cell
from twinflow.base.tensor import Tensor
from twinflow.ops.random.original import key_of
from twinflow.ops.random.replay import stream_to_use
from twinflow.ops.random.setting import setting

DEFAULT_GRAPH_SEED = 87654321
_MAX_SEED = 2**31 - 1
_MASK = 2**32 - 1
NEXT = np.array([1, 0], np.uint64)
_taking = threading.Lock()
_variable = contextvars.ContextVar("the variable being initialised", default=None)


class Stream(Cell):
    """A sequence of draws: uint64[2], the position and the key that they share.

    Args:
        seeds: ints that make the key.
        seeded: False if they came from the operating system; then every copy starts
            somewhere else.
    Attributes:
        key: two ints below 2**32. seeds, seeded: as given.
    """

    __slots__ = ("seeds", "seeded")
    original = False

    def __init__(self, seeds, seeded=True):
        super().__init__("random stream", dtypes.uint64, (2,))
        self.restart(seeds, seeded)

    def restart(self, seeds, seeded=True):
        """Begin anew with other seeds, for all that hold the stream."""
        start = 0 if seeded else setting.entropy()
        low, high = self._words(seeds)
        with _taking:
            self.seeds, self.seeded = seeds, seeded
            super().write(np.array([start, low | high << 32], np.uint64))

    @staticmethod
    def _words(seeds):
        """Two 32-bit words that depend on every bit of every seed."""
        text = b"".join(s.to_bytes(16, "little", signed=True) for s in seeds)
        digest = hashlib.blake2b(text, digest_size=8).digest()
        low, high = digest[:4], digest[4:]
        return int.from_bytes(low, "little"), int.from_bytes(high, "little")

    @property
    def key(self):
        """Two ints below 2**32."""
        return parts(np, self.read())[0]

    def take(self, count=1):
        """The state for one draw: each only once, whichever thread asks."""
        with _taking:
            state = self.read()
            self.write(state + (NEXT if count == 1 else _steps(count)))
        return state

    def fresh(self):
        """A copy at the start."""
        return type(self)(self.seeds, self.seeded)

    def branch(self):
        """A stream whose key is one draw of this one."""
        return Stream((*self.take().tolist(), 0))

    def __deepcopy__(self, memo):
        return _restored(type(self), self.seeds, self.seeded, self.read())

    def __reduce__(self):
        return _restored, (type(self), self.seeds, self.seeded, self.read())

    def __repr__(self):
        seeds = self.seeds if self.seeded else None
        return f"<Stream seeds={seeds} at {self.read()[0]}>"


class OriginalStream(Stream):
    """Draws as TensorFlow 1.12 makes them for two seeds: Note [Original numbers]."""

    __slots__ = ()
    original = True

    @staticmethod
    def _words(seeds):
        return [s & _MASK for s in seeds]


def _restored(kind, seeds, seeded, state):
    stream = kind(seeds, seeded)
    stream.write(state)
    return stream


def _steps(count):
    return np.array([count, 0], np.uint64)


def stream_of_seeds(seeds):
    """A stream of its own for the two seeds of an op."""
    return (OriginalStream if setting.original else Stream)(seeds)


def parts(xp, state):
    """The key, as two 32-bit words, and the position."""
    position, key = state.tolist() if xp is np else state
    return (key & _MASK, key >> 32), position


class _Streams:
    """The streams of one owner since its seed was set."""

    def __init__(self, seed):
        self.shared = Stream((0,))
        self.of_nodes: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
        self.restart(seed)

    def restart(self, seed):
        """Begin anew, the streams that nodes hold included."""
        self.seed, self.seeded = seed, seed is not None
        self.base = _truncated(seed) if self.seeded else setting.entropy()
        self.shared.restart((self.base,), self.seeded)
        for stream, op_seed in list(self.of_nodes.items()):
            stream.restart(_pair(seed, op_seed))
        self.own: dict[Any, Any] = {}
        self.uses: dict[Any, Any] = {}
        self.numbers = itertools.count()
        self.seeds = random.Random(seed)

    def of_variable(self, name):
        """The stream of the next use of the variable name `name`."""
        n = self.uses[name] = self.uses.get(name, 0) + 1
        return Stream((self.base, zlib.crc32(name.encode()), n), self.seeded)

    def of_seeds(self, kind, seeds):
        """The stream that eager calls of one kind and one pair of seeds share."""
        found = self.own.get((kind, seeds))
        if found is None:
            found = self.own[kind, seeds] = stream_of_seeds(seeds)
        return found


def streams_of(mode):
    """The streams that ops draw from in a mode (a graph, or eagerly)."""
    owner = mode.random_owner()
    seed, found = getattr(owner, "seed", None), owner.state.get("random")
    if found is None or found.seed != seed:
        found = owner.state["random"] = _Streams(seed)
    return found


def stream_of(kind, op_seed):
    """The stream for a new call of a random op.

    Args:
        kind: tells ops apart that do not share a stream of their own (hashable).
        op_seed: the op's own seed, or None.
    Returns:
        (Stream, seed, seed2): the attributes of TensorFlow's OpDefs; 0, 0 = unseeded.
    """
    mode, name = dispatch.current_mode(), _variable.get()
    streams = streams_of(mode)
    if setting.original and (streams.seeded or op_seed is not None):
        seeds = _original_seeds(mode, streams, op_seed)
        if mode.eager and op_seed is not None:
            return streams.of_seeds(kind, seeds), *seeds
        return OriginalStream(seeds), *seeds
    if op_seed is not None:
        seeds = _pair(streams.seed, op_seed)
        if mode.eager and name is None:
            return streams.of_seeds(kind, seeds), *seeds
        stream = Stream(seeds)
        if name is None:
            streams.of_nodes[stream] = op_seed
        return stream, *seeds
    stream = streams.shared if name is None else streams.of_variable(name)
    if not streams.seeded:
        return stream, 0, 0
    return stream, *_pair(streams.seed, getattr(mode, "version", 0))


def _start(xp, state):
    """The key of an original draw, and its first block."""
    seeds, position = parts(xp, state)
    return key_of(xp, seeds), position


def _original_seeds(mode, streams, op_seed):
    """The two seeds of an op in TensorFlow 1.12."""
    if op_seed is None:
        drawn = mode.eager
        op_seed = streams.seeds.randint(0, _MAX_SEED) if drawn else mode._last_id
    elif not getattr(mode, "has_seed", True):
        return _pair(None, op_seed)
    return _pair(streams.seed, op_seed)


class Original(NamedTuple):
    """How TensorFlow 1.12 draws what an op draws: see Note [Original numbers].

    Attributes:
        draw: ``(jax, key, position, *inputs, **attrs) -> result``; jax is None for
            NumPy.
        blocks: ``(*inputs, **attrs) -> int``, how far that moves the position.
    """

    draw: Callable[..., Any]
    blocks: Callable[..., Any]


originals: dict[str, Original | None] = {}  # of each op that draws


def define_draw(
    op_type, infer, draw, draw_in_xla=None, original=None, attrs=None, host=False,
    **facts,
):  # fmt: skip
    """Define an op that draws; it takes its numbers from the attribute `stream`.

    Args:
        op_type, infer, attrs, facts: see base.op.
        draw: ``(xp, key, position, *inputs, **attrs) -> result``.
        draw_in_xla: ``jax -> draw``, where XLA needs another form.
        original: the Original for streams that draw as TensorFlow does; they draw as
            all others where there is none.
        host: it runs on the host alone.
    """

    def kernel(xp):
        def run(*inputs, seed, seed2, stream, **attrs):
            if original and stream.original:
                state = stream.take(original.blocks(*inputs, **attrs))
                return original.draw(None, *_start(np, state), *inputs, **attrs)
            return draw(xp, *parts(xp, stream.take()), *inputs, **attrs)

        return run

    def step(xp, draw=draw, jax=None):
        def run(state, *inputs, seed, seed2, stream, **attrs):
            if original and stream.original:
                moved = _steps(original.blocks(*inputs, **attrs))
                drawn = original.draw(jax, *_start(xp, state), *inputs, **attrs)
                return drawn, state + moved
            return draw(xp, *parts(xp, state), *inputs, **attrs), state + NEXT

        return run

    if (draw_in_xla or original) and not host:
        facts["lower"] = lambda jax: step(
            jax.numpy, draw_in_xla(jax) if draw_in_xla else draw, jax
        )
    originals[op_type] = original
    attrs = {"stream": None, **(attrs or {})}
    return define(
        op_type, infer, kernel, step=step, cell="stream", attrs=attrs, host=host,
        **facts,
    )  # fmt: skip


def draw(op, inputs, attrs, seed, name=None):
    """Call a random op, with the stream that `seed` (int or None) means here."""
    types = [x.dtype for x in inputs if isinstance(x, Tensor)]
    stream, seed1, seed2 = stream_of((op.type, *attrs.values(), *types), seed)
    stream, before = stream_to_use(stream, lambda: type(stream)((0, 0)))
    attrs = {**attrs, "seed": seed1, "seed2": seed2, "stream": stream}
    if not before or dispatch.current_mode().eager:
        return apply(op, inputs, attrs, name)
    with dispatch.current_mode().control_dependencies(before):
        return apply(op, inputs, attrs, name)


@contextlib.contextmanager
def initializing(name):
    """Let what the block draws depend on the seed and `name` alone.

    Args:
        name: the name of the variable whose initial value is made.
    """
    token = _variable.set(name)
    try:
        yield
    finally:
        _variable.reset(token)


def set_random_seed(seed: int | None) -> None:
    """Set the seed of the current graph, or of eager execution, and start anew.

    Random ops without a seed of their own draw from one stream of this seed, in the
    order of execution; see `get_seed` for those with one. Setting the same seed again
    gives the same numbers again.

    Args:
        seed: an int; None = from the operating system.
    Raises:
        TypeError: `seed` is no integer.
    Example:
        tf.set_random_seed(1)
        a = tf.random_uniform([3])
        tf.set_random_seed(1)
        np.all(a.numpy() == tf.random_uniform([3]).numpy())  # True
    """
    owner = dispatch.current_mode().random_owner()
    owner.seed = None if seed is None else _integer(seed)
    found = owner.state.get("random") if owner.eager else None
    if found is None:  # nodes of a graph keep the seed that they were made with
        owner.state["random"] = _Streams(owner.seed)
    else:
        found.restart(owner.seed)


def get_seed(op_seed: Any) -> tuple[Any, ...]:
    """The two seeds for an op that has `op_seed` (int or None).

    (graph seed, op seed), where a missing graph seed is 87654321 if there is an op
    seed, and a missing op seed is another number each time if there is a graph seed.

    Returns:
        Two ints below 2**31, or (None, None) if there is no seed at all.
    Raises:
        TypeError: `op_seed` is no integer.
    Example:
        tf.get_seed(3)  # (87654321, 3)
    """
    mode = dispatch.current_mode()
    streams = streams_of(mode)
    if op_seed is None and not streams.seeded:
        return None, None
    if setting.original:
        return _original_seeds(mode, streams, op_seed)
    if op_seed is None:
        op_seed = next(streams.numbers)
    return _pair(streams.seed, op_seed)


def _pair(seed, op_seed):
    first = DEFAULT_GRAPH_SEED if seed is None else _truncated(seed)
    pair = first, _truncated(op_seed)
    return pair if pair != (0, 0) else (0, _MAX_SEED)  # (0, 0) means unseeded


def _truncated(seed):
    return _integer(seed) % _MAX_SEED


def _integer(seed):
    try:
        return operator.index(seed)
    except TypeError:
        raise TypeError(
            f"A random seed must be an integer, got {seed!r} of type "
            f"'{type(seed).__name__}'. Pass an int, or None for no seed."
        ) from None
