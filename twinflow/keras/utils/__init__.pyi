# Made by `python -m twinflow.testing.stubs` from the table of the index.
from twinflow.keras.config import CustomObjectScope as CustomObjectScope
from twinflow.keras.config import custom_object_scope as custom_object_scope
from twinflow.keras.config import get_custom_objects as get_custom_objects
from twinflow.keras.config import deserialized as deserialize_keras_object
from twinflow.keras.config import serialized as serialize_keras_object
from twinflow.keras.labels import normalize as normalize
from twinflow.keras.labels import to_categorical as to_categorical
from twinflow.keras.functional import get_source_inputs as get_source_inputs
