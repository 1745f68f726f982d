"""What programs choose between: how models are converted, and how they are shrunk."""

import enum


class ConverterMode(enum.Enum):
    """Which ops a model may have: TensorFlow Lite's, or those of TensorFlow as well.

    Example:
        tf.contrib.lite.ConverterMode("DEFAULT").name  # "DEFAULT"
    """

    DEFAULT = "DEFAULT"
    TOCO_FLEX = "TOCO_FLEX"
    TOCO_FLEX_ALL = "TOCO_FLEX_ALL"

    def __str__(self) -> str:
        return str(self.value)


class Optimize(enum.Enum):
    """What a converter's `optimizations` may hold: each keeps weights in 8 bits.

    Example:
        tf.lite.Optimize.DEFAULT.value  # "DEFAULT"
    """

    DEFAULT = "DEFAULT"
    OPTIMIZE_FOR_SIZE = "OPTIMIZE_FOR_SIZE"
    OPTIMIZE_FOR_LATENCY = "OPTIMIZE_FOR_LATENCY"

    def __str__(self) -> str:
        return str(self.value)
