"""tf.saved_model.builder: what writes SavedModels."""

from twinflow.export.saved_model import SavedModelBuilder

__all__ = ["SavedModelBuilder"]
