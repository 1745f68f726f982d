"""tf.contrib.data: transformations, for `dataset.apply(...)`."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.data.experimental.apply_functions: AUTOTUNE Counter assert_element_shape
twinflow.data.experimental.apply_functions: batch_and_drop_remainder
twinflow.data.experimental.apply_functions: choose_from_datasets copy_to_device
twinflow.data.experimental.apply_functions: dense_to_sparse_batch enumerate_dataset
twinflow.data.experimental.apply_functions: get_single_element
twinflow.data.experimental.apply_functions: ignore_errors map_and_batch
twinflow.data.experimental.apply_functions: padded_batch_and_drop_remainder
twinflow.data.experimental.apply_functions: parallel_interleave prefetch_to_device
twinflow.data.experimental.apply_functions: rejection_resample sample_from_datasets scan
twinflow.data.experimental.apply_functions: shuffle_and_repeat
twinflow.data.experimental.apply_functions: sliding_window_batch sloppy_interleave
twinflow.data.experimental.apply_functions: unbatch unique
twinflow.data.experimental.csv_dataset: CsvDataset
twinflow.data.experimental.csv_files: make_csv_dataset
twinflow.data.experimental.features: make_batched_features_dataset parse_example_dataset
twinflow.data.experimental.features: read_batch_features
twinflow.data.experimental.random_numbers: RandomDataset
twinflow.data.experimental.record_writer: TFRecordWriter
twinflow.data.experimental.sql: SqlDataset
twinflow.compat.refused: LMDBDataset=contrib__data__LMDBDataset
twinflow.data.experimental.stats: StatsAggregator latency_stats set_stats_aggregator
twinflow.data.experimental.grouping: Reducer bucket_by_sequence_length group_by_reducer
twinflow.data.experimental.grouping: group_by_window reduce_dataset
twinflow.train.input_pipelines: CheckpointInputPipelineHook make_saveable_from_iterator
twinflow.data.experimental.optional: Optional get_next_as_optional
""",
)
