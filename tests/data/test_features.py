"""Datasets of Examples and of records, and records written by a dataset."""

import itertools

import pytest

import twinflow as tf
from twinflow.base import errors
from twinflow.data.experimental.features import make_tf_record_dataset
from twinflow.data.experimental.random_numbers import RandomDataset
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph

data = tf.data.experimental
AGE = {"a": tf.FixedLenFeature([], tf.int64)}
ALL = {
    **AGE,
    "k": tf.VarLenFeature(tf.string),
    "y": tf.FixedLenFeature([1], tf.float32),
}


def example(i):
    feature = tf.train.Feature
    return tf.train.Example(features=tf.train.Features(feature={
        "a": feature(int64_list=tf.train.Int64List(value=[i])),
        "k": feature(bytes_list=tf.train.BytesList(value=[b"w"] * i)),
        "y": feature(float_list=tf.train.FloatList(value=[i / 2])),
    })).SerializeToString()  # fmt: skip


@pytest.fixture
def files(tmp_path):
    for name, numbers in ("a.tfr", range(3)), ("b.tfr", range(3, 5)):
        with tf.python_io.TFRecordWriter(str(tmp_path / name)) as writer:
            for i in numbers:
                writer.write(example(i))
    return str(tmp_path / "*.tfr")


def ages(elements, *args, **options):
    options = {"num_epochs": 1, "shuffle": False, **options}
    make = lambda: data.make_batched_features_dataset(*args, **options)
    return [batch["a"] for batch in elements(make)]


def test_batches_of_features(files, elements):
    assert ages(elements, files, 2, AGE) == [[0, 1], [2, 3], [4]]
    assert ages(elements, files, 2, AGE, drop_final_batch=True) == [[0, 1], [2, 3]]
    assert ages(elements, files, 2, AGE, num_epochs=2)[2] == [4, 0]
    assert ages(elements, files, 2, AGE, reader_num_threads=2) == [[0, 3], [1, 4], [2]]
    found = ages(elements, files, 9, AGE, shuffle=True, num_epochs=2)
    assert sorted(itertools.chain(*found)) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    keyed = lambda path: tf.data.TFRecordDataset(path).map(lambda r: ("key", r))
    assert ages(elements, files, 5, AGE, reader=keyed) == [[0, 1, 2, 3, 4]]


def test_labels_sparse_features_and_batches_without_an_end(files):
    make = data.make_batched_features_dataset
    features, label = next(iter(make(files, 3, ALL, label_key="y", shuffle=False)))
    assert sorted(features) == ["a", "k"]
    assert label.numpy().tolist() == [[0.0], [0.5], [1.0]]
    assert features["k"].indices.numpy().tolist() == [[1, 0], [2, 0], [2, 1]]
    assert make(files, 3, AGE).output_shapes["a"].as_list() == [3]
    message = r"The `label_key` provided \('z'\) must be one of the `features` keys."
    with pytest.raises(ValueError, match=message):
        make(files, 3, ALL, label_key="z")
    with pytest.raises(ValueError, match="No files match"):
        make(files + "x", 3, ALL)
    with pytest.raises(errors.DataLossError, match=r"header check in .*a.tfr"):
        next(iter(make(files, 3, AGE, reader_args=["GZIP"], shuffle=False)))


def test_the_next_batch(files):
    with Graph().as_default(), Session() as session:
        batch = tf.contrib.data.read_batch_features(
            files, 2, AGE, randomize_input=False, num_epochs=1
        )
        assert session.run(batch)["a"].tolist() == [0, 1]


def test_parsing_batches(elements):
    records = lambda: tf.data.Dataset.from_tensor_slices([example(1), example(2)])
    for calls in 1, 3:
        parse = data.parse_example_dataset(AGE, calls)
        found = elements(lambda parse=parse: records().batch(2).apply(parse))
        assert found == [{"a": [1, 2]}]
    sparse = {"s": tf.SparseFeature("a", "y", tf.float32, 10)}
    (found,) = records().batch(2).apply(data.parse_example_dataset(sparse))
    assert found["s"].indices.numpy().tolist() == [[0, 1], [1, 2]]
    assert found["s"].values.numpy().tolist() == [0.5, 1.0]
    with pytest.raises(ValueError, match="Missing: features was None"):
        data.parse_example_dataset(None)
    with pytest.raises(TypeError, match="should be a dataset of vectors of strings"):
        tf.data.Dataset.range(3).batch(2).apply(data.parse_example_dataset(AGE))


def test_statistics_of_parsed_examples():
    """`features` are those of an Example, `feature-values` what is parsed of them."""
    stats = data.StatsAggregator()
    records = tf.data.Dataset.from_tensor_slices([example(1), example(3), b""])
    wanted = {"k": ALL["k"], "z": tf.FixedLenFeature([], tf.int64, 0)}
    dataset = records.batch(2).apply(data.parse_example_dataset(wanted))
    assert len(list(dataset.apply(data.set_stats_aggregator(stats)))) == 2
    found = tf.Summary.FromString(stats.get_summary().numpy()).value
    assert {v.tag: (v.histo.num, v.histo.sum, v.histo.max) for v in found} == {
        "record_stats:features": (3, 6, 3), "record_stats:feature-values": (3, 4, 3)
    }  # fmt: skip
    damaged = tf.data.Dataset.from_tensors([b"\xff\xff"])
    with pytest.raises(errors.InvalidArgumentError, match="Could not parse example"):
        next(iter(damaged.apply(data.parse_example_dataset(wanted)).apply(
            data.set_stats_aggregator(stats))))  # fmt: skip


def test_records_of_many_files(files, elements):
    age = lambda record: tf.parse_single_example(record, AGE)["a"]
    make = lambda **options: make_tf_record_dataset(
        files, 2, age, num_epochs=1, shuffle=False, **options
    )
    assert elements(make) == [[0, 3], [1, 4], [2]]
    assert elements(lambda: make(num_parallel_reads=1)) == [[0, 1], [2, 3], [4]]
    assert elements(lambda: make(drop_final_batch=True, prefetch_buffer_size=0)) == [
        [0, 3], [1, 4]]  # fmt: skip
    paths = lambda: tf.data.Dataset.list_files(files, shuffle=False)
    turns = lambda n: tf.data.TFRecordDataset(paths(), num_parallel_reads=n).map(age)
    assert elements(lambda: turns(2)) == [0, 3, 1, 4, 2]
    assert elements(lambda: turns(None)) == [0, 1, 2, 3, 4]


# ---------------------------------------------------------------------- writing
def strings():
    return tf.data.Dataset.from_tensor_slices(["a", "bc", ""])


def written(path, kind):
    options = tf.python_io.TFRecordOptions(kind)
    return list(tf.python_io.tf_record_iterator(path, options))


@pytest.mark.parametrize("kind", ["", "GZIP", "ZLIB"])
def test_a_dataset_is_written(tmp_path, kind):
    path = str(tmp_path / "r")
    assert data.TFRecordWriter(path, kind).write(strings()) is None
    assert written(path, kind) == [b"a", b"bc", b""]
    with Graph().as_default(), Session() as session:
        name = tf.placeholder(tf.string, [])
        write = data.TFRecordWriter(name, kind).write(strings().take(2))
        assert (write.type, session.run(write, {name: path})) == (
            "DatasetToTFRecord", None)  # fmt: skip
    assert written(path, kind) == [b"a", b"bc"]


def test_a_dataset_that_fails_leaves_the_former_file(tmp_path):
    path = tmp_path / "r"
    path.write_bytes(b"before")
    failing = strings().map(lambda s: tf.string_join([s, tf.as_string(
        tf.decode_raw(s, tf.int16)[0])]))  # fmt: skip
    with pytest.raises(errors.InvalidArgumentError):
        data.TFRecordWriter(str(path)).write(failing)
    assert [p.name for p in tmp_path.iterdir()] == ["r"]
    assert path.read_bytes() == b"before"


def test_what_cannot_be_written(tmp_path):
    writer = data.TFRecordWriter(str(tmp_path / "no" / "r"))
    with pytest.raises(errors.NotFoundError, match="no/r; No such file or directory"):
        writer.write(strings())
    with pytest.raises(TypeError, match=r"must be a `tf.data.Dataset`"):
        writer.write([b"a"])
    with pytest.raises(TypeError, match=r"`DT_STRING` tensors whereas it .* \(\)"):
        writer.write(tf.data.Dataset.range(3))
    with pytest.raises(errors.InvalidArgumentError, match="compression_type: ZIP"):
        data.TFRecordWriter(str(tmp_path / "r"), "ZIP").write(strings())


# ---------------------------------------------------------------------- numbers
def test_random_numbers(elements):
    make = lambda: data.RandomDataset(seed=1).take(5)
    first = elements(make)
    assert first == elements(make)
    assert len(set(first)) == 5
    assert all(0 <= i < 2**32 for i in first)
    assert elements(lambda: make().repeat(2)) == first * 2
    assert data.RandomDataset is RandomDataset is tf.contrib.data.RandomDataset
    assert isinstance(data.RandomDataset(), tf.data.Dataset)
    assert elements(lambda: data.RandomDataset().take(5)) != first
