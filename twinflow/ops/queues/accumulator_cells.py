"""The homes of accumulators: gradients of one step, until there are enough of them.

Note [Accumulators]: a gradient says for which step it was computed; what is older than
the accumulator's own step is dropped. Taking the mean (or sum) waits until enough
gradients are in, empties the accumulator, and moves its step on by one.
"""

import numpy as np

from twinflow.base import logging
from twinflow.base.blocking import Attempt, WaitingCell
from twinflow.base.errors import invalid
from twinflow.ops.core.infer import fits, text
from twinflow.ops.queues.resource_names import private_name


class _TakeGrad(Attempt):
    """Take what is accumulated, once it is enough."""

    __slots__ = ("required",)

    cancelled = "TakeGrad operation was cancelled"

    def __init__(self, required):
        super().__init__()
        self.required = required

    def advance(self, cell):
        """See Attempt."""
        return cell.count >= self.required and self.finish(cell.emptied())


class AccumulatorCell(WaitingCell):
    """An accumulator of dense gradients: see Note [Accumulators].

    Args:
        node: the name of its node. wanted: the shape of a gradient; None = not known.
        reduction: "MEAN" or "SUM". shared_name: or "".
    """

    __slots__ = ("count", "node", "reduction", "shared_name", "step", "total", "wanted")

    def __init__(self, node, wanted, reduction="MEAN", shared_name="", name=None):
        super().__init__(name or shared_name or node, lines=1)
        self.node, self.wanted = node, wanted
        self.reduction, self.shared_name = reduction, shared_name
        self.count, self.step, self.total = 0, 0, None

    def fresh(self):
        """An empty accumulator of the same kind, for a session of its own."""
        name = self.shared_name or private_name(self.node)
        args = self.node, self.wanted, self.reduction, self.shared_name, name
        return type(self)(*args)

    def accept(self, local_step, *gradient):
        """Add a gradient, unless it is stale."""
        self.check(*gradient)
        with self.changed:
            if local_step < self.step:
                return
            self.add(*gradient)
            self.count += 1
            self.flush()

    def take(self, required):
        """The mean or sum of what is in, once that are `required` gradients."""
        if required <= 0:
            raise invalid(f"Argument num_required must be positive, but was {required}")
        return self.attempt(0, _TakeGrad(required))

    def emptied(self):
        """What is in; then there is nothing, and the step is the next one."""
        found = self.reduced()
        self.total, self.count, self.step = None, 0, self.step + 1
        return found

    def set_step(self, step):
        """Say which step the gradients are for."""
        with self.changed:
            if step < self.step:
                logging.warning(
                    "Accumulator set_global_step: %d is before the step that it is at, "
                    "%d", step, self.step,
                )  # fmt: skip
            self.step = step

    # ------------------------------------------------------------------ the gradients
    def check(self, gradient):
        """Raises InvalidArgumentError where a gradient does not fit."""
        wanted = self.wanted if self.total is None else np.shape(self.total)
        found = np.shape(gradient)
        if not fits(wanted, found):
            raise invalid(f"Shape mismatch: expected {text(wanted)}, got {text(found)}")

    def add(self, gradient):
        """Add to what is in."""
        self.total = gradient if self.total is None else self.total + gradient

    def reduced(self):
        """The mean or sum of what is in."""
        if self.reduction == "SUM":
            return self.total
        return (self.total / self.count).astype(self.total.dtype)


class SparseAccumulatorCell(AccumulatorCell):
    """An accumulator of gradients of rows.

    The mean of a row is taken over the gradients that have it. `total` holds the
    numbers of the rows, in order, the rows, and how many gradients had each.
    """

    __slots__ = ()

    def check(self, indices, values, shape, has_known_shape):
        """Raises InvalidArgumentError where a gradient does not fit."""
        if np.ndim(indices) != 1:
            found = text(np.shape(indices))
            raise invalid(f"Input indices should be vector but received shape: {found}")
        if not np.ndim(values):
            raise invalid("Values cannot be 0-dimensional.")
        if len(indices) != len(values):
            raise invalid(
                f"Expected {len(indices)} non-empty input values, got {len(values)}"
            )
        wanted = self.wanted
        if wanted and has_known_shape:
            self._check_shape(shape)
            _check_places(indices, shape[0])
        elif wanted and wanted[0] is not None:
            _check_places(indices, wanted[0])
        if wanted:
            _check_rows(wanted[1:], np.shape(values)[1:], "at least ")
        if self.total is not None:
            _check_rows(self.total[1].shape[1:], np.shape(values)[1:])

    def _check_shape(self, shape):
        wanted = self.wanted
        if len(shape) < len(wanted):
            raise invalid(
                f"Shape mismatch: expected shape rank at least {len(wanted)}, got "
                f"{len(shape)}"
            )
        for i, (w, f) in enumerate(zip(wanted, shape)):
            if w not in (None, f):
                raise invalid(
                    f"Shape mismatch: expected shape dim {i} to be {w}, got {f}"
                )

    def add(self, indices, values, shape, has_known_shape):
        """Add to what is in."""
        if self.total is None:
            self.total = indices, values, np.ones(len(indices), np.int64)
        else:
            self.total = _merged(*self.total, indices, values)

    def reduced(self):
        """The numbers of the rows, the rows, and the shape as far as it is known."""
        indices, values, counts = self.total
        if self.reduction == "MEAN":
            divisor = counts.reshape(-1, *[1] * (values.ndim - 1))
            values = (values / divisor).astype(values.dtype)
        first = self.wanted[0] if self.wanted else None
        shape = [-1 if first is None else first, *values.shape[1:]]
        return indices, values, np.array(shape, np.int64)


def _check_places(indices, limit):
    outside = np.flatnonzero(indices >= limit)
    if len(outside):
        i = outside[0]
        raise invalid(
            f"Shape mismatch: index of slice {i} exceeded limits of shape; index "
            f"is {indices[i]} exceeded {limit}"
        )


def _check_rows(wanted, found, least=""):
    """Refuse rows of other shapes; `least` says that they may have further axes."""
    if len(found) < len(wanted) or (not least and len(found) > len(wanted)):
        raise invalid(
            f"Shape mismatch: expected values rank {least}{len(wanted) + 1}, got "
            f"{len(found) + 1}"
        )
    for i, (w, f) in enumerate(zip(wanted, found), 1):
        if w not in (None, f):
            raise invalid(f"Shape mismatch: expected values dim {i} to be {w}, got {f}")


def _merged(indices, values, counts, more, rows):
    """Two lists of rows in order as one: those of one number are added.

    The numbers of a gradient are to be in order, each there once; those of one that
    is not stay apart, as in TensorFlow 1.12.
    """
    places = _places(indices.tolist(), more.tolist())
    size = len(places)
    left, right = (np.array([p[i] for p in places], int) for i in range(2))
    out_indices = np.empty(size, np.int64)
    out_values = np.zeros((size, *values.shape[1:]), values.dtype)
    out_counts = np.zeros(size, np.int64)
    for place, source, rows_in, count in (
        (left, indices, values, counts),
        (right, more, rows, np.ones(len(more), np.int64)),
    ):
        here = place >= 0
        out_indices[here] = source[place[here]]
        out_values[here] += rows_in[place[here]]
        out_counts[here] += count[place[here]]
    return out_indices, out_values, out_counts


def _places(a, b):
    """For each row of the result its places in both lists, -1 where it is in one."""
    i = j = 0
    out = []
    while i < len(a) and j < len(b):
        first, second = a[i] <= b[j], b[j] <= a[i]
        out.append((i if first else -1, j if second else -1))
        i, j = i + first, j + second
    out += [(k, -1) for k in range(i, len(a))]
    return out + [(-1, k) for k in range(j, len(b))]
