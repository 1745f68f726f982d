"""Training ops of tf.contrib.gan, and loops that run them in turn."""

from collections.abc import Callable
from typing import Any

from twinflow.contrib.gan.namedtuples import (
    CycleGANModel,
    GANTrainOps,
    GANTrainSteps,
)
from twinflow.contrib.slim import learning
from twinflow.contrib.training import loops
from twinflow.graph.scopes import get_collection, name_scope
from twinflow.graph.variable_scope import get_variable
from twinflow.ops.random.initializers_plain import Zeros
from twinflow.ops.variables.collections import GraphKeys
from twinflow.train.session_run_hook import SessionRunHook
from twinflow.train.sync_replicas_optimizer import SyncReplicasOptimizer
from twinflow.train.training_util import get_or_create_global_step

_ONE_EACH = GANTrainSteps(1, 1)


def gan_train_ops(
    model: Any, loss: Any, generator_optimizer: Any, discriminator_optimizer: Any,
    check_for_unused_update_ops: bool = True, **kwargs: Any,
) -> GANTrainOps:  # fmt: skip
    """A training op of each side, and one of the global step.

    Args:
        model: a model of tf.contrib.gan. loss: its GANLoss or CycleGANLoss.
        generator_optimizer, discriminator_optimizer: optimizers.
        check_for_unused_update_ops: whether an op of UPDATE_OPS that belongs to neither
            side is an error.
        kwargs: see tf.contrib.training.create_train_op.
    Returns:
        A GANTrainOps; of a CycleGANModel with a pair of ops for each side.
    Raises:
        ValueError: an update op belongs to neither side.
    """
    if isinstance(model, CycleGANModel):
        return _both_ways(
            model, loss, generator_optimizer, discriminator_optimizer,
            check_for_unused_update_ops, kwargs,
        )  # fmt: skip
    step = get_or_create_global_step()
    count = step.assign_add(1)
    scopes = model.generator_scope.name, model.discriminator_scope.name
    updates = _get_update_ops(kwargs, *scopes, check_for_unused_update_ops)
    made = []
    for side, optimizer, total, variables, own in (
        ("generator", generator_optimizer, loss.generator_loss,
         model.generator_variables, updates[0]),
        ("discriminator", discriminator_optimizer, loss.discriminator_loss,
         model.discriminator_variables, updates[1]),
    ):  # fmt: skip
        own_step = None
        if isinstance(optimizer, SyncReplicasOptimizer):
            own_step = _own_step(side, step)
            own = [*own, own_step.assign(step)]
        with name_scope(f"{side}_train"):
            op = learning.create_training_op(
                total,
                optimizer,
                variables_to_train=variables,
                global_step=own_step,
                update_ops=own,
                **kwargs,
            )  # fmt: skip
        made.append(op)
    return GANTrainOps(*made, count)


def _own_step(side, step):
    """A step that the optimizer of a side may count: the global one is counted once."""
    return get_variable(
        f"dummy_global_step_{side}", shape=[], dtype=step.dtype.base_dtype,
        initializer=Zeros(), trainable=False, collections=[GraphKeys.GLOBAL_VARIABLES],
    )  # fmt: skip


def _both_ways(model, loss, gen_optimizer, dis_optimizer, check, kwargs):
    pairs = []
    for name, partial, own in (
        ("cyclegan_x2y_train", model.model_x2y, loss.loss_x2y),
        ("cyclegan_y2x_train", model.model_y2x, loss.loss_y2x),
    ):
        with name_scope(name):
            pairs.append(
                gan_train_ops(
                    partial, own, gen_optimizer, dis_optimizer, check, **kwargs
                )
            )
    return GANTrainOps(
        tuple(p.generator_train_op for p in pairs),
        tuple(p.discriminator_train_op for p in pairs),
        get_or_create_global_step().assign_add(1),
    )


def _get_update_ops(
    kwargs: dict, gen_scope: Any, dis_scope: Any, check_for_unused_ops: bool = True
) -> tuple[list, list]:
    """The update ops of both sides; `update_ops` goes from kwargs.

    Raises:
        ValueError: one belongs to neither side, and that is to be checked.
    """
    known = kwargs.pop("update_ops", None)
    known = get_collection(GraphKeys.UPDATE_OPS) if known is None else list(known)
    found = [
        [op for op in get_collection(GraphKeys.UPDATE_OPS, scope) if op in known]
        for scope in (gen_scope, dis_scope)
    ]
    unused = [op for op in known if op not in found[0] and op not in found[1]]
    if check_for_unused_ops and unused:
        raise ValueError(f"There are unused update ops: {unused}")
    return found[0], found[1]


class RunTrainOpsHook(SessionRunHook):
    """Run ops some times before each run of a MonitoredSession.

    Args:
        train_ops: an op or a list of them. train_steps: how often.
    """

    def __init__(self, train_ops: Any, train_steps: int) -> None:
        listed = isinstance(train_ops, list | tuple)
        self._train_ops = train_ops if listed else [train_ops]
        self._train_steps = train_steps

    def before_run(self, run_context: Any) -> None:
        """Run the ops."""
        for _ in range(self._train_steps):
            run_context.session.run(self._train_ops)


def get_sequential_train_hooks(train_steps: Any = _ONE_EACH) -> Callable[..., Any]:
    """A function from a GANTrainOps to hooks: the generator's steps, then the other's.

    Args:
        train_steps: a GANTrainSteps.
    """

    def get_hooks(train_ops: Any) -> list:
        return [
            RunTrainOpsHook(
                train_ops.generator_train_op, train_steps.generator_train_steps
            ),
            RunTrainOpsHook(
                train_ops.discriminator_train_op, train_steps.discriminator_train_steps
            ),
        ]

    return get_hooks


def get_joint_train_hooks(train_steps: Any = _ONE_EACH) -> Callable[..., Any]:
    """A function from a GANTrainOps to hooks: both at once, then what one has left.

    Args:
        train_steps: a GANTrainSteps.
    """
    of_gen, of_dis = train_steps
    both = min(of_gen, of_dis)

    def get_hooks(train_ops: Any) -> list:
        ops = [train_ops.generator_train_op, train_ops.discriminator_train_op]
        return [
            RunTrainOpsHook(ops, both),
            RunTrainOpsHook(ops[0], of_gen - both),
            RunTrainOpsHook(ops[1], of_dis - both),
        ]

    return get_hooks


def gan_train(
    train_ops: GANTrainOps, logdir: Any,
    get_hooks_fn: Callable[..., Any] = get_sequential_train_hooks(),  # noqa: B008
    master: str = "", is_chief: bool = True, scaffold: Any = None, hooks: Any = None,
    chief_only_hooks: Any = None, save_checkpoint_secs: Any = 600,
    save_summaries_steps: Any = 100, config: Any = None,
) -> Any:  # fmt: skip
    """Train a generator and a discriminator, until a hook stops it.

    Args:
        train_ops: what gan_train_ops gave. logdir: the folder of checkpoints, or None.
        get_hooks_fn: a function from train_ops to the hooks that run them.
        hooks: more hooks. others: see tf.contrib.training.train.
    Returns:
        The last global step.
    Example:
        with tf.Graph().as_default():
            gan = tf.contrib.gan.gan_model(
                lambda z: tf.layers.dense(z, 2), lambda x, z: tf.layers.dense(x, 1),
                real_data=tf.zeros([8, 2]), generator_inputs=tf.random_normal([8, 3]))
            ops = tf.contrib.gan.gan_train_ops(
                gan, tf.contrib.gan.gan_loss(gan), tf.train.AdamOptimizer(0.01),
                tf.train.AdamOptimizer(0.01))
            last = tf.contrib.gan.gan_train(
                ops, None, hooks=[tf.train.StopAtStepHook(3)],
                save_checkpoint_secs=None, save_summaries_steps=None)
        last  # 3
    """
    own = get_hooks_fn(train_ops)
    return loops.train(
        train_ops.global_step_inc_op, logdir, master, is_chief, scaffold,
        [*(hooks or ()), *own], chief_only_hooks, save_checkpoint_secs,
        save_summaries_steps, config,
    )  # fmt: skip


def get_sequential_train_steps(train_steps: Any = _ONE_EACH) -> Callable[..., Any]:
    """A step for tf.contrib.slim.learning.train: the generator's, then the other's.

    Args:
        train_steps: a GANTrainSteps.
    Returns:
        A function of (session, GANTrainOps, global step, settings), which gives
        (the sum of all losses, whether to stop).
    """

    def sequential_train_steps(
        sess: Any, train_ops: Any, global_step: Any, train_step_kwargs: dict
    ) -> tuple:
        quiet = {k: v for k, v in train_step_kwargs.items() if k != "should_stop"}
        loss = 0
        for op, steps in zip(train_ops[:2], train_steps, strict=True):
            for _ in range(steps):
                loss += learning.train_step(sess, op, global_step, quiet)[0]
        sess.run(train_ops.global_step_inc_op)
        stop = train_step_kwargs.get("should_stop")
        if callable(stop):
            stop = stop(sess.run(global_step))
        elif stop is not None:
            stop = sess.run(stop)
        return loss, bool(stop)

    return sequential_train_steps
