"""What an Estimator is made of, checked."""

import functools
import inspect
import tempfile

from twinflow.base import logging
from twinflow.base.text import path_to_str
from twinflow.estimator.run_config import RunConfig
from twinflow.estimator.tf_config import TaskType
from twinflow.train.saving_hooks import CheckpointSaverListener
from twinflow.train.session_run_hook import SessionRunHook

_ARGS = {"features", "labels", "mode", "params", "self", "config"}


def checked_config(config):
    """The RunConfig, a new one for None; raises ValueError for something else."""
    if config is None:
        return RunConfig()
    if not isinstance(config, RunConfig):
        raise ValueError(
            f"config must be an instance of `RunConfig`, but provided {config}."
        )
    return config


def with_folder(config, model_dir):
    """The RunConfig with its folder: that of either, or a temporary one."""
    model_dir = path_to_str(model_dir) if model_dir else None
    known = config.model_dir
    if model_dir is not None and known is not None and model_dir != known:
        raise ValueError(
            "`model_dir` are set both in constructor and `RunConfig`, but with "
            f"different values. In constructor: '{model_dir}', in `RunConfig`: "
            f"'{known}' "
        )
    found = model_dir or known
    if found is None:
        found = tempfile.mkdtemp()
        logging.warning("Using temporary folder as model directory: %s", found)
    if known != found:
        config = config.replace(model_dir=found)
    return config


def argument_names(function):
    """The names of the arguments that a function still takes."""
    if not isinstance(function, functools.partial):
        return set(inspect.signature(function).parameters)
    bound = set(function.keywords or ())
    parameters = list(inspect.signature(function.func).parameters)
    return set(parameters[len(function.args) :]) - bound


def check_not_overridden(estimator, base):
    """Raise ValueError where a subclass has members of the base of its own."""
    if type(estimator).__module__.partition(".")[0] == "twinflow":
        return
    public = {name for name in vars(base) if not name.startswith("_")}
    changed = sorted(public & set(vars(type(estimator))))
    if type(estimator) is not base and changed:
        raise ValueError(
            f"Subclasses of Estimator cannot override members of Estimator. "
            f"{type(estimator)} does override {changed}"
        )


def check_may_train(config):
    """Raise ValueError where this task of a cluster is none that trains."""
    if config.task_type in (TaskType.EVALUATOR, TaskType.PS):
        raise ValueError(
            "Train has been called wrong configuration. Please use "
            "tf.estimator.train_and_evaluate which calls proper API according to given "
            f"configuration. Current configuration: {config}."
        )


def check_args(model_fn, params):
    """Raise ValueError unless a model function takes what it will be given."""
    names = argument_names(model_fn)
    if "features" not in names:
        raise ValueError(f"model_fn ({model_fn}) must include features argument.")
    if params is not None and "params" not in names:
        raise ValueError(
            f"model_fn ({model_fn}) does not include params argument, but params "
            f"({params}) is passed to Estimator."
        )
    if params is None and "params" in names:
        logging.warning("Estimator's model_fn (%s) includes params argument, but "
                        "params are not passed to Estimator.", model_fn)  # fmt: skip
    if names - _ARGS:
        raise ValueError(
            f"model_fn ({model_fn}) has following not expected args: "
            f"{sorted(names - _ARGS)}"
        )


def checked_hooks(hooks):
    """A list of hooks; raises TypeError where one is none."""
    found = list(hooks or [])
    for hook in found:
        if not isinstance(hook, SessionRunHook):
            raise TypeError(f"Hooks must be a SessionRunHook, given: {hook}")
    return found


def checked_listeners(listeners):
    """A list of listeners; raises TypeError where one is none."""
    found = list(listeners or [])
    for listener in found:
        if not isinstance(listener, CheckpointSaverListener):
            raise TypeError(
                "saving_listeners must be a list of CheckpointSaverListener, given: "
                f"{listener}"
            )
    return found
