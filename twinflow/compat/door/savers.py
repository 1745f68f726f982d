"""What TensorFlow 1.12 has in python.training.saver beside the Saver."""

from twinflow.checkpoint import saveable


class BaseSaverBuilder:
    """Holds the classes that programs derive what they save from."""

    SaveSpec = saveable.SaveSpec
    SaveableObject = saveable.SaveableObject
    VariableSaveable = saveable.VariableSaveable
    ResourceVariableSaveable = saveable.VariableSaveable
