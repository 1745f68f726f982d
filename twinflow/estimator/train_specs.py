"""TrainSpec and EvalSpec: how train_and_evaluate is to train and to evaluate."""

import collections
from typing import Any, NamedTuple

from twinflow.base.advice import advised
from twinflow.estimator.exporters import Exporter
from twinflow.train.session_run_hook import SessionRunHook


class TrainSpec(
    NamedTuple("TrainSpec", [("input_fn", Any), ("max_steps", Any), ("hooks", Any)])
):
    """How to train: an input function, the steps in all, SessionRunHooks."""

    def __new__(cls, input_fn: Any, max_steps: Any = None, hooks: Any = None):
        _check_input_fn(input_fn)
        if max_steps is not None and max_steps <= 0:
            raise ValueError(f"Must specify max_steps > 0, given: {max_steps}")
        return super().__new__(cls, input_fn, max_steps, checked_spec_hooks(hooks))


class EvalSpec(
    NamedTuple(
        "EvalSpec",
        [("input_fn", Any), ("steps", Any), ("name", Any), ("hooks", Any),
         ("exporters", Any), ("start_delay_secs", Any), ("throttle_secs", Any)],
    )
):  # fmt: skip
    """How to evaluate.

    Args:
        input_fn: the input function. steps: batches; None: until it ends.
        name: of the evaluation. hooks: SessionRunHooks. exporters: called after it.
        start_delay_secs: what the task of the evaluator waits at first.
        throttle_secs: seconds between evaluations at least.
    """

    def __new__(
        cls, input_fn: Any, steps: Any = 100, name: str | None = None,
        hooks: Any = None, exporters: Any = None, start_delay_secs: Any = 120,
        throttle_secs: Any = 600,
    ):  # fmt: skip
        _check_input_fn(input_fn)
        if steps is not None and steps <= 0:
            raise ValueError(f"Must specify steps > 0, given: {steps}")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"`name` must be string, given: {name}")
        checked, found = checked_spec_hooks(hooks), _exporters(exporters)
        for what, n in ("start_delay_secs", start_delay_secs), (
            "throttle_secs", throttle_secs
        ):  # fmt: skip
            if n < 0:
                raise ValueError(f"Must specify {what} >= 0, given: {n}")
        return super().__new__(
            cls, input_fn, steps, name, checked, found, start_delay_secs, throttle_secs
        )


def _check_input_fn(input_fn):
    if not callable(input_fn):
        raise advised(TypeError, f"`input_fn` must be callable, given: {input_fn}")


def checked_spec_hooks(hooks: Any) -> tuple:
    """The hooks as a tuple; raises TypeError for what is no SessionRunHook."""
    found = tuple(hooks or ())
    for hook in found:
        if not isinstance(hook, SessionRunHook):
            raise TypeError(
                f"All hooks must be `SessionRunHook` instances, given: {hook}"
            )
    return found


def _exporters(given):
    """Exporters with names of their own."""
    if not given:
        return ()
    if isinstance(given, Exporter):
        given = (given,)
    several = isinstance(given, collections.abc.Iterable)
    found = tuple(given) if several else ()
    if not several or not all(isinstance(e, Exporter) for e in found):
        raise TypeError(
            "`exporters` must be an Exporter, an iterable of Exporter, or `None`, "
            f"found {given}."
        )
    names = [e.name for e in found]
    for name in names:
        if not name:
            raise ValueError(
                "An Exporter cannot have a name that is `None` or empty. All exporter "
                f"names: {names}"
            )
        if not isinstance(name, str):
            raise ValueError(
                f"An Exporter must have a string name. Given: {type(name)}"
            )
    if len(set(names)) < len(names):
        raise ValueError(
            "`exporters` must have unique names. Such a name cannot be `None`. All "
            f"exporter names: {names}"
        )
    return found
