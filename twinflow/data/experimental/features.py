"""tf.data.experimental.make_batched_features_dataset: batches of parsed Examples."""

import contextlib
from collections.abc import Callable
from typing import Any

from google.protobuf.message import DecodeError

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.data.dataset import Dataset
from twinflow.data.experimental.file_patterns import files_of, shuffled_and_repeated
from twinflow.data.experimental.stats import Measured
from twinflow.data.readers import TFRecordDataset
from twinflow.formats.protos import Example
from twinflow.ops.parsing.public import parse_example
from twinflow.ops.strings.arrays import flat

_TURNS = 24  # files that take turns where the user leaves it to us


def parse_example_dataset(
    features: Any, num_parallel_calls: int | None = 1
) -> Callable[..., Any]:
    """A function that parses batches of serialised Examples.

    Args:
        features: a dict as for tf.parse_example.
        num_parallel_calls: how many batches may be worked on at once.
    Returns:
        A function from a dataset of string[batch] to one of dicts of tensors.
    Raises:
        ValueError: there are no features. TypeError (when applied): no strings.
    Example:
        example = tf.train.Example()
        example.features.feature["x"].float_list.value.extend([1.0, 2.0])
        d = tf.data.Dataset.from_tensors([example.SerializeToString()])
        d = d.apply(tf.data.experimental.parse_example_dataset(
            {"x": tf.FixedLenFeature([2], tf.float32)}, num_parallel_calls=4))
        [row["x"].numpy().tolist() for row in d]  # [[[1.0, 2.0]]]
    """
    if features is None:
        raise ValueError("Missing: features was None.")

    def apply(dataset):
        kinds = dataset.structure.types
        if len(kinds) != 1 or kinds[0] is not dtypes.string:
            raise TypeError("Input dataset should be a dataset of vectors of strings")
        counted = dataset._then(
            "ParseExampleDataset", lambda env, source: _counted(source, features, env)
        )
        parse = lambda batch: parse_example(batch, features)
        return counted.map(parse, num_parallel_calls)

    return apply


def _counted(source, features, env):
    """The source, whose Examples are told to a StatsAggregator, if there is one."""
    if env.stats is None:
        return source
    names = set()
    for name, told in features.items():
        index = getattr(told, "index_key", name)  # of a SparseFeature
        names.update([index] if isinstance(index, str) else index)
        names.add(getattr(told, "value_key", name))

    def tell(element, seconds):
        for record in flat(element[0]):
            with contextlib.suppress(DecodeError):  # which the parser words better
                found = Example.FromString(record).features.feature
                values = sum(_count(found[n]) for n in names if n in found)
                env.stats.add("record_stats:features", len(found))
                env.stats.add("record_stats:feature-values", values)

    return lambda: Measured(source(), tell)


def _count(feature):
    """How many values a feature has."""
    kind = feature.WhichOneof("kind")
    return len(getattr(feature, kind).value) if kind else 0


def make_batched_features_dataset(
    file_pattern: TensorValue, batch_size: Any, features: Any,
    reader: Any = TFRecordDataset, label_key: str | None = None,
    reader_args: Any = None, num_epochs: Any = None, shuffle: bool = True,
    shuffle_buffer_size: int = 10000, shuffle_seed: Any = None,
    prefetch_buffer_size: int | None = -1, reader_num_threads: int = 1,
    parser_num_threads: int = 2, sloppy_ordering: bool = False,
    drop_final_batch: bool = False,
) -> Dataset:  # fmt: skip
    """Batches of the Examples in files, as dicts from feature names to tensors.

    Args:
        file_pattern: a pattern of paths, or a list of such.
        batch_size: Examples in a batch. features: a dict as for tf.parse_example.
        reader: (path, *reader_args) -> a dataset of records, or of (key, record).
        label_key: the feature that is given beside the dict, as (features, label).
        num_epochs: how often the files are read; None = without an end, and then all
            batches are full.
        shuffle, shuffle_buffer_size, shuffle_seed: shuffle files and records.
        prefetch_buffer_size: batches made ahead; -1 leaves it to us.
        reader_num_threads: how many files take turns.
        parser_num_threads: batches parsed at once.
        sloppy_ordering: accepted; records come in the order of the files.
        drop_final_batch: leave out a last batch that is smaller.
    Raises:
        ValueError: no file matches, or `label_key` is no feature.
    Example:
        example = tf.train.Example()
        example.features.feature["x"].int64_list.value.append(3)
        with tf.python_io.TFRecordWriter("train-0.tfrecord") as writer:
            writer.write(example.SerializeToString())
        d = tf.data.experimental.make_batched_features_dataset(
            "*.tfrecord", 1, {"x": tf.FixedLenFeature([], tf.int64)}, num_epochs=1)
        [row["x"].numpy().tolist() for row in d]  # [[3]]
    """
    paths = files_of(file_pattern)
    files = Dataset.from_tensor_slices(paths)
    files = files.shuffle(len(paths), shuffle_seed) if shuffle else files
    args = reader_args or ()
    dataset = files.interleave(lambda path: reader(path, *args), reader_num_threads)
    if dataset.output_types == (dtypes.string, dtypes.string):
        dataset = dataset.map(lambda key, record: record)
    dataset = shuffled_and_repeated(
        dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed
    )
    dataset = dataset.batch(batch_size, drop_final_batch or num_epochs is None)
    dataset = dataset.apply(parse_example_dataset(features, parser_num_threads))
    if label_key:
        if label_key not in features:
            raise ValueError(
                f"The `label_key` provided ({label_key!r}) must be one of the "
                "`features` keys."
            )
        dataset = dataset.map(lambda found: (found, found.pop(label_key)))
    return dataset.prefetch(prefetch_buffer_size)


def read_batch_features(
    file_pattern: TensorValue, batch_size: Any, features: Any,
    reader: Any = TFRecordDataset, reader_args: Any = None,
    randomize_input: bool = True, num_epochs: Any = None, capacity: int = 10000,
) -> Any:  # fmt: skip
    """The next batch of `make_batched_features_dataset`, as a dict of tensors.

    Args:
        randomize_input: shuffle files and records. capacity: of the shuffle buffer.
    """
    dataset = make_batched_features_dataset(
        file_pattern, batch_size, features, reader, reader_args=reader_args,
        num_epochs=num_epochs, shuffle=randomize_input, shuffle_buffer_size=capacity,
    )  # fmt: skip
    return dataset.make_one_shot_iterator().get_next()


def make_tf_record_dataset(
    file_pattern, batch_size, parser_fn=None, num_epochs=None, shuffle=True,
    shuffle_buffer_size=None, shuffle_seed=None, prefetch_buffer_size=-1,
    num_parallel_reads=None, num_parallel_parser_calls=None, drop_final_batch=False,
):  # fmt: skip
    """Batches of the records in TFRecord files.

    Args:
        file_pattern: a pattern of paths, or a list of such. batch_size: of records.
        parser_fn: from a record to an element; records stay as they are without it.
        num_epochs: how often the files are read; None = without an end, and then all
            batches are full.
        shuffle, shuffle_buffer_size, shuffle_seed: shuffle files and records.
        prefetch_buffer_size: batches made ahead; 0 = none, -1 leaves it to us.
        num_parallel_reads: how many files take turns.
        num_parallel_parser_calls: records parsed at once.
        drop_final_batch: leave out a last batch that is smaller.
    """
    files = Dataset.list_files(file_pattern, shuffle, shuffle_seed)
    turns = _TURNS if num_parallel_reads is None else num_parallel_reads
    dataset = shuffled_and_repeated(
        TFRecordDataset(files, num_parallel_reads=turns), num_epochs, shuffle,
        10000 if shuffle_buffer_size is None else shuffle_buffer_size, shuffle_seed,
    )  # fmt: skip
    if parser_fn is not None:
        dataset = dataset.map(parser_fn, num_parallel_parser_calls)
    dataset = dataset.batch(batch_size, drop_final_batch or num_epochs is None)
    return dataset.prefetch(prefetch_buffer_size) if prefetch_buffer_size else dataset
