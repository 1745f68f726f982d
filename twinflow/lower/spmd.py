"""Clusters of several devices as one program of XLA: Note [Meshes] in execute.meshes.

The program is traced once, as that of the first device, within shard_map over a mesh of
one axis. The array of a row is those of all devices, joined along their first axis
(numbers as vectors of one), which takes no copy; what is for all is on each of them.
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from twinflow.lower import accelerator, compile
from twinflow.lower.flows import Unfit
from twinflow.lower.lowering import Lowering

AXIS = "towers"
_SPLIT, _WHOLE = PartitionSpec(AXIS), PartitionSpec()
_OWN_REFERENCES = 3  # to the buffer of a cell: the cell's, `kept`'s, the argument


class Uneven(Unfit):
    """The devices get values of different shapes."""

    uneven = True


class Group:
    """Arrays that the program has as one: one of each device, or one for all.

    Attributes:
        places: where they stand among the inputs, cells or outputs.
        row: whether they are one of each device. scalar: whether they are numbers.
        aval: what the program takes.
    """

    def __init__(self, places, mesh, values):
        self.places, self.row = places, len(places) > 1
        kinds = {(np.shape(values[i]), values[i].dtype) for i in places}
        if len(kinds) > 1:
            raise Uneven(f"the devices get values of {sorted(map(str, kinds))}")
        ((shape, dtype),) = kinds
        self.scalar = self.row and not shape
        self.spec = _SPLIT if self.row else _WHOLE
        self.sharding = NamedSharding(mesh, self.spec)
        if self.row:
            first, *rest = shape or (1,)
            shape = (first * len(places), *rest)
        self.aval = jax.ShapeDtypeStruct(shape, dtype, sharding=self.sharding)

    def joined(self, values, devices):
        """One array of those of the devices."""
        if not self.row:
            return jax.device_put(values[0], self.sharding)
        values = [v.reshape(1) for v in values] if self.scalar else values
        parts = jax.device_put(list(values), devices)
        return jax.make_array_from_single_device_arrays(
            self.aval.shape, self.sharding, parts
        )

    def traced(self, value):
        """The array of one device, within the program."""
        return value.reshape(()) if self.scalar else value


class SpmdExecutable:
    """A cluster of several devices; see lower.compile.Executable."""

    def __init__(self, spec, inputs, states):
        self.spec = spec
        self.devices = [accelerator.device(p) for p in spec.mesh.places]
        self.mesh = Mesh(np.array(self.devices), (AXIS,))
        self.static = {i: np.array(inputs[i]) for i in spec.static}
        self._find_inputs(inputs)
        self._find_cells(states)
        self.scalars: set = set()  # places of outputs that are numbers of a row
        with self._settings():
            jitted = jax.jit(self._spread(), donate_argnums=(2,))
            self.lowered = jitted.lower(*self._each(lambda g: g.aval))

    def _settings(self):
        return compile.settings(self.devices[0])

    def _each(self, of):
        return [[of(g) for g in part] for part in (self.ins, self.read, self.written)]

    def _find_inputs(self, inputs):
        place = {t: i for i, t in enumerate(self.spec.inputs)}
        groups: dict = {}
        for t, i in place.items():
            members = self.spec.mesh.rows.get(t, ((t,), 0))[0]
            groups[tuple(place[m] for m in members)] = None
            values = {np.array(inputs[place[m]]).tobytes() for m in members}
            if i in self.static and len(values) > 1:
                raise Uneven("the devices get different values for a shape")
        self.ins = [
            Group(g, self.mesh, inputs) for g in groups if g[0] not in self.static
        ]

    def _find_cells(self, states):
        spec, found = self.spec, {}
        number = {c: i for i, c in enumerate(spec.cells)}
        for members in spec.mesh.variables:
            found[tuple(number[self.cell(t)] for t in members)] = None
        for members in spec.mesh.own_streams:
            found[tuple(number[spec.cell_of(s)] for s in members)] = None
        used = [i for g in found for i in g]
        if len(set(used)) < len(used):
            raise Unfit("two devices share a variable that differs between them")
        alone = [(i,) for i in range(len(spec.cells)) if i not in set(used)]
        groups = [Group(g, self.mesh, states) for g in (*found, *alone)]
        writes = [any(spec.written[i] for i in g.places) for g in groups]
        self.read = [g for g, w in zip(groups, writes, strict=True) if not w]
        self.written = [g for g, w in zip(groups, writes, strict=True) if w]
        self.kept: dict = {}  # {Group: (array of all devices, what the cells have)}

    def cell(self, t):
        """The cell of a handle."""
        found = self.spec.handles.get(t)
        return self.spec.cell_of(t.op.attrs["cell"]) if found is None else found

    # ---------------------------------------------------------------- tracing
    def _spread(self):
        spec, mesh = self.spec, self.spec.mesh
        rows = [t in mesh.rows for t in spec.outputs]
        outs = [_SPLIT if row else _WHOLE for row in rows]
        return jax.shard_map(
            self._traced, mesh=self.mesh, check_vma=False,
            in_specs=tuple(self._each(lambda g: g.spec)),
            out_specs=(outs, [g.spec for g in self.written], _WHOLE),
        )  # fmt: skip

    def _traced(self, inputs, read, written):
        low, spec = _Lowering(self), self.spec
        low.env |= {spec.inputs[i]: value for i, value in self.static.items()}
        low.env |= spec.handles
        for g, value in zip(self.ins, inputs, strict=True):
            low.env[spec.inputs[g.places[0]]] = g.traced(value)
        pairs = zip([*self.read, *self.written], [*read, *written], strict=True)
        before = {spec.cells[g.places[0]]: g.traced(value) for g, value in pairs}
        low.states |= before
        low.run_items()
        outputs = [self._output(i, low.of(t)) for i, t in enumerate(spec.outputs)]
        cells = [spec.cells[g.places[0]] for g in self.written]
        new, ok = [low.states[c] for c in cells], jnp.bool_(True)
        if low.ok:
            ok = jnp.all(jnp.stack([jnp.all(k) for k in low.ok]))
            ok = lax.psum(jnp.logical_not(ok).astype(np.int32), AXIS) == 0
            pairs = zip(new, cells, strict=True)
            new = [compile.kept_unless(ok, s, before[c]) for s, c in pairs]
        return outputs, [self._state(g, s) for g, s in zip(self.written, new)], ok

    def _output(self, i, value):
        value = jnp.asarray(value)
        if self.spec.outputs[i] not in self.spec.mesh.rows or value.ndim:
            return value
        self.scalars.add(i)
        return value.reshape(1)

    def _state(self, group, value):
        shape = group.aval.shape
        if not group.row:
            fits = value.shape == shape
        else:
            fits = group.scalar or value.shape[0] * len(group.places) == shape[0]
        if not fits:
            raise Unfit("a variable of several devices gets another shape")
        return value.reshape(1) if group.scalar else value

    def compile(self):
        """Let XLA compile what was lowered; this releases the GIL."""
        with self._settings():
            self.compiled = compile.compiled(self.lowered, self.devices[0], self.spec)

    def warm(self):
        """A first run on zeros would occupy all devices: there is none."""

    def as_text(self):
        """The StableHLO text."""
        return self.lowered.as_text()

    # ---------------------------------------------------------------- running
    def run(self, inputs, cells):
        """The values of the outputs, or None if a guard failed (nothing is changed)."""
        written = [cells[i] for g in self.written for i in g.places]
        with jax.enable_x64(True), compile.taking(written):
            outputs, new, ok = self.compiled(
                [g.joined([inputs[i] for i in g.places], self.devices)
                 for g in self.ins],
                [self._taken(g, cells) for g in self.read],
                [self._taken(g, cells, own=True) for g in self.written],
            )  # fmt: skip
            for g, array in zip(self.written, new, strict=True):
                self._give(g, array, cells)
            good = bool(np.asarray(ok))
            return [self._part(i, o) for i, o in enumerate(outputs)] if good else None

    def _taken(self, group, cells, own=False):
        """The states of a group as one array, which nobody else has if it is `own`."""
        array, parts = self.kept.pop(group, (None, ()))
        found = [cells[i] for i in group.places]
        if not parts or any(c.device_value is not p for c, p in zip(found, parts)):
            seen = [c.state() for c in found]
            array = group.joined(seen, self.devices)
            if own:
                return array.copy()
            self._give(group, array, cells, seen)
        elif not own:
            self.kept[group] = array, parts
        elif any(map(_is_held, found)):
            return array.copy()
        return array

    def _give(self, group, array, cells, seen=None):
        """Let the cells of a group have their parts of an array; of what was `seen` in
        them, if they still have that.
        """
        parts = [array.addressable_data(k) for k in range(len(group.places))]
        if group.scalar:
            parts = [p.reshape(()) for p in parts]
        for k, (i, p) in enumerate(zip(group.places, parts, strict=True)):
            if seen is None:
                cells[i].write_device(p)
            else:
                cells[i].leave(p, seen[k])
        self.kept[group] = array, parts

    def _part(self, i, array):
        """An output, on its device, or as an array of NumPy."""
        _, place = self.spec.mesh.rows.get(self.spec.outputs[i], (None, 0))
        part = array.addressable_data(place)
        if not self.spec.stays[i]:
            part = np.asarray(part)
        return part.reshape(()) if i in self.scalars else part


def _is_held(cell):
    """Whether a tensor of the program has the buffer of a cell."""
    return sys.getrefcount(cell.device_value) > _OWN_REFERENCES


class _Lowering(Lowering):
    """The values of one trace, as the first device sees them."""

    def __init__(self, executable):
        super().__init__(executable.spec.cell_of)
        self.executable = executable
        self.program, self.mesh = executable.spec.program, executable.spec.mesh
        self.handles = {t for row in self.mesh.variables for t in row}
        self.repeats: dict = {}  # {tensor: those that equal it}
        for t, first in self.mesh.same.items():
            self.repeats.setdefault(first, []).append(t)

    def apart(self):
        """A scope of its own, for a body or a called function: of one device."""
        return Lowering(self.cell_of)

    def of(self, t):
        """The value of a tensor, for a row that of this device."""
        members, _ = self.mesh.rows.get(t, ((t,), 0))
        return self.value(members[0], self.program)

    def run_items(self):
        """Lower all items of the mesh."""
        for item in self.mesh.items:
            if item.kind == "sum":
                (out,) = item.node.outputs
                self.env[out] = lax.psum(self.of(item.foreign[0]), AXIS)
            elif item.draws:
                self._draw(item)
            elif item.foreign:
                self._run_for_all(item)
            else:
                self.run([item.node], self.program)
            for t in item.node.outputs:
                for repeat in self.repeats.get(t, ()):
                    self.env[repeat] = self.env[t]
        for stream, total in self.mesh.streams.items():
            cell = self.cell_of(stream)
            self.states[cell] = self.states[cell] + _steps(np.uint64(total))

    def _draw(self, item):
        """A draw of each device from a stream that they share, in their order."""
        cell = self.cell_of(item.node.attrs[item.node.opdef.cell])
        start = self.states[cell]
        before = jnp.asarray(item.draws, np.uint64)[lax.axis_index(AXIS)]
        self.states[cell] = start + _steps(before)
        self.run([item.node], self.program)
        self.states[cell] = start

    def _run_for_all(self, item):
        """A node for all that takes values of single devices: these go to all."""
        own, cells_of = dict(self.env), {}
        for t in item.foreign:
            members, place = self.mesh.rows[t]
            if t in self.handles:
                first, cell = map(self.executable.cell, (members[0], t))
                cells_of[cell] = self.states.get(cell)
                self.states[cell] = self._of_device(self.states[first], place)
            else:
                self.env[t] = self._of_device(own[members[0]], place)
        self.run([item.node], self.program)
        made = {t: self.env[t] for t in item.node.outputs}
        self.env = own | made
        self.states |= cells_of

    def _of_device(self, value, place):
        return lax.all_gather(value, AXIS)[place]


def _steps(count):
    """What to add to the state of a stream for so many draws."""
    return jnp.stack([jnp.asarray(count, np.uint64), jnp.uint64(0)])
