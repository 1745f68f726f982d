"""Digits of 28 x 28 pixels in a TFRecord file: drawn here, shifted and noisy."""

import numpy as np

import twinflow as tf

SHAPES = """
.###. ..#.. .###. ####. #..#. ##### .###. ##### .###. .###.
#...# .##.. #...# ....# #..#. #.... #.... ....# #...# #...#
#...# ..#.. ....# ....# #..#. ####. #.... ...#. #...# #...#
#...# ..#.. ...#. .###. ##### ....# ####. ..#.. .###. .####
#...# ..#.. ..#.. ....# ...#. ....# #...# .#... #...# ....#
#...# ..#.. .#... ....# ...#. #...# #...# .#... #...# ....#
.###. .###. ##### ####. ...#. .###. .###. .#... .###. .###.
"""
FEATURES = {
    "image": tf.FixedLenFeature([], tf.string),
    "label": tf.FixedLenFeature([], tf.int64),
}


def digits(count, seed):
    """uint8[count, 28, 28] and int[count]."""
    rows = [line.split() for line in SHAPES.split("\n") if line]
    small = np.array([[[c == "#" for c in row[d]] for row in rows] for d in range(10)])
    random = np.random.RandomState(seed)
    labels = random.randint(0, 10, count)
    images = np.zeros([count, 28, 28])
    for image, label in zip(images, labels):
        y, x = random.randint(1, 6), random.randint(2, 11)
        image[y : y + 21, x : x + 15] = np.kron(small[label], np.ones([3, 3]))
    noise = random.uniform(0, 80, images.shape)
    return (images * 175 + noise).astype(np.uint8), labels


def write(path, count, seed=0):
    """A file of tf.train.Examples."""
    with tf.python_io.TFRecordWriter(path) as writer:
        for image, label in zip(*digits(count, seed)):
            pixels = tf.train.BytesList(value=[image.tobytes()])
            labels = tf.train.Int64List(value=[label])
            features = tf.train.Features(feature={
                "image": tf.train.Feature(bytes_list=pixels),
                "label": tf.train.Feature(int64_list=labels),
            })  # fmt: skip
            example = tf.train.Example(features=features)
            writer.write(example.SerializeToString())


def parse(record):
    """float32[784] and the label as one of ten."""
    found = tf.parse_single_example(record, FEATURES)
    pixels = tf.to_float(tf.decode_raw(found["image"], tf.uint8)) / 255.0
    return tf.reshape(pixels, [784]), tf.one_hot(found["label"], 10)


def dataset(path, batch, shuffle=True):
    """Batches of (float32[n, 784], float32[n, 10])."""
    found = tf.data.TFRecordDataset(path).map(parse)
    if shuffle:
        found = found.shuffle(1000, seed=1)
    return found.batch(batch, drop_remainder=True)
