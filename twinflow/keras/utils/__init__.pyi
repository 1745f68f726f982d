# Made by `make stubs` from the table of the index.
from twinflow.keras.saving.config import CustomObjectScope as CustomObjectScope
from twinflow.keras.saving.config import custom_object_scope as custom_object_scope
from twinflow.keras.saving.config import get_custom_objects as get_custom_objects
from twinflow.keras.saving.config import deserialized as deserialize_keras_object
from twinflow.keras.saving.config import serialized as serialize_keras_object
from twinflow.keras.utils.label_arrays import normalize as normalize
from twinflow.keras.utils.label_arrays import to_categorical as to_categorical
from twinflow.keras.engine.functional import get_source_inputs as get_source_inputs
from twinflow.keras.utils.progress_bar import Progbar as Progbar
from twinflow.keras.utils.data_files import get_file as get_file
from twinflow.keras.utils.plotting import plot_model as plot_model
from twinflow.keras.utils.hdf5_matrix import HDF5Matrix as HDF5Matrix
from twinflow.keras.utils.legacy import convert_all_kernels_in_model as convert_all_kernels_in_model
from twinflow.keras.utils.legacy import multi_gpu_model as multi_gpu_model
from twinflow.keras.utils.data_sequence import Sequence as Sequence
from twinflow.keras.utils.data_sequence import SequenceEnqueuer as SequenceEnqueuer
from twinflow.keras.utils.data_sequence import OrderedEnqueuer as OrderedEnqueuer
from twinflow.keras.utils.data_sequence import GeneratorEnqueuer as GeneratorEnqueuer

__all__ = [
"CustomObjectScope", "custom_object_scope", "get_custom_objects",
"deserialize_keras_object", "serialize_keras_object", "normalize", "to_categorical",
"get_source_inputs", "Progbar", "get_file", "plot_model", "HDF5Matrix",
"convert_all_kernels_in_model", "multi_gpu_model", "Sequence", "SequenceEnqueuer",
"OrderedEnqueuer", "GeneratorEnqueuer"
]
