"""RunConfig: how an Estimator runs, saves and logs."""

import copy
import inspect
from typing import Any, Self

import numpy as np

from twinflow.base.advice import advised
from twinflow.base.annotations import Path
from twinflow.base.text import path_to_str
from twinflow.estimator.tf_config import (
    model_dir_of,
    read_tf_config,
    session_config_of,
    settings_of,
    with_chief,
)
from twinflow.formats.protos import ConfigProto

USE_DEFAULT = object()
_REPLACEABLE = (
    "model_dir", "tf_random_seed", "save_summary_steps", "save_checkpoints_steps",
    "save_checkpoints_secs", "session_config", "keep_checkpoint_max",
    "keep_checkpoint_every_n_hours", "log_step_count_steps", "train_distribute",
    "device_fn", "protocol", "eval_distribute", "experimental_distribute",
)  # fmt: skip
_NOT_NEGATIVE = (
    "save_summary_steps", "save_checkpoints_steps", "save_checkpoints_secs",
    "keep_checkpoint_max",
)  # fmt: skip
_POSITIVE = "keep_checkpoint_every_n_hours", "log_step_count_steps"
_OF_CLUSTER = {
    "cluster_spec": "The ClusterSpec that TF_CONFIG gives; nothing is started.",
    "evaluation_master": "The master of evaluations, empty in one process.",
    "master": "The master of sessions, empty in one process.",
    "is_chief": "Whether this process saves and writes summaries.",
    "num_ps_replicas": "How many tasks hold variables.",
    "num_worker_replicas": "How many tasks train.",
    "task_id": "The number of this task.",
    "global_id_in_cluster": "The number of this task among all that train.",
    "task_type": 'What this task does: "worker" in one process.',
    "service": "The dict that TF_CONFIG gives, or None.",
}
_BOTH = "`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set."


class RunConfig:
    """How an Estimator runs.

    Args:
        model_dir: the folder of checkpoints and summaries.
        tf_random_seed: the seed of the graphs.
        save_summary_steps: how often summaries are written; None: never.
        save_checkpoints_steps, save_checkpoints_secs: how often checkpoints are; one of
            them, every 600 s by default; both None: never.
        session_config: a ConfigProto. keep_checkpoint_max: how many stay.
        keep_checkpoint_every_n_hours: one that stays in each such time.
        log_step_count_steps: how often loss and steps per second are logged.
        train_distribute, eval_distribute: a strategy of tf.contrib.distribute each.
        experimental_distribute: a DistributeConfig, in their place.
        device_fn, protocol: accepted; there is one process.
    Raises:
        ValueError: both times of checkpoints are given, a number is not positive, or
            TF_CONFIG does not fit together.
    Example:
        config = tf.estimator.RunConfig(save_checkpoints_steps=10)
        config.replace(tf_random_seed=1).save_checkpoints_secs  # None
    """

    def __init__(
        self, model_dir: Path | None = None, tf_random_seed: Any = None,
        save_summary_steps: int | None = 100, save_checkpoints_steps: Any = USE_DEFAULT,
        save_checkpoints_secs: Any = USE_DEFAULT, session_config: Any = None,
        keep_checkpoint_max: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000,
        log_step_count_steps: int | None = 100, train_distribute: Any = None,
        device_fn: Any = None, protocol: Any = None, eval_distribute: Any = None,
        experimental_distribute: Any = None,
    ) -> None:  # fmt: skip
        given = {
            name: value for name, value in locals().items() if name in _REPLACEABLE
        }
        steps, secs = save_checkpoints_steps, save_checkpoints_secs
        if not {id(steps), id(secs)} & {id(USE_DEFAULT), id(None)}:
            raise ValueError(_BOTH)
        if steps is USE_DEFAULT:
            given["save_checkpoints_steps"] = None
        if secs is USE_DEFAULT:
            every = 600 if steps is USE_DEFAULT else None
            given["save_checkpoints_secs"] = every
        tf_config = read_tf_config()
        if model_dir is not None:
            model_dir = path_to_str(model_dir)
        given["model_dir"] = model_dir_of(tf_config, model_dir)
        strategy = train_distribute or getattr(
            experimental_distribute, "train_distribute", None
        )
        if getattr(strategy, "between_graph", False):
            tf_config = with_chief(tf_config)
        settings = settings_of(tf_config)
        if session_config is None:
            given["session_config"] = session_config_of(settings)
        for name, value in {**given, **settings}.items():
            setattr(self, f"_{name}", value)
        self._check()

    def _check(self):
        if self._model_dir is not None and not self._model_dir:
            raise ValueError("model_dir should be non-empty")
        for name in _NOT_NEGATIVE:
            _require(name, getattr(self, f"_{name}"), lambda n: n >= 0, "be >= 0")
        for name in _POSITIVE:
            _require(name, getattr(self, f"_{name}"), lambda n: n > 0, "be > 0")
        is_seed = lambda seed: isinstance(seed, int | np.integer)
        _require("tf_random_seed", self._tf_random_seed, is_seed, None)
        is_proto = lambda value: isinstance(value, ConfigProto)
        if not is_proto(self._session_config) and self._session_config is not None:
            raise ValueError("session_config must be instance of ConfigProto")
        if self._device_fn is not None and not _takes_op(self._device_fn):
            raise advised(
                ValueError, 'device_fn must be callable with exactly one argument "op".'
            )
        if self._protocol not in (None, "grpc", "grpc+verbs"):
            raise ValueError("protocol should be grpc or grpc+verbs")

    def replace(self, **kwargs: Any) -> Self:
        """A copy with other values.

        Raises:
            ValueError: a name is none of those that can be replaced.
        """
        for name in kwargs:
            if name not in _REPLACEABLE:
                raise ValueError(
                    f"Replacing {name} is not supported. Allowed properties are "
                    f"{list(_REPLACEABLE)}."
                )
        when = {"save_checkpoints_steps", "save_checkpoints_secs"} & set(kwargs)
        if len(when) == 2 and all(kwargs[name] is not None for name in when):
            raise ValueError(_BOTH)
        found = copy.deepcopy(self)
        for name, value in kwargs.items():
            setattr(found, f"_{name}", value)
        if len(when) == 1:  # the other one goes
            (name,) = {"save_checkpoints_steps", "save_checkpoints_secs"} - when
            setattr(found, f"_{name}", None)
        found._check()
        return found


def _require(name, value, holds, what):
    """Raise ValueError for a value that is given and does not do."""
    if value is not None and not holds(value):
        raise ValueError(
            f"{name} should {what}" if what else f"{name} must be integer."
        )


def _takes_op(function):
    return callable(function) and set(inspect.signature(function).parameters) == {"op"}


def _reading(name, doc):
    return property(lambda self: getattr(self, f"_{name}"), doc=doc)


for _name in _REPLACEABLE:
    setattr(RunConfig, _name, _reading(_name, f"The argument `{_name}`."))
for _name, _doc in _OF_CLUSTER.items():
    setattr(RunConfig, _name, _reading(_name, _doc))
