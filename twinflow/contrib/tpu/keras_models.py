"""tf.contrib.tpu: Keras models as on a TPU of one core, which is this machine."""

from typing import Any

from twinflow.base import logging
from twinflow.keras.engine.model import Model

_FACTS = ("loss", "metrics", "loss_weights", "sample_weight_mode", "weighted_metrics")


class TPUDistributionStrategy:
    """Where a Keras model is trained; there is no TPU, so on one core here.

    Args:
        tpu_cluster_resolver: refused: there is no cluster to ask for.
        using_single_core: accepted: there is one.
    Raises:
        ValueError: a cluster is given.
    """

    def __init__(
        self, tpu_cluster_resolver: Any = None, using_single_core: bool = False
    ) -> None:
        if tpu_cluster_resolver is not None:
            raise ValueError(
                "twinflow has no TPU to look for; leave tpu_cluster_resolver out, and "
                "the model is trained on this machine"
            )
        self.using_single_core = using_single_core


class KerasTPUModel(Model):
    """The layers of a functional model in a model of its own.

    Args:
        cpu_model: the model, whose layers and weights it shares.
        strategy: a TPUDistributionStrategy.
    """

    def __init__(self, cpu_model, strategy):
        many = cpu_model._network.many
        inputs, outputs = cpu_model.inputs, cpu_model.outputs
        super().__init__(
            inputs=inputs if len(inputs) > 1 else inputs[0],
            outputs=outputs if many else outputs[0], name=cpu_model.name,
        )  # fmt: skip
        self.__dict__.update(_cpu_model=cpu_model, _strategy=strategy)
        if cpu_model.optimizer is not None:
            facts = cpu_model.__dict__
            self.compile(cpu_model.optimizer, **{name: facts[name] for name in _FACTS})

    def sync_to_cpu(self):
        """The model that it was made of; it has the weights at any time."""
        return self._cpu_model

    def shutdown(self):
        """Nothing is held that would have to be given back."""


def keras_to_tpu_model(model: Any, strategy: Any = None) -> Any:
    """A model for a TPU of a Keras model; without one it trains on this machine.

    Args:
        model: a functional or Sequential model, compiled or not.
        strategy: a TPUDistributionStrategy.
    Returns:
        A KerasTPUModel: `fit`, `evaluate`, `predict`, and `sync_to_cpu()`.
    Raises:
        ValueError: the model is written as a class, or has no input yet.
    Example:
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
        model.compile(tf.train.GradientDescentOptimizer(0.1), "mse")
        tpu_model = tf.contrib.tpu.keras_to_tpu_model(model)
        tpu_model.fit(np.ones((8, 3)), np.ones((8, 1)), verbose=0)
    """
    if model._network is None:
        raise ValueError(
            f"keras_to_tpu_model takes functional and Sequential models whose input is "
            f"known, got {model!r}: build it from tf.keras.Input"
        )
    logging.info("There is no TPU: the model %s runs on this machine.", model.name)
    return KerasTPUModel(model, strategy or TPUDistributionStrategy())
