"""tf.keras.utils."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.keras.config: CustomObjectScope custom_object_scope get_custom_objects
twinflow.keras.config: deserialize_keras_object=deserialized
twinflow.keras.config: serialize_keras_object=serialized
twinflow.keras.labels: normalize to_categorical
twinflow.keras.functional: get_source_inputs
twinflow.keras.progress: Progbar
twinflow.keras.files: get_file
twinflow.keras.plotting: plot_model
twinflow.keras.hdf5_matrix: HDF5Matrix
twinflow.keras.kernels: convert_all_kernels_in_model multi_gpu_model
twinflow.keras.sequence: Sequence SequenceEnqueuer OrderedEnqueuer GeneratorEnqueuer
""",
)
