"""tf.keras.models."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.keras.engine.model: Model
twinflow.keras.engine.sequential: Sequential
twinflow.keras.saving.cloning: clone_model model_from_config model_from_json
twinflow.keras.saving.whole_models: load_model save_model model_from_yaml
""",
)
