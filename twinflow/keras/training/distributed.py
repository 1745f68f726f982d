"""Models on several devices: a copy of the model a tower, one step for all of them.

Note [Models in towers]: `compile(distribute=strategy)` leaves the model as it is. The
first `fit`, `evaluate` or `predict` makes it anew in each tower; the copies share
variables that the strategy keeps on all devices. The weights go there when such a call
begins and come back when it ends, and whenever a callback looks at the model. Losses,
metrics and, of models compiled in the scope, weights of samples are those of all towers
of all processes.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import nest
from twinflow.base.dispatch import current_mode
from twinflow.distribute import contexts
from twinflow.distribute.cross_tower_ops import divided
from twinflow.distribute.strategy import get_tower_context
from twinflow.distribute.values import by_device
from twinflow.execute.function import Function
from twinflow.keras import metrics
from twinflow.keras.backend import defaults
from twinflow.keras.backend.sessions import batch_get_value, batch_set_value
from twinflow.keras.engine.input_layer import Input
from twinflow.keras.optimizers.algorithms import TFOptimizer
from twinflow.keras.training import graphs
from twinflow.keras.training.objective import as_tensors
from twinflow.keras.training.steps import EagerStep, GraphStep
from twinflow.keras.training.tower_optimizer import OfKeras
from twinflow.ops.variables.creators import VariableAggregation
from twinflow.ops.variables.kinds import Variable

_PLAIN = frozenset((
    "metrics_names", "stop_training", "history", "optimizer", "name", "loss", "metrics",
    "inputs", "outputs", "input_names", "output_names", "run_eagerly",
    "set_weights", "load_weights",
))  # fmt: skip


class Towers:
    """The copies of a model in the towers of its strategy; see Note [Models in towers].

    Args:
        model: a compiled model whose inputs are known.
    Raises:
        ValueError: the model is written as a class.
    """

    def __init__(self, model: Any) -> None:
        self.model = model
        self.strategy = model.__dict__["_distribution_strategy"]
        self.copies: list = [None] * len(self.strategy.worker_devices)
        self._steps: dict[str, Callable] = {}
        self._datasets: dict[int, tuple] = {}
        self._behind = False  # whether the model has not the last weights
        with self.strategy.scope():
            count = Variable(0, False, dtype="int64", name="iterations")
            own = model.optimizer
            is_train = isinstance(own, TFOptimizer)
            inner = own.optimizer if is_train else OfKeras(own, count)
            self.optimizer = TFOptimizer(inner, count)
            self.strategy.call_for_each_tower(self._copy)
        model.set_weights(self.strategy.first_values(model.get_weights()))

    metrics_names = property(lambda self: self.model.metrics_names)
    stateful_metric_names = property(lambda self: self.model.stateful_metric_names)
    history = property(lambda self: self.model.history)

    def _copy(self) -> None:
        model = self.model
        starts = [_like(t, n) for t, n in zip(model.inputs, _names(model), strict=True)]
        copy = model._anew(starts)
        copy._note(_weighs_together=model.__dict__["_whole_batches"])
        copy.compile(
            self.optimizer, model.loss, metrics=metrics_anew(model.__dict__["metrics"]),
            loss_weights=model.loss_weights, run_eagerly=True,
            **(model.__dict__.get("_function_kwargs") or {}),
        )  # fmt: skip
        self.copies[get_tower_context().tower_id] = copy

    # ------------------------------------------------------------------ weights
    def push(self) -> None:
        """Give the copies the weights of the model."""
        self.copies[0].set_weights(self.model.get_weights())
        if getattr(self.model.optimizer, "_for", ()):  # it has trained, or was read
            _copied(self._state())
        self._behind = False

    def pull(self) -> None:
        """Give the model the weights of the copies, if there were steps."""
        if not self._behind:
            return
        self._behind = False
        self.model.set_weights(self.copies[0].get_weights())
        _copied([(there, here) for here, there in self._state()])

    def _state(self) -> list[tuple]:
        """Pairs of a variable of the model's optimizer and that of the towers."""
        inner = self.optimizer.optimizer
        if not isinstance(inner, OfKeras):
            return [(self.model.optimizer.iterations, self.optimizer.iterations)]
        both = [m._collected_trainable_weights for m in (self.model, self.copies[0])]
        with self.strategy.scope():
            return inner.beside(*both)

    def _reset_metrics(self) -> None:
        self.copies[0]._reset_metrics()

    def split(self, dataset: Any) -> Any:
        """A dataset that gives each tower a batch, or its part of one."""
        if self.model.__dict__["_whole_batches"]:
            return self.strategy.experimental_distribute_dataset(dataset)
        return self.strategy.distribute_dataset(lambda: dataset)

    def begun(self, dataset: Any) -> tuple[Any, Any]:
        """(an iterator, its next elements by device) of a dataset, in a graph."""
        if id(dataset) not in self._datasets:
            with self.strategy.scope():
                found = self.split(dataset)
                iterator = found.make_initializable_iterator()
                self._datasets[id(dataset)] = dataset, iterator, iterator.get_next()
        return self._datasets[id(dataset)][1:]

    # ------------------------------------------------------------------ steps
    def _make_train_function(self) -> Callable:
        self._behind = True
        return self._step("train")

    def _make_test_function(self) -> Callable:
        return self._step("test")

    def _make_predict_function(self) -> Callable:
        return self._step("predict")

    def _step(self, kind: str) -> Callable:
        if kind not in self._steps:
            eager = current_mode().eager
            made = self._eager_step(kind) if eager else self._graph_step(kind)
            joined = self._outputs if kind == "predict" else self._measures
            self._steps[kind] = lambda values: joined(made(values))
        return self._steps[kind]

    def _graph_step(self, kind: str) -> Callable:
        parts: list = [None] * len(self.copies)

        def tower() -> None:
            i = get_tower_context().tower_id
            parts[i] = graphs.parts_of_step(self.copies[i], kind)
            if kind != "predict" and self.model.__dict__["_whole_batches"]:
                parts[i][0].extend(self.copies[i]._feed_sample_weights)

        with self.strategy.scope():
            self.strategy.call_for_each_tower(tower)
            outs = self._totalled(kind, [outs for _, outs, _ in parts])
        inputs = [x for xs, _, _ in parts for x in xs]
        updates = [u for _, _, us in parts for u in us]
        options = self.model.__dict__.get("_function_kwargs") or {}
        return GraphStep(inputs, outs, updates, int(kind == "train"), options)

    def _eager_step(self, kind: str) -> Callable:
        steps = [EagerStep(copy, kind) for copy in self.copies]
        count, phase = len(self.model.input_names), int(kind == "train")
        ends = count + len(self.model._wanted)

        def run(values: list) -> list:
            found: list = [None] * len(steps)
            size = len(values) // len(steps)

            def tower() -> None:
                i = get_tower_context().tower_id
                mine = values[i * size : (i + 1) * size]
                parts = mine[:count], mine[count:ends], mine[ends:]
                found[i] = steps[i].of_tensors(*parts)

            with self.strategy.scope(), defaults.learning_phase_scope(phase):
                self.strategy.call_for_each_tower(tower)
                return self._totalled(kind, found)

        plain = self.model.run_eagerly
        whole = run if plain else Function(run, name=f"{kind}_function")

        def step(values: list) -> list:
            if kind == "train":
                with self.strategy.scope():
                    trained = self.copies[0].__dict__["_collected_trainable_weights"]
                    self.optimizer.prepare_for(trained)
            return [np.asarray(x) for x in whole(as_tensors(values))]

        return step

    def _totalled(self, kind: str, outs: list) -> list:
        """The outputs of all towers as a list; first the loss as one number."""
        if kind == "predict":
            return [y for ys in zip(*outs, strict=True) for y in ys]
        strategy = self.strategy
        if getattr(strategy, "trains_in_step", False):
            return self._over_processes(outs)
        loss = by_device(strategy.worker_devices, [ys[0] for ys in outs])
        loss = strategy.reduce(contexts.get_loss_reduction(), loss, "/cpu:0")
        rest = [y for ys in zip(*(ys[1:] for ys in outs), strict=True) for y in ys]
        return [strategy.unwrap(loss)[0], *rest]

    def _over_processes(self, outs: list) -> list:
        """The loss and the metrics of all processes, as one message."""
        strategy, places = self.strategy, self.strategy.worker_devices
        pairs = [(by_device(places, ys), "/cpu:0") for ys in zip(*outs, strict=True)]
        totals = strategy.batch_reduce(VariableAggregation.SUM, pairs)
        loss, *rest = (strategy.unwrap(total)[0] for total in totals)
        if contexts.get_loss_reduction() == VariableAggregation.MEAN:
            loss = divided(loss, strategy.num_towers)
        means = [divided(total, strategy.num_towers) for total in rest]
        return [loss, *(mean for mean in means for _ in places)]

    def _measures(self, found: list) -> list:
        """The loss and the metrics, means over the towers."""
        count = len(self.copies)
        columns = [found[i : i + count] for i in range(1, len(found), count)]
        return [found[0], *(np.mean(c).astype(c[0].dtype) for c in columns)]

    def _outputs(self, found: list) -> list:
        """The outputs for the samples of the first tower, then the second, ..."""
        count = len(self.copies)
        columns = [found[i : i + count] for i in range(0, len(found), count)]
        return [np.concatenate(c) for c in columns]


class SeenByCallbacks:
    """The model as callbacks see it: with the weights of the last step.

    Args:
        towers: the Towers of the model.
    """

    def __init__(self, towers: Towers) -> None:
        object.__setattr__(self, "_towers", towers)

    def __getattr__(self, name: str) -> Any:
        towers = self._towers
        if name not in _PLAIN:
            towers.pull()
        found = getattr(towers.model, name)
        if name not in ("set_weights", "load_weights"):
            return found

        def write(*args: Any, **kwargs: Any) -> None:
            towers.pull()
            found(*args, **kwargs)
            towers.push()

        return write

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._towers.model, name, value)


def towers_of(model: Any) -> Towers:
    """The Towers of a model, with its weights."""
    facts = model.__dict__
    if facts.get("_towers") is None:
        facts["_towers"] = Towers(model)
    facts["_towers"].push()
    return facts["_towers"]


def _copied(pairs: list[tuple]) -> None:
    """Give the second variable of each pair the value of the first."""
    values = batch_get_value([a for a, _ in pairs])
    batch_set_value([(b, v) for (_, b), v in zip(pairs, values, strict=True)])


def _names(model: Any) -> list:
    names = model.input_names
    return names if len(names) == len(model.inputs) else [None] * len(model.inputs)


def _like(tensor: Any, name: str | None) -> Any:
    shape = tuple(tensor.shape.as_list())
    return Input(batch_shape=shape, dtype=tensor.dtype.base_dtype.name, name=name)


def metrics_anew(given: Any) -> Any:
    """Metrics for a copy of a model; those that add up get sums of their own."""

    def anew(metric: Any) -> Any:
        if isinstance(metric, metrics.Metric):
            return type(metric).from_config(metric.get_config())
        return metric

    return nest.map_structure(anew, given)
