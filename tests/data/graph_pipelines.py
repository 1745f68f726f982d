"""Input pipelines in graphs, for TensorFlow 1.12 and for twinflow.

Usage: `PYTHON tests/data/graph_pipelines.py make FOLDER` with TensorFlow 1.12 (under
Python 3.6) writes the golden GraphDefs and, in elements.json, what they give. With
`write` it writes all that twinflow writes too, and with `write` and `run` it prints
what the GraphDefs of a folder give, as JSON, whoever wrote them.
"""

import glob
import json
import os
import sys

KEPT = (
    "one_shot", "captured", "flat_maps", "windows", "started_anew", "by_handle",
    "reduced",
)  # fmt: skip
CASES = {}  # what both write and read
GOLDEN_ONLY = {}  # what twinflow writes as a dataset of this process


def case(function):
    CASES[function.__name__] = function
    return function


def golden_only(function):
    GOLDEN_ONLY[function.__name__] = function
    return function


def again(dataset):
    """The next element of an iterator that is initialised."""
    return dataset.make_initializable_iterator().get_next()


@case
def one_shot(tf):
    numbers = tf.data.Dataset.range(10).map(lambda x: x * x).batch(4)
    return numbers.make_one_shot_iterator().get_next()


@case
def one_shot_of_computed(tf):
    rows = tf.data.Dataset.from_tensor_slices(tf.constant([1.5, 2.5]) * 2.0)
    return rows.make_one_shot_iterator().get_next()


@case
def shuffled(tf):
    rows = tf.data.Dataset.from_tensor_slices([3.0, 1.0, 2.0])
    return again(rows.repeat(2).shuffle(4, seed=3).prefetch(1))


@case
def captured(tf):
    five = tf.constant(5, tf.int64)
    moved = tf.data.Dataset.range(4).map(lambda x: x + five, num_parallel_calls=2)
    return again(moved.filter(lambda x: x > 5))


@case
def flat_maps(tf):
    data = tf.data.Dataset
    return again(data.range(4).flat_map(lambda x: data.range(x).map(lambda y: y + x)))


@case
def interleaved(tf):
    data = tf.data.Dataset
    return again(
        data.range(3).interleave(lambda x: data.from_tensors(x).repeat(2), 2, 1)
    )


@case
def side_by_side(tf):
    data = tf.data.Dataset
    reading = tf.data.experimental.parallel_interleave(
        lambda x: data.from_tensors(x).repeat(2), 2
    )
    return again(data.range(3).apply(reading))


@case
def windows(tf):
    found = tf.data.Dataset.range(6).window(3, shift=2)
    return again(found.flat_map(lambda w: w.batch(3)).map(tf.reduce_sum))


@case
def padded(tf):
    rows = tf.data.Dataset.range(4).map(lambda x: tf.fill([x], x))
    return again(rows.padded_batch(2, [None]))


@case
def texts(tf):
    rows = tf.data.Dataset.from_tensor_slices((["a", "b"], [1, 2]))
    return again(rows.map(lambda s, n: tf.string_join([s, tf.as_string(n)])))


@case
def scanned(tf):
    sums = tf.data.experimental.scan(
        tf.constant(0, tf.int64), lambda s, x: (s + x, s * x)
    )
    return again(tf.data.Dataset.range(5).apply(sums))


@case
def epochs(tf):
    mixed = tf.data.experimental.shuffle_and_repeat(3, 2, seed=5)
    return again(tf.data.Dataset.range(4).apply(mixed))


@case
def mapped_batches(tf):
    batches = tf.data.experimental.map_and_batch(lambda x: x * 2, 3)
    return again(tf.data.Dataset.range(7).apply(batches))


@case
def dicts(tf):
    rows = tf.data.Dataset.from_tensor_slices({"a": [1, 2], "b": [3, 4]})
    found = rows.map(lambda d: d["a"] * 10 + d["b"])
    return found.make_one_shot_iterator().get_next()


@case
def unbatched(tf):
    rows = tf.data.Dataset.from_tensors([1, 2, 3])
    return again(rows.apply(tf.data.experimental.unbatch()))


@case
def branches(tf):
    def chosen(x):
        return tf.cond(x > 1, lambda: x * 10, lambda: x)

    return again(tf.data.Dataset.range(4).map(chosen))


@case
def loops(tf):
    def counted(x):
        first = [tf.constant(0, tf.int64)]
        return tf.while_loop(lambda i: i < x * 3, lambda i: i + 2, first)

    return again(tf.data.Dataset.range(4).map(counted))


@case
def zipped(tf):
    data = tf.data.Dataset
    products = data.zip((data.range(3), data.range(5, 9))).map(lambda a, b: a * b)
    return again(products.concatenate(data.range(2)).cache().take(4).skip(1))


@case
def started_anew(tf):
    iterator = tf.data.Iterator.from_structure(tf.int64, [])
    iterator.make_initializer(tf.data.Dataset.range(2))
    iterator.make_initializer(tf.data.Dataset.range(5, 8))
    return iterator.get_next()


@case
def by_handle(tf):
    first = tf.data.Dataset.range(3).make_one_shot_iterator()
    handle = first.string_handle()
    return tf.data.Iterator.from_string_handle(handle, tf.int64, []).get_next()


@case
def reduced(tf):
    zero = tf.constant(0, tf.int64)
    total = tf.data.Dataset.range(5).reduce(zero, lambda a, b: a + b)
    one = tf.data.experimental.get_single_element(tf.data.Dataset.range(3, 4))
    counted = tf.data.Dataset.range(2).make_one_shot_iterator().get_next()
    return tf.stack([total, one, counted])


@golden_only
def grouped(tf):
    groups = tf.data.experimental.group_by_window(
        lambda x: x % 2, lambda key, window: window.batch(2), 2
    )
    return again(tf.data.Dataset.range(7).apply(groups))


@golden_only
def reduced_groups(tf):
    reducer = tf.data.experimental.Reducer(
        lambda key: tf.constant(0, tf.int64), lambda s, x: s + x, lambda s: s * 10
    )
    groups = tf.data.experimental.group_by_reducer(lambda x: x % 3, reducer)
    return again(tf.data.Dataset.range(7).apply(groups))


@golden_only
def sparse(tf):
    rows = tf.SparseTensor([[0, 0], [1, 2]], [1, 2], [2, 3])
    found = again(tf.data.Dataset.from_tensor_slices(rows).batch(2))
    return tf.sparse_tensor_to_dense(found)


@golden_only
def to_sparse(tf):
    rows = tf.data.Dataset.range(1, 4).map(lambda x: tf.fill([x], x))
    batches = tf.data.experimental.dense_to_sparse_batch(2, [None])
    return tf.sparse_tensor_to_dense(again(rows.apply(batches)))


@golden_only
def chosen(tf):
    data = tf.data.Dataset
    choices = data.from_tensor_slices(tf.constant([0, 1, 0], tf.int64))
    return again(
        tf.data.experimental.choose_from_datasets(
            [data.range(3), data.range(10, 13)], choices
        )
    )


@golden_only
def random(tf):
    drawn = tf.data.Dataset.range(3).map(lambda x: tf.random_uniform([], seed=4))
    return again(drawn)


def graph_def(tf, build):
    """The GraphDef of a pipeline whose element is `x`, without what hints."""
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(7)
        tf.identity(build(tf), name="x")
        found = graph.as_graph_def()
    for node in found.node:
        if "_class" in node.attr:
            del node.attr["_class"]
    return found


def elements(tf, definition):
    """What `x` of a GraphDef gives after each of its initialisers."""
    found = []
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.import_graph_def(definition, name="")
        makers = [n for n in graph.get_operations() if n.type == "MakeIterator"]
        for maker in makers or [tf.no_op()]:
            session.run(maker)
            try:
                while len(found) < 20:
                    found.append(plain(session.run("x:0")))
            except tf.errors.OutOfRangeError:
                pass
    return found


def plain(value):
    return value.decode() if isinstance(value, bytes) else value.tolist()


def write(tf, folder, cases):
    for name, build in cases.items():
        found = graph_def(tf, build)
        with open(os.path.join(folder, name + ".pbtxt"), "w") as file:
            file.write(str(found))


def read(tf, folder, parse):
    found = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.pbtxt"))):
        with open(path) as file:
            definition = parse(file.read(), tf.GraphDef())
        name = os.path.splitext(os.path.basename(path))[0]
        found[name] = elements(tf, definition)
    return found


def main(command, folder):
    import tensorflow as tf
    from google.protobuf import text_format

    if command == "make":
        kept = {name: CASES[name] for name in KEPT}
        write(tf, folder, dict(kept, **GOLDEN_ONLY))
    if command == "write":
        write(tf, folder, CASES)
    found = json.dumps(read(tf, folder, text_format.Parse), indent=0, sort_keys=True)
    if command == "make":
        with open(os.path.join(folder, "elements.json"), "w") as file:
            file.write(found + "\n")
    else:
        print(found)


if __name__ == "__main__":
    main(*sys.argv[1:])
