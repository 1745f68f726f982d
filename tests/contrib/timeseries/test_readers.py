"""Readers of time series and the windows that are cut from them."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.contrib.timeseries.input_functions import AllWindowInputFn
from twinflow.contrib.timeseries.readers import TFExampleReader

ts = tf.contrib.timeseries
DATA = {"times": np.arange(6), "values": np.float32(np.arange(6)) / 2}


def fetched(tensors):
    with tf.train.MonitoredSession() as session:
        return session.run(tensors)


def csv(tmp_path):
    path = tmp_path / "series.csv"
    lines = [f"{t},{v},{-v}" for t, v in zip(*DATA.values())]
    path.write_text("\n".join(["time,a,b", *lines]) + "\n")
    names = ("times", "values", "values")
    return ts.CSVReader(str(path), column_names=names, skip_header_lines=1)


def examples(tmp_path):
    path = str(tmp_path / "series.tfrecord")
    with tf.python_io.TFRecordWriter(path) as writer:
        for time, value in zip(*DATA.values()):
            example = tf.train.Example()
            example.features.feature["times"].int64_list.value.append(time)
            example.features.feature["values"].float_list.value.extend([value, -value])
            writer.write(example.SerializeToString())
    kinds = {
        "times": tf.FixedLenFeature([], tf.int64),
        "values": tf.FixedLenFeature([2], tf.float32),
    }
    return TFExampleReader([path], kinds)


@pytest.mark.parametrize("make", [csv, examples])
def test_files_are_read_whole_and_in_parts(make, tmp_path):
    with tf.Graph().as_default():
        reader = make(tmp_path)
        found = fetched([reader.read_full(), reader.read()])
    for features in found:
        assert features["times"].tolist() == list(range(6))
        assert features["values"][:, 0].tolist() == DATA["values"].tolist()
        assert features["values"][:, 1].tolist() == (-DATA["values"]).tolist()


def test_windows_are_whole_and_in_order():
    with tf.Graph().as_default():
        random = ts.RandomWindowInputFn(
            ts.NumpyReader(DATA, read_num_records_hint=6), window_size=3, batch_size=4,
            queue_capacity_multiplier=3, num_threads=1,
        )  # fmt: skip
        every = AllWindowInputFn(ts.NumpyReader(DATA), window_size=5)
        random, every = fetched([random()[0], every()[0]])
    assert (np.diff(random["times"], axis=1) == 1).all()
    assert (random["values"][..., 0] == random["times"] / 2).all()
    assert every["times"].tolist() == [[0, 1, 2, 3, 4], [1, 2, 3, 4, 5]]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"times": [1]}, "times and values are required features"),
        ({"times": [1, 2], "values": [1.0]}, "shapes prefixed by the shape"),
        ({"times": [[1], [2]], "values": [[1.0], [2.0]]}, "Got batch input"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(data, message):
    with pytest.raises(ValueError, match=message):
        ts.NumpyReader(data)


def test_windows_longer_than_the_series_are_refused():
    windows = ts.RandomWindowInputFn(ts.NumpyReader(DATA), 7, 1)
    with pytest.raises(ValueError, match="only 6 records were available"):
        windows()


def test_times_to_predict_are_checked():
    seen = {"times": np.array([[1, 2]]), "start_tuple": ()}
    predict = ts.predict_continuation_input_fn
    with pytest.raises(ValueError, match="One of `steps` and `times`"):
        predict(seen)
    with pytest.raises(ValueError, match="Only one of"):
        predict(seen, steps=1, times=[3])
    with pytest.raises(ValueError, match="must be after"):
        predict(seen, times=[2])
    with pytest.raises(ValueError, match="batch dimension"):
        predict(seen, times=[[3], [4]])
