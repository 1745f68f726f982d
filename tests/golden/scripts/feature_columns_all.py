# Each kind of feature column through input_layer and linear_model.
import numpy as np
import tensorflow as tf

fc = tf.feature_column
np.set_printoptions(precision=4, suppress=True, linewidth=100)
with open("vocabulary.txt", "w") as f:
    f.write("red\ngreen\nblue\n")

features = {
    "price": tf.constant([[1.0], [12.0], [55.0]]),
    "size": tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
    "color": tf.constant([["red"], ["blue"], ["pink"]]),
    "shade": tf.constant([["green"], ["green"], ["red"]]),
    "user": tf.constant([[3], [7], [12]], tf.int64),
    "tags": tf.SparseTensor([[0, 0], [0, 1], [2, 0]], ["new", "old", "new"], [3, 2]),
    "counts": tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [2.0, 0.5, 1.5], [3, 2]),
    "day": tf.SparseTensor([[0, 0], [1, 0], [2, 0]], tf.constant([0, 4, 6], tf.int64), [3, 1]),
}

price = fc.numeric_column("price", normalizer_fn=lambda x: (x - 10.0) / 5.0)
size = fc.numeric_column("size", shape=(2,), default_value=0.0)
buckets = fc.bucketized_column(fc.numeric_column("price"), [0.0, 10.0, 50.0])
color = fc.categorical_column_with_vocabulary_file("color", "vocabulary.txt", 3, num_oov_buckets=1)
shade = fc.categorical_column_with_vocabulary_file("shade", "vocabulary.txt", 3, num_oov_buckets=1)
listed = fc.categorical_column_with_vocabulary_list("color", ("red", "green", "blue"), default_value=1)
user = fc.categorical_column_with_hash_bucket("user", 5, dtype=tf.int64)
day = fc.categorical_column_with_identity("day", num_buckets=7)
tags = fc.categorical_column_with_hash_bucket("tags", 4)
weighted = fc.weighted_categorical_column(tags, "counts")
crossed = fc.crossed_column([buckets, "color"], hash_bucket_size=6)
embedded = fc.embedding_column(tags, 3, combiner="sqrtn", initializer=tf.constant_initializer(
    np.arange(12).reshape(4, 3) / 10.0))
shared = fc.shared_embedding_columns([color, shade], 2, initializer=tf.ones_initializer(),
                                     shared_embedding_collection_name="colors")

layers = {
    "numeric": [price, size], "bucketized": [buckets], "file": [fc.indicator_column(color)],
    "list": [fc.indicator_column(listed)], "hash": [fc.indicator_column(user)],
    "identity": [fc.indicator_column(day)], "weighted": [fc.indicator_column(weighted)],
    "crossed": [fc.indicator_column(crossed)], "embedding": [embedded], "shared": shared,
}
tensors = {}
for name in sorted(layers):
    with tf.variable_scope(name):
        tensors[name] = fc.input_layer(features, layers[name])
print(tensors["embedding"])
cols_to_vars = {}
with tf.variable_scope("linear", initializer=tf.constant_initializer(0.5)):
    prediction = fc.linear_model(features, [price, buckets, weighted, crossed, day], units=1,
                                 sparse_combiner="mean", cols_to_vars=cols_to_vars)
for key in sorted(cols_to_vars, key=str):
    print(str(getattr(key, "name", key)), [v.shape.as_list() for v in cols_to_vars[key]])
spec = fc.make_parse_example_spec([price, size, fc.indicator_column(color), embedded, crossed, day])
for key in sorted(spec):
    print(key, spec[key])
print(weighted.name, crossed.name, embedded.name, shared[0].name, buckets.name)

record = tf.train.Example(features=tf.train.Features(feature={
    "price": tf.train.Feature(float_list=tf.train.FloatList(value=[3.5])),
    "color": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"green"]))}))
parse_columns = [price, fc.indicator_column(color)]
parsed = tf.parse_example([record.SerializeToString()], fc.make_parse_example_spec(parse_columns))
with tf.variable_scope("parsed"):
    tensors["parsed"] = fc.input_layer(parsed, parse_columns)

with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.tables_initializer()])
    for name in sorted(tensors):
        print(name, sess.run(tensors[name]).tolist() if name == "identity" else sess.run(tensors[name]))
    print(sess.run(prediction) * 2)
for bad in (lambda: fc.bucketized_column(fc.numeric_column("a"), [3, 1]),
            lambda: fc.embedding_column(color, 0),
            lambda: fc.input_layer(features, [color])):
    try:
        bad()
    except ValueError as e:
        print("ValueError:", str(e)[:75])
