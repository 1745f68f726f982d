"""An Estimator on several devices, by the strategies of its RunConfig."""

import copy
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from twinflow.base import nest
from twinflow.base.advice import advised
from twinflow.data.dataset import Dataset
from twinflow.distribute import contexts
from twinflow.distribute.strategy import get_tower_context
from twinflow.distribute.values import PerDevice
from twinflow.estimator import in_step
from twinflow.estimator.evaluation import parts_of_metrics
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
    """The strategy of several towers that a RunConfig trains with, or None."""
    given = given_strategy(config)
    if given is not None and getattr(config, "cluster_spec", None):
        given = copy.deepcopy(given)  # each task has its own
        given.configure(None, config.cluster_spec, config.task_type, config.task_id)
    return _of_several(given)


def given_strategy(config: Any) -> Any:
    """The strategy that a RunConfig trains with, or None.

    Args:
        config: the RunConfig: its `train_distribute`, or that of its
            `experimental_distribute`.
    """
    return _strategy(config, "train_distribute")


def evaluation_strategy(config: Any) -> Any:
    """The strategy of several towers that a RunConfig evaluates with, or None.

    Args:
        config: see `given_strategy`; its `eval_distribute`.
    """
    return _of_several(_strategy(config, "eval_distribute"))


def _strategy(config: Any, name: str) -> Any:
    given = getattr(config, name, None)
    settings = getattr(config, "experimental_distribute", None)
    if given is None and settings is not None:
        given = getattr(settings, name, None)
    return given


def scope_of(strategy: Any) -> AbstractContextManager:
    """A block of a strategy; of None, one that does nothing."""
    return nullcontext() if strategy is None else strategy.scope()


def _of_several(given: Any) -> Any:
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
        iterator, hooks = _inputs(strategy, make_input, "train_distribute")
        hooks = [*in_step.hooks(strategy), *hooks]

        def tower(element: Any) -> dict:
            features, labels = parse_iterator_result(element)
            spec = call_model_fn(features, labels, config)
            return {name: _Kept(getattr(spec, name)) for name in _OF_TOWER}

        towers = strategy.call_for_each_tower(tower, iterator.get_next())
        parts = {n: [v.value for v in strategy.unwrap(towers[n])] for n in _OF_TOWER}
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


def evaluation_spec(
    strategy: Any, make_input: Callable, call_model_fn: Callable, config: Any
) -> tuple[EstimatorSpec, list, list]:
    """(the EstimatorSpec, the metrics of each tower, hooks that start their data).

    A metric counts for itself in each tower; its value is that of all. Args, Raises:
    see `training_spec`.
    """
    specs: list = [None] * len(strategy.worker_devices)
    metrics: list = [None] * len(strategy.worker_devices)
    with strategy.scope():
        iterator, hooks = _inputs(strategy, make_input, "eval_distribute")

        def tower(element: Any) -> None:
            features, labels = parse_iterator_result(element)
            i = get_tower_context().tower_id
            specs[i] = call_model_fn(features, labels, config)
            metrics[i] = parts_of_metrics(specs[i])

        strategy.call_for_each_tower(tower, iterator.get_next())
    hooks_of_all = _joined([s.evaluation_hooks for s in specs])
    spec = specs[0]._replace(
        evaluation_hooks=hooks_of_all, scaffold=_scaffold([s.scaffold for s in specs])
    )
    return spec, metrics, hooks


def _inputs(strategy: Any, make_input: Callable, setting: str) -> tuple[Any, list]:
    """(an iterator of the elements of towers, hooks that start it)."""
    dataset = strategy.distribute_dataset(lambda: _dataset(make_input(), setting))
    iterator = dataset.make_initializable_iterator()
    return iterator, [
        DatasetInitializerHook(iterator),
        StrategyInitFinalizeHook(strategy.initialize, strategy.finalize),
    ]


class _Kept:
    """A value of a tower that is not taken apart."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _by_device(strategy: Any, values: list) -> Any:
    if len(values) == 1:
        return values[0]
    from_device = dict(zip(strategy.worker_devices, values, strict=True))
    return PerDevice(from_device)


def _dataset(given: Any, setting: str) -> Dataset:
    if isinstance(given, Dataset):
        return given
    raise advised(
        ValueError,
        f"An Estimator with `{setting}` needs an input_fn that returns a "
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
