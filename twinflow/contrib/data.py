"""tf.contrib.data: transformations, for `dataset.apply(...)`."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.data.applied: AUTOTUNE Counter assert_element_shape
twinflow.data.applied: batch_and_drop_remainder choose_from_datasets copy_to_device
twinflow.data.applied: dense_to_sparse_batch enumerate_dataset get_single_element
twinflow.data.applied: ignore_errors map_and_batch padded_batch_and_drop_remainder
twinflow.data.applied: parallel_interleave prefetch_to_device
twinflow.data.applied: rejection_resample sample_from_datasets scan shuffle_and_repeat
twinflow.data.applied: sliding_window_batch sloppy_interleave unbatch unique
twinflow.data.csv_dataset: CsvDataset
twinflow.data.csv_files: make_csv_dataset
twinflow.data.features: make_batched_features_dataset parse_example_dataset
twinflow.data.features: read_batch_features
twinflow.data.random_numbers: RandomDataset
twinflow.data.record_writer: TFRecordWriter
twinflow.data.sql: SqlDataset
twinflow.compat.refused: LMDBDataset=contrib__data__LMDBDataset
twinflow.data.stats: StatsAggregator latency_stats set_stats_aggregator
twinflow.data.grouping: Reducer bucket_by_sequence_length group_by_reducer
twinflow.data.grouping: group_by_window reduce_dataset
twinflow.train.input_pipelines: CheckpointInputPipelineHook make_saveable_from_iterator
twinflow.data.optional: Optional get_next_as_optional
""",
)
