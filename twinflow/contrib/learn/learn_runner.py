"""tf.contrib.learn.learn_runner: what makes an Experiment and runs it."""

import copy
import inspect
import os
from collections.abc import Callable
from typing import Any

from twinflow.base import logging
from twinflow.contrib.learn.experiment import Experiment
from twinflow.estimator.run_config import RunConfig


def run(
    experiment_fn: Callable[..., Any], output_dir: Any = None, schedule: Any = None,
    run_config: Any = None, hparams: Any = None,
) -> Any:  # fmt: skip
    """Make an Experiment and run one of its methods.

    Args:
        experiment_fn: of (run_config, hparams), or of the folder.
        output_dir: the folder, or run_config: a RunConfig with one.
        schedule: the method; "train_and_evaluate" by default.
        hparams: for the function.
    Returns:
        what the method gives
    Raises:
        ValueError: the folder or the method is missing. TypeError: what the function
            gave is no Experiment, or what was named is no method.
    """
    _check(output_dir, run_config, hparams, experiment_fn)
    if run_config is None:
        logging.warning(
            "`experiment_fn` of (output_dir) is deprecated: use one of (run_config, "
            "hparams), and give learn_runner.run a run_config."
        )
        experiment = experiment_fn(output_dir)
        _check_experiment(experiment)
        if output_dir != experiment.estimator.model_dir:
            raise RuntimeError(
                "Experiment has an estimator with a `model_dir` that is different from "
                f"`output_dir`: {experiment.estimator.model_dir} vs. {output_dir}"
            )
    else:
        config = copy.deepcopy(run_config)
        experiment = _with_config(experiment_fn, config, hparams)
        _check_experiment(experiment)
    return _method(experiment, schedule or "train_and_evaluate")()


def _with_config(experiment_fn, config, hparams):
    count = len(inspect.signature(experiment_fn).parameters)
    return experiment_fn(config) if count == 1 else experiment_fn(config, hparams)


def _check(output_dir, run_config, hparams, experiment_fn):
    if output_dir is not None and run_config is not None:
        raise ValueError("Cannot provide both `output_dir` and `run_config`")
    if not callable(experiment_fn):
        raise TypeError(f'Experiment builder "{experiment_fn}" is not callable.')
    if run_config is None:
        if not output_dir:
            raise ValueError("Must set value for `output_dir` or `run_config`")
        if hparams is not None:
            raise ValueError("Must set `hparams` as None for `experiment_fn` with "
                             "`output_dir`.")  # fmt: skip
        return
    if not isinstance(run_config, RunConfig):
        raise ValueError("`run_config` must be `tf.contrib.learn.RunConfig` instance")
    if not run_config.model_dir:
        raise ValueError("Must specify a model directory `model_dir` in `run_config`.")


def _check_experiment(experiment):
    if not isinstance(experiment, Experiment):
        raise TypeError("Experiment builder did not return an Experiment instance, got "
                        f"{type(experiment)} instead.")  # fmt: skip


def _method(experiment, schedule):
    if not hasattr(experiment, schedule):
        raise ValueError(f"Schedule references non-existent task {schedule}")
    found = getattr(experiment, schedule)
    if not callable(found):
        raise TypeError(f"Schedule references non-callable member {schedule}")
    return found


def tune(experiment_fn: Callable[..., Any], tuner: Any) -> None:
    """Run the Experiments that a tuner asks for.

    Args:
        experiment_fn: of (run_config, hparams). tuner: has next_trial, run_experiment.
    """
    while tuner.next_trial():
        tuner.run_experiment(
            _with_config(experiment_fn, tuner.run_config, tuner.hparams),
            os.path.basename(tuner.run_config.model_dir or ""),
        )
