"""tf.data.experimental: functions for `dataset.apply`, and further datasets."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.data.experimental.apply_functions: Counter choose_from_datasets copy_to_device
twinflow.data.experimental.apply_functions: dense_to_sparse_batch enumerate_dataset
twinflow.data.experimental.apply_functions: get_single_element
twinflow.data.experimental.apply_functions: ignore_errors map_and_batch
twinflow.data.experimental.apply_functions: parallel_interleave
twinflow.data.experimental.apply_functions: prefetch_to_device rejection_resample
twinflow.data.experimental.apply_functions: sample_from_datasets scan
twinflow.data.experimental.apply_functions: shuffle_and_repeat unbatch unique
twinflow.data.experimental.csv_dataset: CsvDataset
twinflow.data.experimental.csv_files: make_csv_dataset
twinflow.data.experimental.features: make_batched_features_dataset parse_example_dataset
twinflow.data.experimental.random_numbers: RandomDataset
twinflow.data.experimental.record_writer: TFRecordWriter
twinflow.data.experimental.sql: SqlDataset
twinflow.data.experimental.stats: StatsAggregator latency_stats set_stats_aggregator
twinflow.data.experimental.grouping: Reducer bucket_by_sequence_length group_by_reducer
twinflow.data.experimental.grouping: group_by_window
twinflow.train.input_pipelines: CheckpointInputPipelineHook make_saveable_from_iterator
twinflow.data.experimental.optional: Optional get_next_as_optional
""",
)
