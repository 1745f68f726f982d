"""tf.saved_model.loader: what reads SavedModels."""

from twinflow.export.loading import load, maybe_saved_model_directory

__all__ = ["load", "maybe_saved_model_directory"]
