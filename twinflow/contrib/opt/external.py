"""Optimizers outside of the graph, such as SciPy's, which see all variables as one."""

import abc
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import optimize

from twinflow.base import logging
from twinflow.execute.default_sessions import get_default_session
from twinflow.graph.gradients import gradients
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import reshape
from twinflow.ops.variables.collections import trainable_variables

_OWN_KEYS = ("jac", "callback", "method", "constraints", "bounds")


def _nothing(*args: Any, **kwargs: Any) -> None:
    """What is called where the user gives no function."""


class ExternalOptimizerInterface(abc.ABC):
    """Minimizes a loss by a function of the values of all variables.

    Args:
        loss: a scalar tensor. var_list: all trainable variables by default.
        equalities, inequalities: tensors that are to be 0, or at least 0.
        var_to_bounds: {variable: (lower, upper)}, each broadcast to its shape.
        optimizer_kwargs: for the optimizer.
    """

    def __init__(
        self, loss: Any, var_list: Any = None, equalities: Any = None,
        inequalities: Any = None, var_to_bounds: Any = None, **optimizer_kwargs: Any,
    ) -> None:  # fmt: skip
        self._loss = loss
        self._equalities, self._inequalities = equalities or [], inequalities or []
        self._vars = trainable_variables() if var_list is None else list(var_list)
        self._packed_bounds = self._bounds(var_to_bounds)
        self._update_placeholders = [
            placeholder(v.dtype.base_dtype) for v in self._vars
        ]
        self._var_updates = [
            v.assign(reshape(p, v.shape.as_list()))
            for v, p in zip(self._vars, self._update_placeholders, strict=True)
        ]
        self._loss_grads = self._slope(loss)
        self._equality_grads = [self._slope(c) for c in self._equalities]
        self._inequality_grads = [self._slope(c) for c in self._inequalities]
        self.optimizer_kwargs = optimizer_kwargs
        self._packed_var = self._pack(self._vars)
        sizes = [v.shape.num_elements() for v in self._vars]
        ends = np.cumsum([0, *sizes]).tolist()
        self._packing_slices = [slice(a, b) for a, b in itertools.pairwise(ends)]

    def _bounds(self, var_to_bounds):
        """A pair of bounds for each entry of all variables, or None."""
        if var_to_bounds is None:
            return None
        found = []
        for v in self._vars:
            low, high = var_to_bounds.get(v, (-np.inf, np.inf))
            shape = v.shape.as_list()
            lows, highs = np.broadcast_to(low, shape), np.broadcast_to(high, shape)
            found.extend(zip(lows.ravel(), highs.ravel(), strict=True))
        return found

    def _slope(self, loss):
        grads = gradients(loss, self._vars)
        pairs = zip(grads, self._vars, strict=True)
        return self._pack([zeros_like(v) if g is None else g for g, v in pairs])

    def _pack(self, tensors):
        flat = [reshape(convert_to_tensor(t), [-1]) for t in tensors]
        return concat(flat, 0) if len(flat) > 1 else flat[0]

    def minimize(
        self, session: Any = None, feed_dict: Any = None, fetches: Any = None,
        step_callback: Callable[..., Any] | None = None,
        loss_callback: Callable[..., Any] | None = None, **run_kwargs: Any,
    ) -> None:  # fmt: skip
        """Bring the variables to where the loss is small.

        Args:
            session: a Session; the default one if it is None. feed_dict: what is fed.
            fetches: what `loss_callback` gets each time that the loss is computed.
            step_callback: called with all values after each step of the optimizer.
            loss_callback: see above. run_kwargs: for Session.run.
        """
        session = session or get_default_session()
        feed_dict, fetches = feed_dict or {}, list(fetches or [])
        loss_callback = loss_callback or _nothing

        def made(tensors, callback):
            return self._function(session, tensors, feed_dict, fetches, callback)

        def of_each(tensors):
            return [made([t], None) for t in tensors]

        found = self._minimize(
            initial_val=session.run(self._packed_var),
            loss_grad_func=made([self._loss, self._loss_grads], loss_callback),
            equality_funcs=of_each(self._equalities),
            equality_grad_funcs=of_each(self._equality_grads),
            inequality_funcs=of_each(self._inequalities),
            inequality_grad_funcs=of_each(self._inequality_grads),
            packed_bounds=self._packed_bounds, step_callback=step_callback or _nothing,
            optimizer_kwargs=self.optimizer_kwargs,
        )  # fmt: skip
        values = [found[part] for part in self._packing_slices]
        feeds = dict(zip(self._update_placeholders, values, strict=True))
        session.run(self._var_updates, feed_dict=feeds, **run_kwargs)

    def _function(self, session, tensors, feed_dict, fetches, callback):
        """The values of tensors as a function of the values of all variables."""

        def evaluate(x):
            pairs = zip(self._vars, self._packing_slices, strict=True)
            values = {v: x[part].reshape(v.shape.as_list()) for v, part in pairs}
            found = session.run([*tensors, *fetches], {**values, **feed_dict})
            if callback is not None:
                callback(*found[len(tensors) :])
            return found[: len(tensors)]

        return evaluate

    @abc.abstractmethod
    def _minimize(
        self, initial_val: Any, loss_grad_func: Any, equality_funcs: Any,
        equality_grad_funcs: Any, inequality_funcs: Any, inequality_grad_funcs: Any,
        packed_bounds: Any, step_callback: Any, optimizer_kwargs: Any,
    ) -> Any:  # fmt: skip
        """The values of all variables where the loss is small: a subclass has it."""


class ScipyOptimizerInterface(ExternalOptimizerInterface):
    """Minimizes a loss by scipy.optimize.minimize, "L-BFGS-B" by default.

    Args:
        optimizer_kwargs: `method`, `options` and others of scipy.optimize.minimize.
        Others: see ExternalOptimizerInterface.
    Example:
        x = tf.Variable([7.0, 7.0])
        loss = tf.reduce_sum(tf.square(x - 3.0))
        optimizer = tf.contrib.opt.ScipyOptimizerInterface(loss)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            optimizer.minimize(sess)
    """

    def _minimize(
        self, initial_val: Any, loss_grad_func: Any, equality_funcs: Any,
        equality_grad_funcs: Any, inequality_funcs: Any, inequality_grad_funcs: Any,
        packed_bounds: Any, step_callback: Any, optimizer_kwargs: Any,
    ) -> Any:  # fmt: skip
        def loss_and_slope(x):
            loss, slope = loss_grad_func(x)
            return float(loss), slope.astype(np.float64)

        given = dict(optimizer_kwargs)
        method = given.pop("method", "L-BFGS-B")
        _check(given)
        constraints = [
            {"type": kind, "fun": _first(f), "jac": _first(slope)}
            for kind, fs, slopes in (
                ("eq", equality_funcs, equality_grad_funcs),
                ("ineq", inequality_funcs, inequality_grad_funcs),
            )
            for f, slope in zip(fs, slopes, strict=True)
        ]
        result = optimize.minimize(
            loss_and_slope, initial_val.astype(np.float64), jac=True,
            callback=step_callback, method=method, constraints=constraints,
            bounds=packed_bounds, **given,
        )  # fmt: skip
        _report(result)
        return result["x"]


def _first(function):
    return lambda x: np.asarray(function(x)[0], np.float64)


def _check(given):
    for key in _OWN_KEYS:
        if key in given:
            if key == "bounds":
                raise ValueError("Bounds must be set using the var_to_bounds argument")
            raise ValueError(
                f"Optimizer keyword arg '{key}' is set automatically and cannot be "
                "injected manually"
            )


def _report(result):
    lines = [
        "Optimization terminated with:", f"  Message: {result.message}",
        f"  Objective function value: {result.fun:f}",
    ]  # fmt: skip
    if hasattr(result, "nit"):
        lines.append(f"  Number of iterations: {result.nit}")
    if hasattr(result, "nfev"):
        lines.append(f"  Number of functions evaluations: {result.nfev}")
    logging.info("\n".join(lines))
