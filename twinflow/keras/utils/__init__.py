"""tf.keras.utils."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.keras.saving.config: CustomObjectScope custom_object_scope get_custom_objects
twinflow.keras.saving.config: deserialize_keras_object=deserialized
twinflow.keras.saving.config: serialize_keras_object=serialized
twinflow.keras.utils.label_arrays: normalize to_categorical
twinflow.keras.engine.functional: get_source_inputs
twinflow.keras.utils.progress_bar: Progbar
twinflow.keras.utils.data_files: get_file
twinflow.keras.utils.plotting: plot_model
twinflow.keras.utils.hdf5_matrix: HDF5Matrix
twinflow.keras.utils.legacy: convert_all_kernels_in_model multi_gpu_model
twinflow.keras.utils.data_sequence: Sequence SequenceEnqueuer OrderedEnqueuer
twinflow.keras.utils.data_sequence: GeneratorEnqueuer
""",
)
