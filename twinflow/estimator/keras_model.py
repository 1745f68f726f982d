"""tf.keras.estimator: Estimators of Keras models.

Note [Keras estimators]: each call of the Estimator makes a graph of its own, so the
model is made anew there from its settings. Its weights come along in a checkpoint,
`keras/keras_model.ckpt` in the folder, from which the Estimator starts warm.
"""

import os
import re
from typing import Any

from twinflow.base import files, logging
from twinflow.base.annotations import Path
from twinflow.checkpoint.saver import Saver
from twinflow.checkpoint.state import latest_checkpoint
from twinflow.distribute import contexts
from twinflow.estimator.checks import checked_config, with_folder
from twinflow.estimator.estimator import Estimator
from twinflow.estimator.keras_clones import clone_on, targets_of
from twinflow.estimator.model_fn import EstimatorSpec, ModeKeys
from twinflow.estimator.warm_start import WarmStartSettings
from twinflow.execute.session import Session
from twinflow.execute.session_config import soft_placement
from twinflow.graph.graph import Graph
from twinflow.graph.scopes import group
from twinflow.keras.backend import defaults, sessions
from twinflow.keras.optimizers import algorithms as optimizers
from twinflow.keras.saving.cloning import clone_model
from twinflow.keras.saving.config import custom_object_scope
from twinflow.keras.saving.whole_models import load_model
from twinflow.keras.training import graphs
from twinflow.keras.training.distributed import metrics_anew
from twinflow.keras.training.stateful_metrics import Metric
from twinflow.metrics.means import mean
from twinflow.train import training_util

_STARTS_ANEW = (
    "The Keras model %s is written as a class and has weights already. They are not "
    "carried over: the Estimator begins with new ones. (The model itself stays as it "
    "is.)"
)


def model_to_estimator(
    keras_model: Any = None, keras_model_path: Path | None = None,
    custom_objects: Any = None, model_dir: Path | None = None, config: Any = None,
) -> Estimator:  # fmt: skip
    """An Estimator of a compiled Keras model, which begins with its weights.

    The names of the inputs are the keys of the features, those of the outputs the keys
    of the labels (where these are dicts) and of the predictions.

    Args:
        keras_model: the model, or keras_model_path: the file that `model.save` wrote.
        custom_objects: dict from names to classes and functions.
        model_dir: the folder. config: a RunConfig.
    Returns:
        An Estimator. A functional or Sequential model gives it its weights, once for a
        folder; a model that is written as a class begins anew.
    Raises:
        ValueError: not exactly one model is given, or it is not compiled.
    Example:
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
        model.compile(tf.train.GradientDescentOptimizer(0.1), "mse")
        estimator = tf.keras.estimator.model_to_estimator(model)
        data = np.ones((8, 3), "float32"), np.ones((8, 1), "float32")
        estimator.train(lambda: tf.data.Dataset.from_tensors(data), steps=1)
    """
    if keras_model is None and keras_model_path is None:
        raise ValueError(
            "Either `keras_model` or `keras_model_path` needs to be provided."
        )
    if keras_model is not None and keras_model_path is not None:
        raise ValueError(
            "Please specity either `keras_model` or `keras_model_path`, but not both."
        )
    config = with_folder(checked_config(config), model_dir)
    with custom_object_scope(custom_objects or {}):
        if keras_model is not None:
            plan = _Plan(keras_model, custom_objects)
        else:
            with Graph().as_default(), Session(config=soft_placement()):
                model = load_model(keras_model_path, custom_objects)
                plan = _Plan(model, custom_objects)
    return Estimator(plan.model_fn, None, config, None, plan.start(config.model_dir))


class _Plan:
    """What is known of a Keras model, for other graphs.

    Args:
        model: the model. custom_objects: dict from names to classes and functions.
    """

    def __init__(self, model, custom_objects):
        if not getattr(model, "optimizer", None):
            raise ValueError(
                "The given keras model has not been compiled yet. Please compile the "
                "model with `model.compile()` before calling `model_to_estimator()`."
            )
        self.model, self.custom_objects = model, custom_objects or {}
        self.optimizer = _portable(model.optimizer)
        facts = model.__dict__
        self.options = {
            name: facts[name]
            for name in ("loss", "metrics", "loss_weights", "sample_weight_mode",
                         "weighted_metrics")
        }  # fmt: skip
        self.weights = model.get_weights() if model._network is not None else None
        if self.weights is None and model.weights:
            logging.warning(_STARTS_ANEW, model.name)

    # ------------------------------------------------------------------ weights
    def start(self, folder):
        """The WarmStartSettings with the weights; None where there are none."""
        if self.weights is None:
            return None
        folder = os.path.join(folder, "keras")
        files.MakeDirs(folder)
        with Graph().as_default(), Session(config=soft_placement()) as session:
            training_util.create_global_step()
            with custom_object_scope(self.custom_objects):
                made = clone_model(self.model)
            made.set_weights(self.weights)
            names = [v.name for v in made.weights]
            path = latest_checkpoint(folder)
            if path is None:
                sessions.get_session()  # which initialises the global step
                saver = Saver()
                path = saver.save(session, os.path.join(folder, "keras_model.ckpt"))
        wanted = [f"{re.escape(name)}$" for name in names]
        return WarmStartSettings(path, wanted) if wanted else None

    # ------------------------------------------------------------------ graphs
    def model_fn(self, features, labels, mode):
        """The model function of the Estimator."""
        training = mode == ModeKeys.TRAIN
        phase = defaults.learning_phase_scope(int(training))
        with custom_object_scope(self.custom_objects), phase:
            model = clone_on(self.model, features)
            predictions = dict(zip(model.output_names, model.outputs, strict=True))
            if mode == ModeKeys.PREDICT:
                return EstimatorSpec(mode, predictions=predictions)
            options = {
                name: metrics_anew(value) if name.endswith("metrics") else value
                for name, value in self.options.items()
            }
            model.compile(
                self._own_optimizer(), target_tensors=targets_of(model, labels),
                **options,
            )  # fmt: skip
            train_op = group(*graphs.training_updates(model)) if training else None
            return EstimatorSpec(
                mode, predictions, model.total_loss, train_op, metrics_of(model)
            )

    def _own_optimizer(self):
        """The optimizer of the current graph, which counts the global step."""
        step = training_util.get_global_step()
        if not isinstance(self.optimizer, tuple):
            return optimizers.TFOptimizer(self.optimizer, step)
        if contexts.has_distribution_strategy():
            raise ValueError(
                "Only TensorFlow native optimizers are supported with "
                "DistributionStrategy."
            )
        kind, config = self.optimizer
        made = kind.from_config(config)
        made.iterations = step
        return made


def _portable(optimizer):
    """A tf.train optimizer, or the class and the settings of one of Keras."""
    if isinstance(optimizer, optimizers.TFOptimizer):
        return optimizer.optimizer
    return type(optimizer), optimizer.get_config()


def metrics_of(model):
    """(value, update op) of the metrics of all outputs, by the names they were given.

    Where outputs have metrics of the same name, the name of the output follows.
    """
    several, found = len(model.outputs) > 1, {}
    tensors = iter(model.metrics_tensors[len(model._wanted) if several else 0 :])
    for i in model._wanted:
        for given, known in (
            (model.__dict__["metrics"], model._per_output_metrics),
            (model.__dict__["weighted_metrics"], model._per_output_weighted_metrics),
        ):
            output = model.output_names[i]
            pairs = zip(_of_output(given, output), known[i].values(), strict=False)
            for metric, used in pairs:
                tensor = next(tensors)
                sums = isinstance(used, Metric)
                entry = (output, used if sums else mean(tensor))
                found.setdefault(_name(metric), []).append(entry)
    return {
        f"{name}_{output}" if len(entries) > 1 else name: pair
        for name, entries in found.items()
        for output, pair in entries
    }


def _of_output(given, output):
    """The metrics that an output was given."""
    found = given.get(output, []) if isinstance(given, dict) else given or []
    return found if isinstance(found, list) else [found]


def _name(metric):
    if isinstance(metric, str):
        return metric
    return getattr(metric, "name", None) or metric.__name__
