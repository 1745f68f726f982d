"""RunConfig of tf.contrib.learn: that of tf.estimator, with the session's settings."""

import hashlib
from typing import Any

from twinflow.estimator import run_config
from twinflow.formats.protos import ConfigProto, GPUOptions

_UID = ("model_dir",)


class RunConfig(run_config.RunConfig):
    """How an Estimator runs.

    Args:
        master, num_cores, protocol, evaluation_master: accepted; num_cores goes into
            the session's settings.
        log_device_placement, gpu_memory_fraction: the session's settings, where
            `session_config` does not give them.
        tf_random_seed, save_summary_steps, save_checkpoints_secs,
        save_checkpoints_steps, keep_checkpoint_max, keep_checkpoint_every_n_hours,
        log_step_count_steps, model_dir, session_config: see tf.estimator.RunConfig.
    Example:
        tf.contrib.learn.RunConfig(save_checkpoints_steps=10).save_checkpoints_steps
    """

    def __init__(
        self, master: Any = None, num_cores: int = 0,
        log_device_placement: bool = False, gpu_memory_fraction: float = 1,
        tf_random_seed: Any = None, save_summary_steps: Any = 100,
        save_checkpoints_secs: Any = run_config.USE_DEFAULT,
        save_checkpoints_steps: Any = None, keep_checkpoint_max: Any = 5,
        keep_checkpoint_every_n_hours: float = 10000, log_step_count_steps: Any = 100,
        protocol: Any = None, evaluation_master: str = "", model_dir: Any = None,
        session_config: Any = None,
    ) -> None:  # fmt: skip
        secs = save_checkpoints_secs
        if secs is run_config.USE_DEFAULT:
            secs = None if save_checkpoints_steps else 600
        first = None if save_checkpoints_steps else secs
        super().__init__(
            model_dir, tf_random_seed, save_summary_steps, save_checkpoints_steps,
            first, session_config, keep_checkpoint_max, keep_checkpoint_every_n_hours,
            log_step_count_steps,
        )  # fmt: skip
        self._save_checkpoints_secs = secs  # both may be given
        options = GPUOptions(per_process_gpu_memory_fraction=gpu_memory_fraction)
        self._tf_config = ConfigProto(
            log_device_placement=log_device_placement,
            inter_op_parallelism_threads=num_cores,
            intra_op_parallelism_threads=num_cores, gpu_options=options,
        )  # fmt: skip

    tf_config = property(
        lambda self: self._tf_config, doc="The session's settings, a ConfigProto."
    )
    environment = property(lambda self: "local", doc="There is one process.")

    def uid(self, whitelist: Any = None) -> str:
        """A text that two configurations have in common if they are equal.

        Args:
            whitelist: what does not count; the folder by default.
        """
        left_out = {f"_{name}" for name in whitelist or _UID}
        state = sorted((k, str(v)) for k, v in vars(self).items() if k not in left_out)
        return hashlib.sha1(repr(state).encode()).hexdigest()
