"""tf.contrib.slim.learning.train, which also moves masks."""

from typing import Any

from twinflow.contrib.slim import learning
from twinflow.train.supervisor import Supervisor

_DEFAULT = Supervisor.USE_DEFAULT


def train(
    train_op: Any, logdir: Any, mask_update_op: Any,
    train_step_fn: Any = learning.train_step, train_step_kwargs: Any = None,
    log_every_n_steps: int = 1, graph: Any = None, master: str = "",
    is_chief: bool = True, global_step: Any = None, number_of_steps: Any = None,
    init_op: Any = _DEFAULT, init_feed_dict: Any = None, local_init_op: Any = _DEFAULT,
    init_fn: Any = None, ready_op: Any = _DEFAULT, summary_op: Any = _DEFAULT,
    save_summaries_secs: float = 600, summary_writer: Any = _DEFAULT,
    startup_delay_steps: int = 0, saver: Any = None, save_interval_secs: float = 600,
    sync_optimizer: Any = None, session_config: Any = None,
    trace_every_n_steps: Any = None,
) -> Any:  # fmt: skip
    """Run training steps, and after each the op that moves masks.

    Args:
        mask_update_op: see Pruning.conditional_mask_update_op.
        others: see tf.contrib.slim.learning.train.
    """

    def step(sess: Any, op: Any, count: Any, settings: Any) -> tuple:
        found = train_step_fn(sess, op, count, settings)
        sess.run(mask_update_op)
        return found

    return learning.train(
        train_op, logdir, step, train_step_kwargs, log_every_n_steps, graph, master,
        is_chief, global_step, number_of_steps, init_op, init_feed_dict, local_init_op,
        init_fn, ready_op, summary_op, save_summaries_secs, summary_writer,
        startup_delay_steps, saver, save_interval_secs, sync_optimizer, session_config,
        None, trace_every_n_steps,
    )  # fmt: skip
