"""A cluster as an XLA executable."""

import contextlib
import functools
import sys
from collections import Counter

import jax
import jax.numpy as jnp
import numpy as np

from twinflow.base.owners import ALONE
from twinflow.base.state import taken
from twinflow.lower import (  # noqa: F401 - some fill lower.tables
    accelerator,
    control_flow,
    indexing,
    persistent,
    priority,
    tensor_array,
)
from twinflow.lower.flows import Unfit
from twinflow.lower.lowering import Lowering

# Which parts YNNPACK computes: all that XLA gives it but convolutions, which run on one
# thread there (64x13x13x32 with 3x3x64 filters: 1.5 ms, XLA's own on 2 cores 0.8).
_LIBRARIES = {
    "xla_cpu_experimental_ynn_fusion_type": (
        "LIBRARY_FUSION_TYPE_INDIVIDUAL_DOT,LIBRARY_FUSION_TYPE_REDUCE"
    )
}
# Nodes: fusing takes quadratic time where many share an operand, as the steps of an
# unrolled loop their weights (LSTM of 50 steps, 1,600 nodes: 25 s and 4.8 without, for
# 2.9 ms a step either way). Without it memory grows, so what is computed again to save
# memory is always fused (RevNet-110, 16 images: 18 MB for temporaries with it, 87
# without).
_MOST_FUSED, _MOST_SHARING, _MOST_USERS = 2000, 1000, 40
_MOST_WARMED = 1 << 25  # bytes of temporaries of what is run ahead
# NaN in a maximum counts, and each op of a half float rounds, as in the interpreter.
_EXACT = {"xla_cpu_enable_fast_min_max": False, "xla_allow_excess_precision": False}
_EXACT_ON_ACCELERATORS = {"xla_allow_excess_precision": False}


_COPIED_BESIDE = 1 << 16  # bytes of an array that XLA copies in another thread


def start():
    """Start XLA; the threads in which it compiles give way to the program's.

    Programs run in the thread that calls them. In a thread of XLA's the memory between
    their steps would be returned to the system each time (Note [Kept heap] in
    base.heap): 110 ms a step of a transformer in place of 78.
    """
    name = "jax_cpu_enable_async_dispatch"
    before = jax.config.values[name]
    jax.config.update(name, False)
    try:
        with priority.lowered():
            _cpu()
    finally:
        jax.config.update(name, before)  # the user's own jax reads it, too


def _cpu():
    """Clusters run on the CPU, beside the arrays, also where jax has an accelerator."""
    return jax.local_devices(backend="cpu")[0]


_folder = functools.cache(persistent.folder)


@functools.cache
def _options(platform="cpu"):
    """The options for XLA, as far as this jaxlib knows them."""
    lowered, options = jax.jit(jnp.negative).lower(1.0), {}
    wanted = _LIBRARIES | _EXACT if platform == "cpu" else _EXACT_ON_ACCELERATORS
    for name, value in wanted.items():
        with contextlib.suppress(Exception):  # of which kind depends on the release
            lowered.compile(compiler_options={name: value})
            options[name] = value
    return options


class Executable:
    """A cluster, lowered for XLA; `compile` it before it can `run`.

    Args:
        spec: what to compile (execute.tiers.Spec): nodes, program, the tensors in and
            out, the cells and which of them are written.
        inputs: one array per tensor in, of the shape and dtype to compile for; those
            that `spec.static` names are compiled in by value.
        states: the array of each cell.
    """

    def __init__(self, spec, inputs, states):
        self.spec = spec
        self.dynamic = [i for i in range(len(inputs)) if i not in spec.static]
        static = {i: np.array(inputs[i]) for i in spec.static}
        self.device = accelerator.device(spec.place)
        written = [i for i, w in enumerate(spec.written) if w]
        only_read = [i for i, w in enumerate(spec.written) if not w]
        self.written, self.only_read = written, only_read
        self.lasting = frozenset() if spec.place is None else frozenset(only_read)
        run = _traceable(spec, static, self.dynamic, written, only_read)
        with settings(self.device):
            jitted = jax.jit(run, donate_argnums=(2,))
            self.avals = (
                [_aval(inputs[i]) for i in self.dynamic],
                [_aval(states[i]) for i in only_read],
                [_aval(states[i]) for i in written],
            )
            self.lowered = jitted.lower(*self.avals)

    def compile(self):
        """Let XLA compile what was lowered; this releases the GIL."""
        with settings(self.device):
            self.compiled = compiled(self.lowered, self.device, self.spec)

    def warm(self) -> None:
        """Run it once on zeros: a first run takes several times as long as others.

        What has loops is left out, for on zeros they might not end; and what takes much
        memory, which the program's own step has at the same time.
        """
        if not self.spec.loops and self._temporaries() < _MOST_WARMED:
            zeros = jax.tree.map(lambda a: np.zeros(a.shape, a.dtype), self.avals)
            with jax.enable_x64(True):
                jax.block_until_ready(self.compiled(*zeros))

    def _temporaries(self) -> int:
        """Bytes that a run takes beside its inputs and outputs."""
        return getattr(self.compiled.memory_analysis(), "temp_size_in_bytes", 0)

    def run(self, inputs, cells):
        """The values of the outputs, or None if a guard failed (nothing is changed)."""
        if self.spec.place is None:
            outputs, new, ok = self._run(inputs, cells)
        else:
            with taking([cells[i] for i in self.written]):
                outputs, new, ok = self._run(inputs, cells)
        good = True if ok is None else bool(np.asarray(ok))  # bool(ok): 4 us, not 1
        if not good:
            return None
        if self.spec.place is not None:
            return [o if s else np.asarray(o) for o, s in zip(outputs, self.spec.stays)]
        values = [np.asarray(o) for o in outputs]
        if not values and new:
            new[0].block_until_ready()
        return values

    def _run(self, inputs, cells):
        with jax.enable_x64(True):
            lasting = self.lasting
            states = [
                _buffer(c, self.device, i in lasting) for i, c in enumerate(cells)
            ]
            if self.spec.place is not None:
                for i in self.written:
                    states[i] = _own(states[i])
            outputs, new, ok = self.compiled(
                [_there(inputs[i], self.device) for i in self.dynamic],
                [states[i] for i in self.only_read],
                [states[i] for i in self.written],
            )
        for i, s in zip(self.written, new, strict=True):
            cells[i].write_device(s)
        return outputs, new, ok

    def as_text(self):
        """The StableHLO text."""
        return self.lowered.as_text()


@contextlib.contextmanager
def taking(cells):
    """A block whose program takes the buffers of cells: Note [Taken] in base.state."""
    taken.update(cells)
    try:
        yield
    finally:
        taken.difference_update(cells)


@contextlib.contextmanager
def settings(device):
    """A block in which jax makes programs for a device, of full precision."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(jax.enable_x64(True))
        stack.enter_context(jax.default_device(device))
        if device.platform != "cpu":  # GPUs may use fewer bits
            stack.enter_context(jax.default_matmul_precision("float32"))
        yield


def compiled(lowered, device, spec):
    """What XLA makes of a lowered cluster, for devices like `device`."""
    options = dict(_options(device.platform))
    if not (spec.recomputes or _fused(spec)):
        options["xla_disable_hlo_passes"] = "fusion"
    with persistent.kept(_folder()):
        return lowered.compile(compiler_options=options)


def _fused(spec):
    """Whether XLA is to look for what it can compute in one loop."""
    if spec.size <= _MOST_SHARING or spec.size > _MOST_FUSED:
        return spec.size <= _MOST_FUSED
    resolve, const = spec.program.resolve, spec.program.const
    users = Counter(resolve(t) for n in spec.nodes for t in n.inputs)
    most = (k for t, k in users.items() if const(t) is None)
    return max(most, default=0) <= _MOST_USERS


def _traceable(spec, static, dynamic, written, only_read):
    def run(inputs, read_states, written_states):
        low = Lowering(spec.cell_of)
        by_place = dict(zip(dynamic, inputs, strict=True)) | static
        for i, t in enumerate(spec.inputs):
            low.env[t] = by_place[i]
        for t, cell in spec.handles.items():
            low.env[t] = cell
        places = [*only_read, *written]
        for i, s in zip(places, [*read_states, *written_states], strict=True):
            low.states[spec.cells[i]] = s
        low.run(spec.nodes, spec.program)
        outputs = [jnp.asarray(low.value(t, spec.program)) for t in spec.outputs]
        new = [low.states[spec.cells[i]] for i in written]
        if not low.ok:
            return outputs, new, None
        ok = jnp.all(jnp.stack([jnp.all(k) for k in low.ok]))
        new = [kept_unless(ok, a, b) for a, b in zip(new, written_states, strict=True)]
        return outputs, new, ok

    return run


def kept_unless(ok, new, old):
    """The new state of a variable, or the old one if a guard failed."""
    if new.shape != old.shape:
        raise Unfit(
            f"a guard may have to undo the assignment of {new.shape} to a variable of "
            f"{old.shape}; the interpreter runs it"
        )
    return jnp.where(ok, new, old)


def _aval(a):
    return jax.ShapeDtypeStruct(np.shape(a), a.dtype)


def _there(a, device):
    """An input that has arrived: before that, a program runs in another thread."""
    if isinstance(a, np.ndarray):
        if a.nbytes < _COPIED_BESIDE:
            return a
        return jax.device_put(a, device).block_until_ready()
    return a if a.device == device else jax.device_put(a, device)


def _buffer(cell, device, lasting):
    """The state of a cell as the executable wants it; if it is `lasting`, the cell
    keeps the buffer that was made of its array.
    """
    seen = cell.state()
    buffer = _there(seen, device)
    if lasting and isinstance(seen, np.ndarray) and buffer is not seen:
        cell.leave(buffer, seen)
    return buffer


def _own(buffer):
    """A buffer of a cell, in the caller's list, that may be donated: a copy where a
    tensor of the program has it.
    """
    return buffer.copy() if sys.getrefcount(buffer) > ALONE + 1 else buffer
