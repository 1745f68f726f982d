"""What an Estimator is made of, checked."""

import inspect
import tempfile

from twinflow.base import logging
from twinflow.base.text import path_to_str
from twinflow.estimator.run_config import RunConfig
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
    model_dir = None if model_dir is None else path_to_str(model_dir)
    if model_dir == "":
        raise ValueError("model_dir should be non-empty")
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
    return config.replace(model_dir=found)


def check_args(model_fn, params):
    """Raise ValueError unless a model function takes what it will be given."""
    names = set(inspect.signature(model_fn).parameters)
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
