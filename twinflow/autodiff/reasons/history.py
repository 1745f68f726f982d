"""What a tape with `lines=True` has seen: every op, also those without a gradient."""

from typing import Any

from twinflow.autodiff.reasons.paths import Passage, opened
from twinflow.base import dispatch
from twinflow.base.frames import user_frames
from twinflow.base.tape_record import LOGS

_READS = ("numpy", "__array__", "__float__", "__int__", "__index__", "__complex__")


class History:
    """The Passages that a tape saw; it keeps their tensors, so that ids stay theirs.

    Attributes:
        passages: in the order of computing. reads: (id, frame) of values that went to
            NumPy or Python.
    """

    def __init__(self) -> None:
        self.passages: list[Any] = []
        self.reads: list[Any] = []
        self._kept: list[Any] = []

    def note(self, op: Any, inputs: list[Any], outputs: list[Any]) -> None:
        """An op ran while the tape looked on."""
        flat = [t for a in inputs for t in (a if isinstance(a, list) else [a])]
        tensors = [t for t in (*flat, *outputs) if hasattr(t, "_id")]
        for t in tensors:
            t._id = t._id or dispatch.next_id()
        ins = [t._id for t in flat if hasattr(t, "_id")]
        outs = [t._id for t in outputs]
        if not outs and "Assign" in op.type:  # what reads the variable comes after
            outs = ins[:1]
        slopes = [t._id for t in opened(op, inputs, outputs)]
        frame = next(iter(user_frames(1)), None)
        dtype = outputs[0].dtype if outputs else None
        found = Passage(op.type, ins, outs, slopes, frame, dtype)
        found.inputs = inputs
        self.passages.append(found)
        self._kept.append(tensors)

    def attach(self, record: tuple[Any, ...], frame: Any) -> None:
        """The tape keeps a record: of the last op, or of a call or custom gradient."""
        v, in_ids, out, _, _ = record
        outs = out if type(out) is tuple or type(out) is list else (out,)
        last = self.passages[-1] if self.passages else None
        if last is None or last.record is not None or last.outs != tuple(outs):
            kind = v.op.type if hasattr(v, "op") else _label(v)
            ins = [i for e in in_ids for i in (e if type(e) is tuple else (e,))]
            last = Passage(kind, ins, outs, ins, frame)
            self.passages.append(last)
        last.record = record

    def read(self, t: Any) -> None:
        """The value of a tensor was given to Python."""
        if t._id:
            self.reads.append((t._id, next(iter(user_frames(1)), None)))

    def clear(self) -> None:
        """Forget everything."""
        self.passages.clear()
        self.reads.clear()
        self._kept.clear()


def _label(v: Any) -> str:
    graph = getattr(v, "graph", None)
    return "custom gradient" if graph is None else f"call of {graph.name}"


def begin(history: History) -> None:
    """Note what the tapes of this thread see, and which values Python reads."""
    if not LOGS:
        for name in _READS:
            _plain[name] = getattr(dispatch.EagerTensor, name)
            setattr(dispatch.EagerTensor, name, _noting(name))
    LOGS.append(history)


def end(history: History) -> None:
    """Note no more."""
    LOGS.remove(history)
    if not LOGS:
        for name, method in _plain.items():
            setattr(dispatch.EagerTensor, name, method)


_plain: dict = {}


def _noting(name: str) -> Any:
    method = _plain[name]

    def read(self: Any, *args: Any, **kwargs: Any) -> Any:
        for history in LOGS:
            history.read(self)
        return method(self, *args, **kwargs)

    return read
