"""What programs take from tensorflow.python.training.saver beside the Saver."""

from twinflow.checkpoint.saveable import SaveableObject, SaveSpec, VariableSaveable


class BaseSaverBuilder:
    """The names under which TensorFlow 1.12 has what a Saver saves."""

    SaveSpec, SaveableObject = SaveSpec, SaveableObject
    VariableSaveable = ResourceVariableSaveable = VariableSaveable
