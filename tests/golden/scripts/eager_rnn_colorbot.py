# A recurrent model in eager execution that learns colors from names.
from __future__ import absolute_import, division, print_function

import functools
import os
import tempfile

import numpy as np
import six
import tensorflow as tf

from tensorflow.contrib.eager.python import tfe

tf.enable_eager_execution()
NAMES = [('red', 250, 10, 20), ('dark red', 120, 5, 10), ('sky', 20, 120, 240),
         ('blue', 10, 20, 250), ('grass', 60, 200, 40), ('white', 255, 255, 255),
         ('light grey', 200, 200, 200), ('black', 0, 0, 0)]


def parse(line):
    """Parse a line from the colors dataset."""
    items = tf.string_split([line], ",").values
    rgb = tf.string_to_number(items[1:], out_type=tf.float32) / 255.
    color_name = items[0]
    chars = tf.one_hot(tf.decode_raw(color_name, tf.uint8), depth=128)
    length = tf.cast(tf.shape(chars)[0], dtype=tf.int64)
    return rgb, chars, length


def load_dataset(path, batch_size):
    dataset = tf.data.TextLineDataset(path).skip(1).map(parse).shuffle(8, seed=2)
    return dataset.padded_batch(batch_size,
                                padded_shapes=([None], [None, None], []))


class RNNColorbot(tf.keras.Model):
    def __init__(self, rnn_cell_sizes, label_dimension, keep_prob):
        super(RNNColorbot, self).__init__(name="")
        self.label_dimension = label_dimension
        self.keep_prob = keep_prob
        self.cells = tf.contrib.checkpoint.List(
            [tf.nn.rnn_cell.BasicLSTMCell(size) for size in rnn_cell_sizes])
        self.relu = tf.keras.layers.Dense(label_dimension, activation=tf.nn.relu)

    def call(self, inputs, training=False):
        (chars, sequence_length) = inputs
        chars = tf.transpose(chars, [1, 0, 2])
        batch_size = int(chars.shape[1])
        for l in range(len(self.cells)):
            cell = self.cells[l]
            outputs = []
            state = cell.zero_state(batch_size, tf.float32)
            for ch in tf.unstack(chars):
                output, state = cell(ch, state)
                outputs.append(output)
            chars = tf.stack(outputs, axis=0)
            if training:
                chars = tf.nn.dropout(chars, self.keep_prob)
        batch_range = [i for i in range(batch_size)]
        indices = tf.stack([sequence_length - 1, batch_range], axis=1)
        hidden_states = tf.gather_nd(chars, indices)
        return self.relu(hidden_states)


def loss(labels, predictions):
    """Computes mean squared loss."""
    return tf.reduce_mean(tf.squared_difference(predictions, labels))


def test(model, eval_data):
    avg_loss = tfe.metrics.Mean("loss")
    for (labels, chars, sequence_length) in tfe.Iterator(eval_data):
        predictions = model((chars, sequence_length), training=False)
        avg_loss(loss(labels, predictions))
    print("eval/loss: %.4f" % avg_loss.result())


def train_one_epoch(model, optimizer, train_data):
    tf.train.get_or_create_global_step()

    def model_loss(labels, chars, sequence_length):
        predictions = model((chars, sequence_length), training=True)
        loss_value = loss(labels, predictions)
        print("train/loss: %.4f" % loss_value, tuple(chars.shape.as_list()))
        return loss_value

    for (labels, chars, sequence_length) in tfe.Iterator(train_data):
        optimizer.minimize(functools.partial(model_loss, labels, chars, sequence_length),
                           global_step=tf.train.get_global_step())


def main(_):
    tf.set_random_seed(123)
    path = os.path.join(tempfile.mkdtemp(), 'train.csv')
    with open(path, 'w') as f:
        f.write('name,r,g,b\n')
        for row in NAMES:
            f.write('%s,%d,%d,%d\n' % row)
    data = load_dataset(path, 4)
    model = RNNColorbot(rnn_cell_sizes=[6, 5], label_dimension=3, keep_prob=0.5)
    optimizer = tf.train.AdamOptimizer(learning_rate=.01)
    for epoch in range(3):
        train_one_epoch(model, optimizer, data)
        test(model, data)
    _, chars, length = parse(tf.constant('dark sky,0,0,0'))
    preds = model((tf.expand_dims(chars, 0), tf.expand_dims(length, 0)), training=False)
    r, g, b = tf.unstack(tf.clip_by_value(preds[0], 0, 1) * 255)
    print([int(six.text_type(int(c))) // 16 for c in (r, g, b)])
    print([v.name for v in model.variables])


if __name__ == "__main__":
    tf.app.run()
