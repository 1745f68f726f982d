"""An Estimator's training on several devices, by the strategy of its RunConfig."""

import copy
from collections.abc import Callable
from typing import Any

from twinflow.base import nest
from twinflow.base.advice import advised
from twinflow.data.dataset import Dataset
from twinflow.distribute import contexts
from twinflow.distribute.values import PerDevice
from twinflow.estimator.input_results import (
    DatasetInitializerHook,
    StrategyInitFinalizeHook,
    parse_iterator_result,
)
from twinflow.estimator.model_fn import EstimatorSpec, ModeKeys
from twinflow.graph.scopes import group
from twinflow.train.scaffold import Scaffold

_OF_TOWER = ("loss", "train_op", "training_hooks", "training_chief_hooks", "scaffold")


def training_strategy(config: Any) -> Any:
    """The strategy of several towers that a RunConfig trains with, or None.

    Args:
        config: the RunConfig: its `train_distribute`, or that of its
            `experimental_distribute`.
    """
    given = getattr(config, "train_distribute", None)
    settings = getattr(config, "experimental_distribute", None)
    if given is None and settings is not None:
        given = getattr(settings, "train_distribute", None)
    if given is not None and getattr(config, "cluster_spec", None):
        given = copy.deepcopy(given)  # each task has its own
        given.configure(None, config.cluster_spec, config.task_type, config.task_id)
    return given if given is not None and given.num_towers > 1 else None


def training_spec(
    strategy: Any, make_input: Callable, call_model_fn: Callable, config: Any
) -> tuple[EstimatorSpec, list]:
    """(the EstimatorSpec of all towers, hooks that start their data).

    Args:
        strategy: the DistributionStrategy.
        make_input: gives the tf.data.Dataset of a tower's batches.
        call_model_fn: of features, labels and the RunConfig; called for each tower.
        config: the RunConfig.
    Raises:
        ValueError: the input function gives something else than a Dataset.
    """
    with strategy.scope():  # the global step was made in another block of it
        iterator = strategy.distribute_dataset(lambda: _dataset(make_input()))
        iterator = iterator.make_initializable_iterator()
        hooks = [
            DatasetInitializerHook(iterator),
            StrategyInitFinalizeHook(strategy.initialize, strategy.finalize),
        ]

        def tower(element: Any) -> dict:
            features, labels = parse_iterator_result(element)
            spec = call_model_fn(features, labels, config)
            return {name: _Kept(getattr(spec, name)) for name in _OF_TOWER}

        towers = strategy.call_for_each_tower(tower, iterator.get_next())
        parts = {name: _values(towers[name]) for name in _OF_TOWER}
        found = strategy.reduce(
            contexts.get_loss_reduction(), _by_device(strategy, parts["loss"]), "/cpu:0"
        )
        (loss,) = strategy.unwrap(found)
        train_op = group(*parts["train_op"], name="train_op_of_towers")
    return EstimatorSpec(
        ModeKeys.TRAIN, loss=loss, train_op=train_op,
        training_hooks=_joined(parts["training_hooks"]),
        training_chief_hooks=_joined(parts["training_chief_hooks"]),
        scaffold=_scaffold(parts["scaffold"]),
    ), hooks  # fmt: skip


class _Kept:
    """A value of a tower that is not taken apart."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _values(by_device: Any) -> list:
    return [kept.value for kept in by_device.values()]


def _by_device(strategy: Any, values: list) -> Any:
    from_device = dict(zip(strategy.worker_devices, values, strict=True))
    return PerDevice(from_device)


def _dataset(given: Any) -> Dataset:
    if isinstance(given, Dataset):
        return given
    raise advised(
        ValueError,
        "An Estimator with `train_distribute` needs an input_fn that returns a "
        f"tf.data.Dataset, whose batches go to the towers in turn; got {given!r}.",
    )


def _joined(hooks: list) -> list:
    """The hooks of all towers; one that all of them have is there once."""
    return list(dict.fromkeys(nest.flatten(hooks)))


def _scaffold(given: list) -> Any:
    """One Scaffold of those of the towers, whose own ops run together."""
    made = [s for s in given if s is not None]
    if not made:
        return None
    first = made[0]
    together = {}
    for name in ("init_op", "ready_op", "local_init_op", "ready_for_local_init_op"):
        ops = [op for op in (getattr(s, name) for s in made) if op is not None]
        alike = name.endswith("init_op") and not name.startswith("ready")
        if ops:
            together[name] = group(*ops) if alike and len(ops) > 1 else ops[0]
    return Scaffold(
        init_feed_dict=first.init_feed_dict, init_fn=first.init_fn,
        summary_op=first.summary_op, saver=first.saver, **together,
    )  # fmt: skip
