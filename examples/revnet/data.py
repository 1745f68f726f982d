"""Images for RevNet: CIFAR's binary files, TFRecords, and small files made up here.

CIFAR-10 has files of records of 1 + 3072 bytes (label; red, green and blue planes of
32 x 32 pixels), CIFAR-100 of 2 + 3072 bytes (coarse and fine label). Get them from
https://www.cs.toronto.edu/~kriz/cifar.html ("binary version").
"""

import glob
import os

import numpy as np

import twinflow as tf

MEAN, DEVIATION = [125.3, 123.0, 113.9], [63.0, 62.1, 66.7]
PATTERNS = {  # (training, test) files below the folder
    10: ("data_batch_*.bin", "test_batch.bin"),
    100: ("train.bin", "test.bin"),
}


def add_options(parser, folder):
    """The options that the programs beside this file share."""
    parser.add_argument("data", nargs="?", help="the folder of the files")
    parser.add_argument("--folder", default=folder, help="where all files go")
    parser.add_argument("--config", default="revnet-tiny", help="see config.py")
    parser.add_argument("--steps", type=int, default=200, help="up to which to train")
    parser.add_argument("--short", action="store_true", help="only see that it runs")


def parsed(parser):
    """The arguments; small files are made where no data is given."""
    args = parser.parse_args()
    args.data = args.data or os.path.join(args.folder, "data")
    args.steps = min(args.steps, 4) if args.short else args.steps
    return args


def files(folder, training, classes=10):
    """The CIFAR files of a folder, or its TFRecords, those of ImageNet included.

    Raises:
        FileNotFoundError: there are none.
    """
    part = "train" if training else "test"
    patterns = [PATTERNS[10 if classes == 10 else 100][0 if training else 1]]
    patterns += [f"{part}*.tfrecords", "train-*" if training else "validation-*"]
    for pattern in patterns:
        found = sorted(glob.glob(os.path.join(folder, pattern)))
        if found:
            return found
    raise FileNotFoundError(
        f"{folder} has none of {', '.join(patterns)}. `python train.py` makes "
        "small files."
    )


def from_cifar(record, classes=10):
    """(uint8[32, 32, 3], int64[]) of a record of CIFAR's binary files."""
    values = tf.decode_raw(record, tf.uint8)
    start = 1 if classes == 10 else 2
    planes = tf.reshape(values[start:], [3, 32, 32])
    return tf.transpose(planes, [1, 2, 0]), tf.cast(values[start - 1], tf.int64)


def from_example(record, shape):
    """The same of a TFRecord: raw bytes in "image", and "label"."""
    features = {
        "image": tf.FixedLenFeature([], tf.string),
        "label": tf.FixedLenFeature([], tf.int64),
    }
    found = tf.parse_single_example(record, features)
    pixels = tf.reshape(tf.decode_raw(found["image"], tf.uint8), shape)
    return pixels, found["label"]


def from_imagenet(record, shape):
    """The same of a TFRecord of ImageNet: a JPEG of any size."""
    features = {
        "image/encoded": tf.FixedLenFeature([], tf.string),
        "image/class/label": tf.FixedLenFeature([], tf.int64),
    }
    found = tf.parse_single_example(record, features)
    pixels = tf.image.decode_jpeg(found["image/encoded"], channels=3)
    pixels = tf.image.resize_images(pixels, shape[:2])
    return pixels, found["image/class/label"] - 1  # 0 is the background there


def normalized(image, label):
    """Floats of mean 0 and deviation 1 per channel."""
    return (tf.to_float(image) - MEAN) / DEVIATION, label


def turned(image, label):
    """Shifted by up to four pixels and mirrored, at random."""
    shape = image.shape.as_list()
    image = tf.image.resize_image_with_crop_or_pad(image, shape[0] + 8, shape[1] + 8)
    return tf.image.random_flip_left_right(tf.random_crop(image, shape)), label


def dataset(folder, config, training, seed=1, augment=True):
    """Batches of (float32[n, h, w, 3], int64[n]); once through for the test files."""
    names, shape = files(folder, training, config.classes), list(config.image)
    if names[0].endswith(".bin"):
        size = 3072 + (1 if config.classes == 10 else 2)
        records = tf.data.FixedLengthRecordDataset(names, size)
        images = records.map(lambda r: from_cifar(r, config.classes))
    else:
        read = from_imagenet if config.classes == 1000 else from_example
        images = tf.data.TFRecordDataset(names).map(lambda r: read(r, shape))
    images = images.map(normalized)
    if training:
        images = images.shuffle(10000, seed=seed)
        images = images.map(turned) if augment else images
    return images.batch(config.batch_size).prefetch(2)


# ------------------------------------------------------------------ made-up files
def made_up(count, seed):
    """uint8[count, 32, 32, 3] and labels: waves whose direction tells the class."""
    random = np.random.RandomState(seed)
    labels = random.randint(0, 10, count)
    y, x = np.mgrid[:32, :32] / 32
    angle = labels[:, None, None] * np.pi / 10
    wave = np.cos(8 * np.pi * (x * np.cos(angle) + y * np.sin(angle)))
    colour = random.uniform(20, 50, [count, 1, 1, 3])
    noise = random.normal(0, 8, [count, 32, 32, 3])
    pixels = 128 + wave[..., None] * colour + noise
    return np.clip(pixels, 0, 255).astype(np.uint8), labels


def cifar_bytes(images, labels, classes=10):
    """Records of CIFAR's binary files."""
    planes = images.transpose(0, 3, 1, 2).reshape(len(images), -1)
    columns = [labels[:, None], planes]
    if classes == 100:
        columns.insert(0, labels[:, None] // 5)
    return np.concatenate(columns, 1).astype(np.uint8).tobytes()


def write_cifar(folder, train=400, test=100, classes=10):
    """Small files with the names and the format of CIFAR's."""
    os.makedirs(folder, exist_ok=True)
    for i, pattern in enumerate(PATTERNS[classes]):
        names = [pattern.replace("*", str(n)) for n in range(1, 6)][
            : pattern.count("*") * 4 + 1
        ]
        for n, name in enumerate(names):
            images, labels = made_up([train, test][i] // len(names), 10 * i + n)
            with open(os.path.join(folder, name), "wb") as f:
                f.write(cifar_bytes(images, labels, classes))


def write_records(folder, train=400, test=100):
    """The same images as TFRecords."""
    os.makedirs(folder, exist_ok=True)
    for seed, (part, count) in enumerate([("train", train), ("test", test)]):
        path = os.path.join(folder, f"{part}.tfrecords")
        with tf.python_io.TFRecordWriter(path) as writer:
            for image, label in zip(*made_up(count, seed)):
                writer.write(example(image, label).SerializeToString())


def example(image, label):
    """A tf.train.Example that `from_example` reads."""
    pixels = tf.train.BytesList(value=[image.tobytes()])
    labels = tf.train.Int64List(value=[int(label)])
    return tf.train.Example(features=tf.train.Features(feature={
        "image": tf.train.Feature(bytes_list=pixels),
        "label": tf.train.Feature(int64_list=labels),
    }))  # fmt: skip
