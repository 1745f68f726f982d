"""The interpreter: a program as a list of closures over one list of values.

It is the reference for the passes and for XLA, and what runs while nothing is compiled.
"""

from collections.abc import Callable
from functools import partial

from twinflow.base import dtypes, errors, frames
from twinflow.base.convert import held
from twinflow.base.op import InferError
from twinflow.execute.homes import lock_of
from twinflow.graph import fit


class Step:
    """A closure over the list of values, the node it came from, and its input slots."""

    __slots__ = ("ins", "node", "run")

    def __init__(self, run, node, ins):
        self.run, self.node, self.ins = run, node, ins


class Assembler:
    """Gives every tensor a slot and turns nodes into steps.

    Args:
        cell_of: from the cell of a graph (a variable's, a random stream's) to the one
            that a run works on.
    Attributes:
        locking: whether steps on cells take their lock (Note [Threads]); those of a
            cluster have it.
    """

    def __init__(self, cell_of):
        self.cell_of, self.locking = cell_of, False
        self.slots: dict = {}
        self.values: list = []

    def slot(self, t, program):
        """The slot of a tensor; what is known before the run is put there at once."""
        t = program.resolve(t)
        found = self.slots.get(t)
        if found is None:
            found = self.slots[t] = self.new_slot()
            self.values[found] = self.known(t, program)
        return found

    def known(self, t, program):
        """The value of a constant, or the cell of a variable's handle."""
        value = program.const(t)
        if value is not None:
            return value
        return self.cell_of(t.op.attrs["cell"]) if t.op.type == "VarHandleOp" else None

    def place(self, t, program):
        """Where the node of `t` puts it: aside, if the run was given another value."""
        return self.new_slot() if t in program.fed else self.slot(t, program)

    def new_slot(self):
        """A slot for something that is no tensor."""
        self.values.append(None)
        return len(self.values) - 1

    def assemble(self, nodes, program):
        """The steps of `nodes`; constants need none."""
        return [self.step(n, program) for n in nodes if not is_known(n, program)]

    def step(self, node, program):
        """The step of one node."""
        ins = [
            [self.slot(t, program) for t in a] if type(a) is list
            else self.slot(a, program)
            for a in node.args()
        ]  # fmt: skip
        special = special_steps.get(node.type)
        if special is not None:
            return Step(special(self, node, program), node, ins)
        compute = _compute(self.kernel(node), ins)
        outs = [self.place(t, program) for t in node.outputs]
        put = _one_output if node.opdef.single else _outputs
        if any(t.dtype is dtypes.string for t in node.outputs):
            compute = _held(compute, node.opdef.single)
        run = put(compute, outs)
        if self.locking and node.opdef.step:
            run = _locked(run, lock_of(self.cell_of))
        return Step(run, node, ins)

    def kernel(self, node):
        """The NumPy kernel of a node with its attributes (and cell) bound."""
        op, attrs = node.opdef, node.attrs
        if op.cell in attrs:
            attrs = {**attrs, op.cell: self.cell_of(attrs[op.cell])}
        kernel = partial(op.np, **attrs) if attrs else op.np
        kernel = _checked(op.check, kernel, attrs) if op.check else kernel
        return _fitting(op, kernel, attrs) if fit.is_open(node) else kernel


def _locked(run, lock):
    def run_alone(v):
        with lock:
            run(v)

    return run_alone


def _unfed_step(asm, node, program):
    """A placeholder that is run was not fed."""
    shape = node.attrs["shape"]
    words = f"dtype {_CPP.get(node.attrs['dtype'].name, node.attrs['dtype'].name)}"
    if shape:
        dims = ",".join("?" if d is None else str(d) for d in shape)
        words += f" and shape [{dims}]"

    def run(v):
        raise errors.InvalidArgumentError(
            None, None,
            f"You must feed a value for placeholder tensor {node.name!r} with {words}",
        )  # fmt: skip

    return run


_CPP = {"float16": "half", "float32": "float", "float64": "double"}
# op type -> (assembler, node, program) -> closure
special_steps: dict = {"Placeholder": _unfed_step}


def is_known(node, program):
    """Whether nothing is left to do for `node` at run time."""
    if node.type in ("Const", "VarHandleOp", "NoOp"):
        return True
    outputs = node.outputs
    return bool(outputs) and all(program.const(t) is not None for t in outputs)


def _checked(check, kernel, attrs):
    def run(*args):
        message = check(*args, **attrs)
        if message:
            raise errors.InvalidArgumentError(None, None, message)
        return kernel(*args)

    return run


def _fitting(op, kernel, attrs):
    """The kernel, run once `infer` has seen the shapes (see graph.fit)."""
    if any(a.host or a.is_list for a in op.sig.inputs):

        def run(*args):
            fit.check(op, args, attrs)
            return kernel(*args)

        return run
    seen = None

    def run_unless_seen(*args):
        nonlocal seen
        shapes = [a.shape for a in args]
        if shapes != seen:
            fit.check(op, args, attrs)
            seen = shapes
        return kernel(*args)

    return run_unless_seen


def _compute(kernel, ins):
    if any(type(i) is list for i in ins):
        return lambda v: kernel(*inputs(v, ins))
    if len(ins) == 1:
        (a,) = ins
        return lambda v: kernel(v[a])
    if len(ins) == 2:
        a, b = ins
        return lambda v: kernel(v[a], v[b])
    return lambda v: kernel(*[v[i] for i in ins])


def _held(compute, single):
    """As `compute`, with strings as arrays."""
    if single:
        return lambda v: held(compute(v))
    return lambda v: [held(value) for value in compute(v)]


def inputs(v, ins):
    """The values at input slots."""
    return [[v[j] for j in i] if type(i) is list else v[i] for i in ins]


def _one_output(compute, outs):
    (out,) = outs

    def run(v):
        v[out] = compute(v)

    return run


def _outputs(compute, outs):
    def run(v):
        for o, value in zip(outs, compute(v), strict=False):
            v[o] = value

    return run


def execute(steps, values):
    """Run steps in order; an error names the node and the user's line."""
    step = None
    try:
        for step in steps:
            step.run(values)
    except Exception as error:
        found = located(error, step, values)
        raise found from (None if isinstance(error, errors.OpError) else error)


_OF_KERNELS = ValueError | TypeError | ArithmeticError | IndexError | InferError


def located(error, step, values):
    """`error` as the error of a node: its op, its name and the user's line."""
    if getattr(error, "located", False) or isinstance(error, MemoryError):
        return error
    if not isinstance(error, errors.OpError | _OF_KERNELS):
        return error
    node = step.node
    if isinstance(error, errors.OpError):
        plain = type(error) is errors.OpError  # it takes a code as well
        kind: Callable[..., errors.OpError] = (
            errors.UnknownError if plain else type(error)
        )
        message = error.message
    else:
        kind, message = errors.InvalidArgumentError, _reworded(error, step, values)
    where = frames.format_frame(node.frames[0]) if node.frames else "unknown"
    text = f"{message}\n\t [[node {node.name} (defined at {where}) ]]"
    found = kind(node, node, text, frames=node.frames)
    found.located = True
    return found


def _reworded(error, step, values):
    """What `infer` says of inputs a kernel refused, else the kernel's own words."""
    op = step.node.opdef
    try:
        fit.check(op, inputs(values, step.ins), step.node.attrs)
    except InferError as found:
        return str(found)
    except Exception:
        pass
    return f"{type(error).__name__}: {error}"
