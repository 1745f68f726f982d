"""tf.test.compute_gradient: the Jacobian by tf.gradients and by differences."""

from typing import Any

import numpy as np

from twinflow.execute.session import get_default_session
from twinflow.graph.gradients import gradients
from twinflow.ops.core.constant import constant, convert_to_tensor, identity


def compute_gradient(
    x: Any, x_shape: Any, y: Any, y_shape: Any, x_init_value: Any = None,
    delta: Any = 1e-3, init_targets: Any = None, extra_feed_dict: Any = None,
) -> Any:  # fmt: skip
    """The Jacobian of `y` with respect to `x`, in two ways, in the default session.

    Args:
        x: a tensor, or a list of them. x_shape: its shape as ints, or their list.
        y: a tensor that depends on `x`. y_shape: its shape as ints.
        x_init_value: where, an array (or a list of them); random by default.
        delta: the step of the central differences.
        init_targets: operations to run first.
        extra_feed_dict: further feeds.
    Returns:
        (by tf.gradients, by differences), arrays[size of x, size of y], where complex
        numbers count as two; a list of pairs for a list of `x`.
    Raises:
        ValueError: no default session, or `y` does not depend on `x`.
    """
    session = get_default_session()
    if session is None:
        raise ValueError("compute_gradient needs a session: `with tf.Session():`")
    several = isinstance(x, list)
    xs, shapes = (x, x_shape) if several else ([x], [x_shape])
    starts = x_init_value if several else [x_init_value]
    starts = starts or [None] * len(xs)
    for target in init_targets or ():
        session.run(target)
    starts = [_start(*start) for start in zip(xs, shapes, starts, strict=True)]
    dy = identity(constant(1.0, y.dtype, shape=list(y_shape)))
    slopes = gradients(y, xs, dy)
    feeds = dict(extra_feed_dict or {})
    pairs = []
    for t, start, slope in zip(xs, starts, slopes, strict=True):
        if slope is None:
            raise ValueError(f"{y} does not depend on {t}.")
        run = _Run(session, t, y, y_shape, dy, convert_to_tensor(slope), feeds)
        pairs.append((run.analytic(start), run.numeric(start, delta)))
    return pairs if several else pairs[0]


def _start(x, shape, value):
    kind = x.dtype.as_numpy_dtype
    if value is not None:
        return np.asarray(value, kind).reshape(shape)
    found = np.random.random_sample(shape).astype(kind)
    if x.dtype.is_complex:
        found = found + 1j * np.random.random_sample(shape)
    return np.asarray(found, kind)


class _Run:
    """One pair of x and y in a session."""

    def __init__(self, session, x, y, y_shape, dy, dx, feeds):
        self.session, self.x, self.y, self.dy, self.dx = session, x, y, dy, dx
        self.y_shape, self.feeds = y_shape, feeds

    def analytic(self, start):
        """The Jacobian by tf.gradients, a column for each number of y."""
        one = np.zeros(self.y_shape, self.y.dtype.as_numpy_dtype)
        columns = []
        for part in _parts(one):
            for i in np.ndindex(part.shape):
                part[i] = 1
                feeds = {**self.feeds, self.x: start, self.dy: one}
                columns.append(_flat(self.session.run(self.dx, feeds)))
                part[i] = 0
        if not columns:
            return self._empty(start, one)
        return np.stack(columns, 1)

    def _empty(self, start, one):
        """What `analytic` gives for a `y` without numbers; dx has the shape of x."""
        found = self.session.run(self.dx, {**self.feeds, self.x: start, self.dy: one})
        if found.shape != start.shape:
            raise ValueError(
                f"Empty gradient has wrong shape: expected {start.shape}, got "
                f"{found.shape}"
            )
        return np.zeros((_flat(start).size, 0), start.real.dtype)

    def numeric(self, start, delta):
        """The Jacobian by central differences, a row for each number of x."""
        moved, rows = start.copy(), []
        for part in _parts(moved):
            for i in np.ndindex(part.shape):
                at, ends = part[i], []
                for step in (delta, -delta):
                    part[i] = at + np.asarray(step, part.dtype)
                    feeds = {**self.feeds, self.x: moved}
                    ends.append(_flat(self.session.run(self.y, feeds)))
                part[i] = at
                rows.append((ends[0] - ends[1]) / (2 * delta))
        kind = _flat(np.zeros((), self.y.dtype.as_numpy_dtype)).dtype
        width = _flat(np.zeros(self.y_shape, self.y.dtype.as_numpy_dtype)).size
        return np.asarray(rows, kind).reshape(len(rows), width)


def _parts(array):
    """Views of the real numbers in an array."""
    return [array.real, array.imag] if array.dtype.kind == "c" else [array]


def _flat(array):
    """The real numbers in an array, the real parts first."""
    return np.concatenate([p.ravel() for p in _parts(np.asarray(array))])


def compute_gradient_error(
    x: Any, x_shape: Any, y: Any, y_shape: Any, x_init_value: Any = None,
    delta: Any = 1e-3, init_targets: Any = None, extra_feed_dict: Any = None,
) -> Any:  # fmt: skip
    """The largest difference between the two Jacobians of `compute_gradient`."""
    found = compute_gradient(
        x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict
    )
    pairs = found if isinstance(found, list) else [found]
    return max((np.abs(a - b).max(initial=0) for a, b in pairs), default=0)
