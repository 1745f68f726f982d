"""tf.keras: layers and models."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.keras.engine.model: Model
twinflow.keras.engine.sequential: Sequential
twinflow.keras.engine.input_layer: Input
twinflow.keras.layers: layers=*
twinflow.keras.models: models=*
twinflow.keras.activations: activations=*
twinflow.keras.applications: applications=*
twinflow.keras.backend: backend=*
twinflow.keras.callbacks: callbacks=*
twinflow.keras.constraints: constraints=*
twinflow.keras.initializers: initializers=*
twinflow.keras.losses: losses=*
twinflow.keras.metrics: metrics=*
twinflow.keras.optimizers: optimizers=*
twinflow.keras.datasets: datasets=*
twinflow.keras.estimator: estimator=*
twinflow.keras.preprocessing: preprocessing=*
twinflow.keras.regularizers: regularizers=*
twinflow.keras.utils: utils=*
twinflow.keras.wrappers: wrappers=*
""",
)
