"""A process of benchmarks.scaling: its share of TFRecord files. RANK COUNT FOLDER.

It prints a line of JSON.
"""

import json
import sys
import time
from pathlib import Path

import twinflow as tf

SECONDS, BATCH, WAIT = 2.0, 32, 0.001


def records(rank, count, folder, wait):
    """Records in a second of processor time, while all processes read; `wait`: in a
    second, with 1 ms of waiting for each in 4 threads, in place of work."""
    tf.reset_default_graph()
    data = tf.data.Dataset.list_files(f"{folder}/*.tfrecord", shuffle=False)
    data = tf.data.TFRecordDataset(data.shard(count, rank))
    features = {"x": tf.FixedLenFeature([64], tf.float32)}
    data = data.map(lambda s: tf.parse_single_example(s, features)["x"])
    if wait:
        data = data.map(lambda x: tf.py_func(_slept, [x], tf.float32), 4)
    item = data.repeat().batch(BATCH).prefetch(2).make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        for _ in range(20):
            sess.run(item)
        _meet(Path(folder), f"{count}-{wait}", rank, count)
        start, done, used = time.perf_counter(), 0, time.process_time()
        while time.perf_counter() - start < SECONDS:
            done += len(sess.run(item))
        return done / (
            time.perf_counter() - start if wait else time.process_time() - used
        )


def _slept(x):
    time.sleep(WAIT)
    return x


def _meet(folder, name, rank, count):
    """Wait until all are here."""
    (folder / f"here-{name}-{rank}").touch()
    end = time.monotonic() + 60
    while len(list(folder.glob(f"here-{name}-*"))) < count:
        if time.monotonic() > end:
            raise TimeoutError(f"not all {count} processes came")
        time.sleep(0.01)


if __name__ == "__main__":
    place = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    found = {"parsed": records(*place, False), "waiting": records(*place, True)}
    print(json.dumps(found), flush=True)
