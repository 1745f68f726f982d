"""GradientTape.explain: why a gradient is None, zero or not finite."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from twinflow.autodiff.backprop import _open, total
from twinflow.autodiff.reasons.paths import Explanation, Passage, Paths, cut_of
from twinflow.base import dispatch
from twinflow.base.frames import format_frame
from twinflow.base.tensor import ResourceHandle, TensorLike
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.index import IndexedSlices

_ASK = "Make the tape with tf.GradientTape(lines=True): it then knows the path."
# op: what makes its derivative 0
_ZERO = {
    "Relu": "its {n} inputs are all below or at 0: the relu is dead",
    "Relu6": "all inputs are outside of 0 to 6",
    "Square": "its input is 0 everywhere",
    "Abs": "its input is 0 everywhere, where the slope of abs is taken as 0",
    "Sign": "sign is constant around each of its inputs",
    "Floor": "floor is constant around each of its inputs",
    "ClipByValue": "all inputs are outside of the range",
    "Select": "the other side of tf.where was taken everywhere",
    "Tanh": "it is saturated: its inputs are too far from 0",
    "Sigmoid": "it is saturated: its inputs are too far from 0",
    "Minimum": "the other input is the smaller one everywhere",
    "Maximum": "the other input is the larger one everywhere",
}
_NAMES = {
    "Relu": "dead relu", "Relu6": "dead relu", "ClipByValue": "clipped",
    "Minimum": "clipped", "Maximum": "clipped", "Select": "not selected",
    "Tanh": "saturated", "Sigmoid": "saturated",
}  # fmt: skip
_FACTORS = ("Mul", "MatMul", "BatchMatMul", "RealDiv", "Div")


def explained(tape: Any, target: Any, source: Any) -> Explanation:
    """See GradientTape.explain."""
    history = getattr(tape.records, "history", None)
    start, end = id_of(source), getattr(target, "_id", 0)
    name = _name(source)
    found = _unwatched(tape, source, start, name, history)
    if found is not None:
        return found
    if history is None:
        return _without_history(tape, start, end, name)
    paths = Paths(history.passages, start, end)
    late = _watched_late(paths, history, start, name)
    if late is not None:
        return late
    cut = cut_of(paths)
    if cut is not None:
        return cut
    if not end or end not in paths.reached:
        return _apart(paths, history, end, name)
    if start == end:
        return Explanation(
            "the source itself", "the target is the source: nothing was computed, and "
            "a tape gives None. Use tf.identity(source) as the target.",
        )  # fmt: skip
    passages = [p for p in history.passages if p.record is not None]
    return of_values(passages, paths, target, start, name)


def id_of(value: Any) -> int:
    """The id under which tapes know a tensor or variable."""
    return value.handle_id() if isinstance(value, ResourceHandle) else value._id


def _name(source: Any) -> str:
    if isinstance(source, ResourceHandle):
        return f"the variable {source.name!r}"  # type: ignore[attr-defined]
    return "the source"


def _unwatched(
    tape: Any, source: Any, start: int, name: str, history: Any
) -> Explanation | None:
    dtype = source.dtype.base_dtype
    if not (dtype.is_floating or dtype.is_complex):
        return Explanation(
            "dtype", f"{name} is of {dtype.name}, and only floats have gradients. Cast "
            "it before the tape watches it.",
        )  # fmt: skip
    if start in tape.watched:
        return None
    if isinstance(source, ResourceHandle) and not source.trainable:  # type: ignore
        return Explanation(
            "not trainable", f"{name} was made with trainable=False, and tapes watch "
            "trainable variables. Call tape.watch(variable).",
        )  # fmt: skip
    used = [p for p in getattr(history, "passages", ()) if start and start in p.ins]
    if isinstance(source, ResourceHandle) and tape._auto and not used:
        return Explanation(
            "not used", f"{name} was not read while the tape recorded: the target does "
            "not depend on it, or was computed before or outside of the tape.",
        )  # fmt: skip
    line = used[0].line if used else ""
    return Explanation(
        "not watched", f"the tape does not watch {name}. Call tape.watch(source) in "
        "the block, before it is used.", line,
    )  # fmt: skip


def _without_history(tape: Any, start: int, end: int, name: str) -> Explanation:
    passages = []
    for v, in_ids, out, _, _ in tape.records:
        ins = [i for e in in_ids for i in (e if type(e) is tuple else (e,))]
        outs = out if type(out) in (tuple, list) else (out,)
        passages.append(Passage(getattr(getattr(v, "op", None), "type", "call"),
                                ins, outs, ins))  # fmt: skip
    if tape._used:
        message = f"the tape has given its records away. {_ASK}"
        return Explanation("not known", message)
    if end and end in Paths(passages, start, end).open:
        return Explanation("not known", f"{name} leads to the target. {_ASK}")
    return Explanation("not connected", f"no gradient goes from the target to {name}. "
                       f"{_ASK}")  # fmt: skip


def _watched_late(
    paths: Paths, history: Any, start: int, name: str
) -> Explanation | None:
    """Whether the source was used before the tape watched it."""
    users = [p for p in history.passages if start in p.open]
    if not users or any(p.record is not None for p in users):
        return None
    if paths.target not in paths.open:
        return None
    return Explanation(
        "watched too late", f"{name} was used before tape.watch was called. Watch it "
        "first.", users[0].line, paths.path(), cut=users[0],
    )  # fmt: skip


def _apart(paths: Paths, history: Any, end: int, name: str) -> Explanation:
    """Why nothing leads from the source to the target."""
    if not end or not paths.before[end]:
        return Explanation(
            "computed outside", "the target was not computed while the tape recorded: "
            "before the block, after it, in stop_recording, or by NumPy or tf.py_func.",
        )  # fmt: skip
    made = {o for p in history.passages for o in p.outs}
    reads = [(i, f) for i, f in history.reads if i in paths.reached and f is not None]
    leaves = [
        p for p in history.passages
        if any(o in paths.needed for o in p.outs) and any(i not in made for i in p.ins)
    ]  # fmt: skip
    if reads and leaves:
        i, frame = reads[-1]
        rest = [p for p in history.passages if any(o in paths.needed for o in p.outs)]
        cut = Passage("numpy", [i], [], [], frame)
        trail = [*_until(paths, i), cut, *rest]
        return Explanation(
            "numpy", "the value left the tape for NumPy or Python here, and what came "
            "back is a constant. Use TensorFlow's functions, or tf.py_function.",
            format_frame(frame), trail, cut=cut,
        )  # fmt: skip
    return Explanation(
        "not connected", f"the target was computed without {name}: by the "
        "other branch of a tf.cond, or from values that were made elsewhere.",
        path=[p for p in history.passages if any(o in paths.needed for o in p.outs)],
    )  # fmt: skip


def _until(paths: Paths, i: Any) -> list:
    trail: list = []
    while paths.reached.get(i) is not None:
        i, p = paths.reached[i]
        trail.insert(0, p)
    return trail


# ------------------------------------------------------------------ values
def of_values(
    passages: list, paths: Paths, target: Any, start: Any, name: str
) -> Explanation:
    """Where a gradient that is there becomes zero or not finite.

    Args:
        passages: those with records, in the order of computing.
    """
    between, grads = paths.between(), {paths.target: ones_like(_tensor(target))}
    zeros: list = []
    bad: list = []
    for p in reversed(passages):
        for state, i in _states(p, grads, start):
            if i in between:
                (bad if state == "bad" else zeros).append((p, i, state))
    final = grads.get(start)
    state = state_of(final)
    if state == "bad" and bad:
        p = bad[0][0]
        return Explanation(
            "not finite", f"the gradient has {_odd(final)} from {p.type} on: "
            f"{_why_bad(p)}", p.line, paths.path(), cut=p,
        )  # fmt: skip
    if state in ("zero", "none") and zeros:
        p, i, _ = zeros[0]
        others = [q for q, _, _ in zeros[1:] if q.line != p.line]
        cause, message = _why_zero(p, i)
        return Explanation(cause, message, p.line, paths.path(), others, p)
    if final is None:
        return Explanation(
            "not known", f"gradients go from the target to {name}, and the values of "
            "the ops between are not known.", path=paths.path(),
        )  # fmt: skip
    if state == "zero":
        return Explanation(
            "cancels", "the gradients of several paths are not zero, and add up to 0.",
            path=paths.path(),
        )  # fmt: skip
    return _fine(final, passages, paths, start, name)


def _states(p: Passage, grads: dict, start: Any) -> Iterator[tuple]:
    """Go back through a Passage: what arrives zero or odd, though dy was neither."""
    outs = {o: grads.get(o) for o in p.outs}
    came = {state_of(d) for d in outs.values() if d is not None}
    step = _open(grads, set(), {}, p.record)
    if step is None:
        return
    v, in_ids, kept, attrs, dy = step
    for i, dx in zip(in_ids, v.back(kept, attrs, dy), strict=False):
        pairs = (
            zip(i, dx or [None] * len(i), strict=True)
            if type(i) is tuple
            else [(i, dx)]
        )
        for one, d in pairs:
            if d is not None:
                old = grads.get(one)
                grads[one] = d if old is None else _sum(old, d)
            state = state_of(d)
            odd = state == "bad" and "bad" not in came
            if odd or (state in ("zero", "none") and "fine" in came):
                yield state, one


def _sum(a: Any, b: Any) -> Any:
    found = total(a, b)
    return found.join() if hasattr(found, "join") else found


def _tensor(value: Any) -> Any:
    return value._as_tensor() if isinstance(value, TensorLike) else value


def state_of(d: Any) -> str:
    """ "none", "zero", "bad" (not finite) or "fine"."""
    if d is None:
        return "none"
    values = d.values if isinstance(d, IndexedSlices) else d
    a = getattr(values, "_a", None)
    if not isinstance(a, np.ndarray | np.generic) or a.dtype.kind not in "fc":
        return "fine"
    if not np.all(np.isfinite(a)):
        return "bad"
    return "fine" if np.any(a) else "zero"


def _odd(d: Any) -> str:
    values: Any = d.values if isinstance(d, IndexedSlices) else d
    a = np.asarray(values._a)
    return f"{np.isnan(a).sum()} NaN and {np.isinf(a).sum()} inf among {a.size} numbers"


def _why_bad(p: Passage) -> str:
    arrays = [t._a for t in flat(p.inputs) if isinstance(t, dispatch.EagerTensor)]
    floats = [np.asarray(a) for a in arrays if getattr(a, "dtype", None) is not None]
    floats = [a for a in floats if a.dtype.kind in "fc"]
    odd = sum(int((~np.isfinite(a)).sum()) for a in floats)
    if odd:
        return f"its inputs have {odd} numbers that are not finite already"
    zeros = [f"{int((a == 0).sum())} of {a.size}" for a in floats if (a == 0).any()]
    if zeros:
        return (
            f"its inputs are 0 at {' and '.join(zeros)} places, where the slope is "
            "not finite. Keep them away from 0: tf.maximum(x, 1e-12)"
        )
    return "its slope overflows for these inputs"


def _why_zero(p: Passage, i: Any) -> tuple[str, str]:
    tensors = flat(p.inputs)
    mine = [t for t in tensors if getattr(t, "_id", None) == i]
    if p.type in _FACTORS:
        for t in tensors:
            if t not in mine and not np.any(np.asarray(getattr(t, "_a", 1))):
                return "zero factor", f"{p.type}: the other factor is 0 everywhere."
    text = _ZERO.get(p.type)
    if text is not None:
        n = mine[0]._a.size if mine else 0
        return _NAMES.get(p.type, "zero slope"), f"{p.type}: {text.format(n=n)}."
    return "zero slope", f"the slope of {p.type} is 0 for these inputs."


def flat(inputs: Any) -> list:
    """The tensors among the inputs of an op, those of lists included."""
    return [t for a in inputs for t in (a if isinstance(a, list) else [a])]


def _fine(d: Any, passages: list, paths: Paths, start: Any, name: str) -> Explanation:
    """A gradient that is there: whether some rows of it are not."""
    if isinstance(d, IndexedSlices) and d.dense_shape is not None:
        rows = int(np.asarray(d.dense_shape._a)[0])
        indices: Any = d.indices
        read = np.unique(np.asarray(indices._a))
        if read.size < rows:
            gather = next((p for p in passages if "Gather" in p.type), None)
            missing = np.setdiff1d(np.arange(rows), read)[:8].tolist()
            return Explanation(
                "rows never read", f"{read.size} of {rows} rows of {name} were "
                f"gathered; the gradient of the others is 0, such as {missing}.",
                gather.line if gather is not None else "", paths.path(),
            )  # fmt: skip
    return Explanation(
        "none", "nothing is wrong: the gradient is there, finite and not zero.",
        path=paths.path(),
    )  # fmt: skip
