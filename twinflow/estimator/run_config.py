"""RunConfig: how an Estimator runs, saves and logs."""

import copy
import inspect
from typing import Any

import numpy as np

from twinflow.base.annotations import Path
from twinflow.formats.protos import ConfigProto

USE_DEFAULT = object()
_REPLACEABLE = (
    "model_dir", "tf_random_seed", "save_summary_steps", "save_checkpoints_steps",
    "save_checkpoints_secs", "session_config", "keep_checkpoint_max",
    "keep_checkpoint_every_n_hours", "log_step_count_steps", "train_distribute",
    "device_fn", "protocol", "eval_distribute", "experimental_distribute",
)  # fmt: skip
_POSITIVE = (
    "save_summary_steps", "save_checkpoints_secs", "save_checkpoints_steps",
    "keep_checkpoint_max", "keep_checkpoint_every_n_hours",
)  # fmt: skip


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
        train_distribute, device_fn, protocol, eval_distribute,
        experimental_distribute: accepted; there is one process and one device.
    Raises:
        ValueError: both times of checkpoints are given, or a number is not positive.
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
        for name, value in locals().copy().items():
            if name in _REPLACEABLE:
                setattr(self, f"_{name}", value)
        steps, secs = save_checkpoints_steps, save_checkpoints_secs
        if steps is USE_DEFAULT:
            self._save_checkpoints_steps = None
        if secs is USE_DEFAULT:
            self._save_checkpoints_secs = 600 if steps is USE_DEFAULT else None
        self._model_dir = _folder(model_dir)
        self._check()

    def _check(self):
        seed, session_config = self._tf_random_seed, self._session_config
        if seed is not None and not isinstance(seed, int | np.integer):
            raise ValueError(f"tf_random_seed must be integer, but it is {seed!r}")
        if session_config is not None and not isinstance(session_config, ConfigProto):
            raise ValueError(
                f"session_config must be instance of ConfigProto, but it is "
                f"{session_config!r}"
            )
        every = self._log_step_count_steps
        if every is not None and every <= 0:
            raise ValueError(f"log_step_count_steps should be > 0, but it is {every}")
        device_fn = self._device_fn
        if device_fn is not None and not (
            callable(device_fn)
            and set(inspect.signature(device_fn).parameters) == {"op"}
        ):
            raise ValueError(
                'device_fn must be callable with exactly one argument "op", but it is '
                f"{device_fn!r}"
            )
        if self._save_checkpoints_steps and self._save_checkpoints_secs:
            raise ValueError(
                "`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both "
                "set."
            )
        for name in _POSITIVE:
            value = getattr(self, f"_{name}")
            least = name == "keep_checkpoint_every_n_hours"
            if value is not None and (value < 0 or (least and value <= 0)):
                raise ValueError(f"{name} should be >= 0, but it is {value}")

    def replace(self, **kwargs: Any) -> "RunConfig":
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
        found = copy.copy(self)
        for name, value in kwargs.items():
            setattr(found, f"_{name}", value)
        when = {"save_checkpoints_steps", "save_checkpoints_secs"} & set(kwargs)
        if len(when) == 1:  # the other one goes
            (name,) = {"save_checkpoints_steps", "save_checkpoints_secs"} - when
            setattr(found, f"_{name}", None)
        found._check()
        return found

    # ------------------------------------------------------------------ one process
    cluster_spec = property(lambda self: None, doc="None: there is one process.")
    evaluation_master = property(lambda self: "", doc="Empty: there is one process.")
    master = property(lambda self: "", doc="Empty: there is one process.")
    is_chief = property(lambda self: True, doc="True: there is one process.")
    num_ps_replicas = property(lambda self: 0, doc="0: there is one process.")
    num_worker_replicas = property(lambda self: 1, doc="1: there is one process.")
    task_id = property(lambda self: 0, doc="0: there is one process.")
    global_id_in_cluster = property(lambda self: 0, doc="0: there is one process.")
    task_type = property(lambda self: "worker", doc="There is one process.")
    service = property(lambda self: None, doc="None: there is one process.")


def _folder(model_dir):
    if model_dir == "":
        raise ValueError("model_dir should be non-empty")
    return model_dir


def _given(name):
    return property(
        lambda self: getattr(self, f"_{name}"), doc=f"The argument `{name}`."
    )


for _name in _REPLACEABLE:
    setattr(RunConfig, _name, _given(_name))
