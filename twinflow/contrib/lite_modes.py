"""tf.contrib.lite.ConverterMode."""

import enum


class ConverterMode(enum.Enum):
    """Which converter programs ask TensorFlow Lite for: that is not there.

    Example:
        tf.contrib.lite.ConverterMode("DEFAULT").name  # "DEFAULT"
    """

    DEFAULT = "DEFAULT"
    TOCO_FLEX = "TOCO_FLEX"
    TOCO_FLEX_ALL = "TOCO_FLEX_ALL"

    def __str__(self) -> str:
        return str(self.value)
