"""tf.keras.models."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.keras.model: Model
twinflow.keras.sequential: Sequential
twinflow.keras.cloning: clone_model model_from_config model_from_json
twinflow.keras.loading: load_model save_model model_from_yaml
""",
)
