"""tf.data.experimental: functions for `dataset.apply`, and further datasets."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.data.applied: Counter choose_from_datasets copy_to_device
twinflow.data.applied: dense_to_sparse_batch enumerate_dataset get_single_element
twinflow.data.applied: ignore_errors map_and_batch parallel_interleave
twinflow.data.applied: prefetch_to_device rejection_resample sample_from_datasets scan
twinflow.data.applied: shuffle_and_repeat unbatch unique
twinflow.data.csv_dataset: CsvDataset
twinflow.data.csv_files: make_csv_dataset
twinflow.data.features: make_batched_features_dataset parse_example_dataset
twinflow.data.random_numbers: RandomDataset
twinflow.data.record_writer: TFRecordWriter
twinflow.data.sql: SqlDataset
twinflow.data.stats: StatsAggregator latency_stats set_stats_aggregator
twinflow.data.grouping: Reducer bucket_by_sequence_length group_by_reducer
twinflow.data.grouping: group_by_window
twinflow.train.input_pipelines: CheckpointInputPipelineHook make_saveable_from_iterator
twinflow.data.optional: Optional get_next_as_optional
""",
)
