"""tf.saved_model.main_op: what runs when a SavedModel has been loaded."""

from twinflow.export.saved_model import main_op, main_op_with_restore

__all__ = ["main_op", "main_op_with_restore"]
