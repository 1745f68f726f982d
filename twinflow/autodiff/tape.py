"""GradientTape: records what is computed and differentiates it."""

import operator
from typing import TYPE_CHECKING, Any

from twinflow.autodiff import cards, reasons
from twinflow.autodiff.backprop import backprop, total
from twinflow.autodiff.memory import LocatedRecords, of_records
from twinflow.base import dispatch, dtypes, nest
from twinflow.base.advice import advised
from twinflow.base.convert import number_array
from twinflow.base.operators import TensorValue
from twinflow.base.tape_record import record_unary
from twinflow.base.tensor import ResourceHandle, Tensor, TensorLike
from twinflow.ops.core.constant import Identity, convert_to_tensor, identity
from twinflow.ops.core.creation import ones_like, zeros_like
from twinflow.ops.core.index import IndexedSlices

if TYPE_CHECKING:
    from twinflow.autodiff.reasons.paths import Explanation

_SOURCES = (Tensor, ResourceHandle)
_NO_SLOPES = frozenset(
    t for t in dtypes.ALL_TYPES if t.is_integer or t.is_bool or t is dtypes.string
)
_push, _pop = dispatch.push_tape, dispatch.pop_tape
_handle_id = operator.methodcaller("handle_id")


class GradientTape:
    """Records the ops of a block, to differentiate them afterwards.

    Trainable variables are watched when they are read; tensors by `watch`.

    Args:
        persistent: keep the record, so that `gradient` may be called many times.
        watch_accessed_variables: watch trainable variables without being asked.
        lines: note the user's line with each record and what the block computes, for
            `memory` and `explain`; slower, and it keeps all tensors of the block.
    Example:
        x = tf.constant(3.)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        tape.gradient(y, x)  # 6.0
    """

    __slots__ = (
        "watched",
        "records",
        "_persistent",
        "_auto",
        "_used",
        "_on",
        "_begun",
        "_seen",
        "__weakref__",
        "__dict__",
    )

    def __init__(
        self, persistent: bool = False, watch_accessed_variables: bool = True,
        lines: bool = False,
    ) -> None:  # fmt: skip
        self.watched: set[int] = set()
        self.records: list[Any] = LocatedRecords() if lines else []
        self._persistent, self._auto = persistent, watch_accessed_variables
        self._used = self._on = self._begun = False
        self._seen: dict[Any, Any] | None = None

    def __enter__(self) -> "GradientTape":
        if self._on:
            raise ValueError("Tape is already recording.")
        if self._used:  # begins anew, as in TensorFlow
            self._forget()
        _push(self)
        if type(self.records) is LocatedRecords:
            dispatch.slow_observer(1)
            reasons.begin(self.records.history)
        self._on = self._begun = True
        return self

    def __exit__(self, *exc: Any) -> None:
        if self._on:
            _pop(self)
            if type(self.records) is LocatedRecords:
                dispatch.slow_observer(-1)
                reasons.end(self.records.history)
            self._on = False

    def watch(self, tensor: Any) -> None:
        """Record what is computed from `tensor` (a structure of tensors/variables).

        Tensors of integers, bools and strings have no slopes and are left out.
        """
        tensors: Any = (tensor,) if isinstance(tensor, _SOURCES) else _flat(tensor)
        now = dispatch.EagerTensor
        for t in tensors:
            if type(t) is now:
                if t.dtype not in _NO_SLOPES:
                    t._id = found = t._id or dispatch.next_id()
                    self.watched.add(found)
                continue
            found = _source_id(t)
            if t.dtype.base_dtype not in _NO_SLOPES:
                self.watched.add(found)
                if isinstance(t, ResourceHandle):
                    self._remember(t)

    def accessed(self, variable: Any, tensor_id: Any) -> None:
        """Called by variables when they are read."""
        if self._auto and variable.trainable:
            self.watched.add(tensor_id)
            self._remember(variable)

    def _remember(self, variable: Any) -> None:
        if self._seen is None:
            self._seen = {}
        self._seen[id(variable)] = variable

    def _repr_html_(self) -> str:
        return cards.of_tape(self)

    def watched_variables(self) -> tuple[Any, ...]:
        """The variables that this tape watches, in the order of their making."""
        return tuple(sorted((self._seen or {}).values(), key=_handle_id))

    def stop_recording(self) -> Any:
        """A context in which nothing is recorded.

        Raises:
            RuntimeError: the tape has recorded nothing yet.
        """
        if not self._begun:
            raise RuntimeError(
                "Trying to stop recording a tape which is not recording."
            )
        return _Stopped(self)

    def reset(self) -> None:
        """Forget everything recorded and watched.

        Raises:
            ValueError: the tape is not recording.
        """
        if not self._on:
            raise ValueError("Tape is not recording.")
        self._forget()

    def _forget(self) -> None:
        self.records.clear()
        self.watched.clear()
        self._seen, self._used = None, False

    def memory(self) -> Any:
        """What the tape keeps for `gradient`, before that is called: a Memory.

        Example:
            x = tf.Variable([1., 2.])
            with tf.GradientTape(lines=True) as tape: loss = tf.reduce_sum(x * x)
            print(tape.memory())  # bytes, op and line of the user's program
        """
        return of_records(self.records)

    def explain(self, target: Any, source: Any) -> "Explanation":
        """Why the gradient of `target` with respect to `source` is what it is.

        It may be asked before and after `gradient`, also of a tape that is not
        persistent. The path and the lines are known to a tape with `lines=True`.

        Args:
            target: a tensor. source: a tensor or variable.
        Returns:
            An Explanation: `print` shows the cause (None: not watched, stop_gradient, a
            cast, NumPy in between, ...; zero: a dead relu, a factor of 0, ...; not
            finite: the op where it began), the line, and the path of ops between.
        Example:
            x = tf.constant(3.)
            with tf.GradientTape(lines=True) as tape:
                tape.watch(x)
                y = tf.stop_gradient(x) * 2.
            tape.explain(y, x).cause  # "stop_gradient"
        """
        return reasons.explained(self, target, source)

    def gradient(
        self, target: Any, sources: Any, output_gradients: Any = None,
        unconnected_gradients: str = "none",
    ) -> Any:  # fmt: skip
        """d target / d sources.

        Args:
            target: a tensor, or a structure of tensors whose gradients are added up.
            sources: a tensor or variable, or a structure of them.
            output_gradients: the incoming gradient of each target; ones by default.
            unconnected_gradients: "none" or "zero": what an unreached source gets.
        Returns:
            One gradient per source, in the structure of `sources`; None where the
            target does not depend on it.
        Raises:
            RuntimeError: a second call on a tape that is not persistent, or nothing
                was recorded.
        """
        if not self._begun:
            raise RuntimeError(
                "GradientTape.gradient needs a tape that has recorded: compute the "
                "target in `with tape:`."
            )
        if unconnected_gradients not in ("none", "zero"):
            raise ValueError(
                f"Unknown value for unconnected_gradients: {unconnected_gradients!r}; "
                "expected 'none' or 'zero'."
            )
        if self._used:
            raise advised(
                RuntimeError,
                "GradientTape.gradient can only be called once on non-persistent "
                "tapes.",
            )
        if self._on and not self._persistent:
            self.__exit__()
        now = dispatch.EagerTensor
        one = type(sources) is now
        flat = [sources] if one else _flat(sources)
        ids = [(type(s) is now and s._id) or _source_id(s) for s in flat]
        grads = self._seeds(target, output_gradients, ids)
        self._used = not self._persistent
        found = backprop(self.records, grads, ids, consume=self._used)
        out = _separate([*map(found.get, ids)], output_gradients)
        if unconnected_gradients != "none":
            out = [
                zeros_like(s) if d is None else d
                for d, s in zip(out, flat, strict=True)
            ]
        if flat is sources or one:
            return out[0] if one else out
        return nest.pack_sequence_as(sources, out)

    def _seeds(self, target: TensorValue, output_gradients: Any, ids: list) -> dict:
        """The incoming gradients by tensor id."""
        if isinstance(target, Tensor) and output_gradients is None:
            found = target._id
            if not found or (found in ids and not self._computed(found)):
                return {}
            return {found: _one(target)}
        targets = nest.flatten(target)
        dys = [None] * len(targets)
        if output_gradients is not None:
            dys = nest.flatten(output_gradients)
        grads: dict = {}
        for t, dy in zip(targets, dys, strict=True):
            t = t._as_tensor() if isinstance(t, TensorLike) else t
            if not t._id or (dy is None and t._id in ids and not self._computed(t._id)):
                continue
            dy = ones_like(t) if dy is None else convert_to_tensor(dy, t.dtype)
            old = grads.get(t._id)
            grads[t._id] = dy if old is None else total(old, dy)
        return grads

    def _computed(self, tensor_id: Any) -> bool:
        """Whether a record gives this tensor: a source as the target gets None."""
        return any(
            tensor_id == out or (type(out) is tuple and tensor_id in out)
            for _, _, out, _, _ in self.records
        )


class _Stopped:
    def __init__(self, tape: Any) -> None:
        self.tape = tape

    def __enter__(self) -> None:
        if not self.tape._on:
            raise ValueError("Tape is not recording.")
        self.tape.__exit__()

    def __exit__(self, *exc: Any) -> None:
        self.tape.__enter__()


def _flat(sources: Any) -> list[Tensor]:
    """The leaves of `sources`: the list itself where it is flat."""
    if type(sources) is list:
        now = dispatch.EagerTensor
        for s in sources:
            if type(s) is not now and not isinstance(s, _SOURCES):
                break
        else:
            return sources
    return nest.flatten(sources)


def _source_id(t: Any) -> int:
    if type(t) is dispatch.EagerTensor and t._id:
        return t._id
    if not isinstance(t, Tensor):
        if isinstance(t, ResourceHandle):
            return t.handle_id()
        raise TypeError(
            f"Expected a tensor or variable, got {t!r} of type {type(t).__name__}. "
            "Convert it with tf.convert_to_tensor and use the result in the tape."
        )
    if not t._id:
        t._id = dispatch.next_id()
    return t._id


def _one(target: Any) -> Tensor:
    """Ones like `target`; those of an eager scalar share their value."""
    if type(target) is dispatch.EagerTensor and not target._a.ndim:
        dtype = target.dtype
        one = dtype.scalars.get(1.0)
        if one is not None:
            return dispatch.wrap(one, dtype)
        if dtype.is_inexact:
            return dispatch.wrap(number_array(1.0, dtype), dtype)
    return ones_like(target)


def _separate(grads: list, lent: Any) -> list:
    """The gradients as tensors that nobody else holds.

    Rules may give one tensor to several inputs, or one that the user holds. If it were
    handed out, a tape that watches one of them would take it for all of them.

    Args:
        grads: tensors, IndexedSlices or None. lent: the user's incoming gradients.
    """
    now, wrap = dispatch.EagerTensor, dispatch.wrap
    seen = None if lent is None else {id(t) for t in nest.flatten(lent)}
    out = []
    for d in grads:
        if type(d) is now and not d._id:  # nearly always
            d = wrap(d._a, d.dtype)
        elif d is not None:
            seen = set() if seen is None else seen
            d = _alone(d, seen)
        out.append(d)
    return out


def _alone(d: Any, seen: set[int]) -> IndexedSlices | Tensor:
    if isinstance(d, IndexedSlices):
        return IndexedSlices(_alone(d.values, seen), d.indices, d.dense_shape)
    if d.symbolic:
        d = identity(d) if id(d) in seen else d
        seen.add(id(d))
        return d
    alias = d._alias()
    if d._id and (tapes := dispatch.local.top.tapes):
        record_unary(Identity, tapes, d, alias, Identity.sig.attrs)
    return alias
