"""What programs take from tensorflow.python.training.saver and its neighbours."""

import time

from twinflow.checkpoint.saveable import SaveableObject, SaveSpec, VariableSaveable


class BaseSaverBuilder:
    """The names under which TensorFlow 1.12 has what a Saver saves."""

    SaveSpec, SaveableObject = SaveSpec, SaveableObject
    VariableSaveable = ResourceVariableSaveable = VariableSaveable


def maybe_name(obj):
    """The name of an object, or what it looks like."""
    if obj is None:
        return "None"
    return obj.name if hasattr(obj, "name") else f"<no name for {type(obj)}>"


class CountDownTimer:
    """Says how long it takes until some seconds are over."""

    def __init__(self, duration_secs):
        self._start, self._duration = time.time(), duration_secs

    def secs_remaining(self):
        """The seconds that are left, 0 at the least."""
        return max(0, self._duration - (time.time() - self._start))
