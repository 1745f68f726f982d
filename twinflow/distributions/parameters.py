"""Parameters of distributions: seeds, logits and probabilities, nodes of quadrature."""

import hashlib
import inspect
from typing import Any

import numpy as np

from twinflow.base.tensor import Tensor
from twinflow.distributions.checks import embed_check_categorical_event_shape
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.elementwise import log, log1p, sigmoid
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import shape
from twinflow.ops.debugging.checks import (
    assert_equal,
    assert_less_equal,
    assert_near,
    assert_non_negative,
)
from twinflow.ops.debugging.static import with_dependencies
from twinflow.ops.matrix.norm import norm
from twinflow.ops.nn.softmax import softmax


def gen_new_seed(seed: Any, salt: str) -> int | None:
    """A seed made of another and a word; None of None."""
    if seed is None:
        return None
    digest = hashlib.md5((str(seed) + salt).encode("utf-8")).hexdigest()
    return int(digest[:8], 16) & 0x7FFFFFFF


def get_logits_and_probs(
    logits: Any = None, probs: Any = None, multidimensional: bool = False,
    validate_args: bool = False, name: str | None = "get_logits_and_probs",
    dtype: Any = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Logits and probabilities, where one of them is given.

    Args:
        logits, probs: float tensors, one of which is None.
        multidimensional: whether the last axis is one of classes.
        validate_args: whether to check values. name: the name scope in a graph.
        dtype: that of logits.
    Raises:
        ValueError: both or none are given. TypeError: they are no floats.
    """
    with name_scope(name, values=[probs, logits]):
        if (probs is None) == (logits is None):
            raise ValueError("Must pass probs or logits, but not both.")
        if probs is None:
            logits = convert_to_tensor(logits, name="logits", dtype=dtype)
            if not logits.dtype.is_floating:
                raise TypeError("logits must having floating type.")
            if not multidimensional:
                return logits, sigmoid(logits, name="probs")
            if validate_args:
                logits = embed_check_categorical_event_shape(logits)
            return logits, softmax(logits, name="probs")
        probs = convert_to_tensor(probs, name="probs", dtype=dtype)
        if not probs.dtype.is_floating:
            raise TypeError("probs must having floating type.")
        if validate_args:
            probs = _checked(probs, multidimensional)
        with name_scope("logits"):
            if multidimensional:
                return log(probs), probs
            return log(probs) - log1p(-1.0 * probs), probs


def _checked(probs, multidimensional):
    with name_scope("validate_probs"):
        one = constant(1.0, probs.dtype)
        checks = [assert_non_negative(probs)]
        if multidimensional:
            probs = embed_check_categorical_event_shape(probs)
            text = "probs does not sum to 1."
            checks.append(assert_near(reduce_sum(probs, -1), one, message=text))
        else:
            text = "probs has components greater than 1."
            checks.append(assert_less_equal(probs, one, message=text))
        return with_dependencies(checks, probs)


def process_quadrature_grid_and_probs(
    quadrature_grid_and_probs: Any, dtype: Any, validate_args: bool,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The nodes of a quadrature and their weights, which sum to 1.

    Args:
        quadrature_grid_and_probs: (dtype[..., n], dtype[..., n]), or None for the
            Gauss-Hermite quadrature of 8 nodes. dtype: of both.
        validate_args: whether to check sizes that are not known yet.
        name: the name scope in a graph.
    Raises:
        ValueError: the sizes differ.
    """
    with name_scope(
        name, "process_quadrature_grid_and_probs", [quadrature_grid_and_probs]
    ):
        if quadrature_grid_and_probs is None:
            grid, probs = np.polynomial.hermite.hermgauss(deg=8)
            probs = probs.astype(dtype.np)
            probs /= np.linalg.norm(probs, ord=1, keepdims=True)
            grid = convert_to_tensor(grid.astype(dtype.np), name="grid", dtype=dtype)
            return grid, convert_to_tensor(probs, name="probs", dtype=dtype)
        grid, probs = tuple(quadrature_grid_and_probs)
        grid = convert_to_tensor(grid, name="grid", dtype=dtype)
        probs = convert_to_tensor(probs, name="unnormalized_probs", dtype=dtype)
        probs /= norm(probs, ord=1, axis=-1, keepdims=True, name="probs")
        return _same_sizes(grid, probs, validate_args)


def _same_sizes(grid, probs, validate_args):
    text = (
        "`quadrature_grid_and_probs` must be a `tuple` of same-length "
        "zero-th-dimension `Tensor`s"
    )
    m, n = (t.shape.with_rank_at_least(1)[-1].value for t in (grid, probs))
    if m is not None and n is not None:
        if m != n:
            raise ValueError(f"{text} (saw lengths {m}, {n})")
    elif validate_args:
        check = assert_equal(shape(grid)[-1], shape(probs)[-1], message=text)
        grid = with_dependencies([check], grid)
        probs = with_dependencies([check], probs)
    return grid, probs


def parent_frame_arguments() -> dict[str, Any]:
    """The arguments of the function that calls this one, by name; no *varargs."""
    frame = inspect.currentframe().f_back
    names, varargs, keywords, found = inspect.getargvalues(frame)
    arguments = {n: found[n] for n in names}
    arguments.update(found[keywords] if keywords else {})
    arguments.pop(varargs, None)
    return arguments
