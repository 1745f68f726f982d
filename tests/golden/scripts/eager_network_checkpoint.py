# A model of layers in eager execution, saved and restored by tfe.Checkpoint and Saver.
from __future__ import print_function

import os
import tempfile

import numpy as np
import tensorflow as tf

tfe = tf.contrib.eager
tf.enable_eager_execution()
tf.set_random_seed(7)


class MNISTModel(tf.keras.Model):
    """Convolutions as of the examples, on 8 by 8 images."""

    def __init__(self, data_format='channels_last'):
        super(MNISTModel, self).__init__(name='mnist')
        self._input_shape = [-1, 8, 8, 1]
        self.conv1 = tf.layers.Conv2D(4, 3, data_format=data_format,
                                      activation=tf.nn.relu)
        self.conv2 = tf.layers.Conv2D(6, 3, data_format=data_format,
                                      activation=tf.nn.relu)
        self.fc1 = tf.layers.Dense(12, activation=tf.nn.relu)
        self.fc2 = tf.layers.Dense(4)
        self.dropout = tf.layers.Dropout(0.5)
        self.max_pool2d = tf.layers.MaxPooling2D((2, 2), (2, 2), padding='SAME')

    def call(self, inputs, training=False):
        x = tf.reshape(inputs, self._input_shape)
        x = self.max_pool2d(self.conv1(x))
        x = self.conv2(x)
        x = tf.layers.flatten(x)
        x = self.fc1(x)
        x = self.dropout(x, training=training)
        return self.fc2(x)


def loss_of(predictions, labels):
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(
        logits=predictions, labels=labels))


def train_one_epoch(model, optimizer, dataset, global_step):
    for batch, (images, labels) in enumerate(tfe.Iterator(dataset)):
        with tfe.GradientTape() as tape:
            predictions = model(images, training=True)
            loss = loss_of(predictions, labels)
        grads = tape.gradient(loss, model.variables)
        optimizer.apply_gradients(zip(grads, model.variables), global_step=global_step)
        print('Batch #%d\tLoss: %.4f' % (batch, loss))


def test(model, dataset):
    avg_loss = tfe.metrics.Mean('loss')
    accuracy = tfe.metrics.Accuracy('accuracy')
    for images, labels in tfe.Iterator(dataset):
        predictions = model(images)
        avg_loss(loss_of(predictions, labels))
        accuracy(tf.argmax(predictions, axis=1, output_type=tf.int64),
                 tf.argmax(labels, axis=1, output_type=tf.int64))
    return '%.4f %.3f' % (avg_loss.result(), accuracy.result())


rng = np.random.RandomState(1)
labels = rng.randint(0, 4, 32)
images = (rng.rand(32, 64) + labels[:, None]).astype(np.float32)
dataset = tf.data.Dataset.from_tensor_slices((images, np.eye(4)[labels].astype('f')))
dataset = dataset.shuffle(32, seed=1).batch(8)

model = MNISTModel()
optimizer = tf.train.MomentumOptimizer(0.01, 0.5)
step = tf.train.get_or_create_global_step()
checkpoint_dir = tempfile.mkdtemp()
checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, step_counter=step)
for epoch in range(2):
    train_one_epoch(model, optimizer, dataset, step)
    print('Test set:', test(model, dataset))
    path = checkpoint.save(os.path.join(checkpoint_dir, 'ckpt'))
    print(os.path.basename(path))
print([v.name for v in model.variables][:4], len(model.variables))
model.summary()

other = MNISTModel()
fresh = tf.train.Checkpoint(model=other, optimizer=tf.train.MomentumOptimizer(0.01, 0.5),
                            step_counter=tfe.Variable(0, dtype=tf.int64))
status = fresh.restore(tf.train.latest_checkpoint(checkpoint_dir))
print('Restored:', test(other, dataset), fresh.step_counter.numpy())
status.assert_existing_objects_matched()
for name, shape in tf.contrib.checkpoint.list_objects(fresh)[:0]:
    print(name, shape)
names = [n for n, _ in tf.train.list_variables(path) if n.endswith('VARIABLE_VALUE')]
print(len(names), [n for n in names if 'fc1' in n])
saver = tfe.Saver(model.variables)
saved = saver.save(os.path.join(checkpoint_dir, 'by_name'))
model.fc2.bias.assign(tf.ones(4))
saver.restore(saved)
print(model.fc2.bias.numpy().round(4))
