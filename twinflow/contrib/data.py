"""tf.contrib.data: transformations, for `dataset.apply(...)`."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.data.applied: AUTOTUNE Counter RandomDataset assert_element_shape
twinflow.data.applied: batch_and_drop_remainder choose_from_datasets
twinflow.data.applied: dense_to_sparse_batch enumerate_dataset get_single_element
twinflow.data.applied: ignore_errors map_and_batch padded_batch_and_drop_remainder
twinflow.data.applied: parallel_interleave prefetch_to_device
twinflow.data.applied: rejection_resample sample_from_datasets scan shuffle_and_repeat
twinflow.data.applied: sliding_window_batch unbatch unique
twinflow.data.grouping: Reducer bucket_by_sequence_length group_by_reducer
twinflow.data.grouping: group_by_window reduce_dataset
""",
)
