"""Readers of capsules: the file as it is, and the plain data inside of it."""

import io
import zipfile

import numpy as np

import twinflow as tf
from tests.fuzz.readers import reader
from twinflow.capsules.replaying import Capsule

_members: dict = {}


def _make(folder):
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [3])
        v = tf.get_variable("v", [3], initializer=tf.ones_initializer())
        y = tf.py_func(np.sqrt, [x + v + tf.random_uniform([3])], tf.float32)
        rows = tf.map_fn(lambda i: tf.gather(y, i), np.array([0, 5]), dtype=tf.float32)
        sess.run(v.initializer)
        with tf.debugger.capsule(folder / "data", when="error"):
            try:
                sess.run(rows, {x: [1.0, 2.0, 3.0]})
            except tf.errors.InvalidArgumentError:
                pass
    return [folder / "data"]


def _head(data):
    """The plain data in a capsule; the rest is kept for `_packed`."""
    with zipfile.ZipFile(io.BytesIO(data)) as z:
        _members.update({name: z.read(name) for name in z.namelist()})
    return _members["capsule.json"]


def _packed(head):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as z:
        for name, data in {**_members, "capsule.json": head}.items():
            z.writestr(name, data)
    return file.getvalue()


def _replay(folder):
    Capsule(folder / "data").run()


@reader(_make)
def capsule(folder):
    _replay(folder)


@reader(_make, unpacked=_head, packed=_packed)
def capsule_inside(folder):
    _replay(folder)
