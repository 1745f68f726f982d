# A convnet fed by queues: records are written, read back by threads, and trained on.
from __future__ import division, print_function

import os
import tempfile

import numpy as np
import tensorflow as tf

IMAGE_SIZE = 8
NUM_CLASSES = 4


def _int64_feature(value):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))


def _bytes_feature(value):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))


def convert_to(images, labels, filename):
    writer = tf.python_io.TFRecordWriter(filename)
    for image, label in zip(images, labels):
        example = tf.train.Example(features=tf.train.Features(feature={
            'height': _int64_feature(image.shape[0]),
            'label': _int64_feature(int(label)),
            'image_raw': _bytes_feature(image.tostring())}))
        writer.write(example.SerializeToString())
    writer.close()


def read_and_decode(filename_queue):
    reader = tf.TFRecordReader()
    _, serialized_example = reader.read(filename_queue)
    features = tf.parse_single_example(
        serialized_example,
        features={
            'image_raw': tf.FixedLenFeature([], tf.string),
            'label': tf.FixedLenFeature([], tf.int64),
        })
    image = tf.decode_raw(features['image_raw'], tf.uint8)
    image.set_shape([IMAGE_SIZE * IMAGE_SIZE * 3])
    image = tf.reshape(image, [IMAGE_SIZE, IMAGE_SIZE, 3])
    image = tf.cast(image, tf.float32) * (1. / 255) - 0.5
    return image, tf.cast(features['label'], tf.int32)


def inputs(filenames, batch_size, num_epochs):
    with tf.name_scope('input'):
        queue = tf.train.string_input_producer(
            filenames, num_epochs=num_epochs, shuffle=False)
        image, label = read_and_decode(queue)
        return tf.train.batch([image, label], batch_size=batch_size,
                              capacity=3 * batch_size, num_threads=1)


def _variable_with_weight_decay(name, shape, stddev, wd):
    var = tf.get_variable(
        name, shape, initializer=tf.truncated_normal_initializer(stddev=stddev))
    if wd is not None:
        weight_decay = tf.multiply(tf.nn.l2_loss(var), wd, name='weight_loss')
        tf.add_to_collection('losses', weight_decay)
    return var


def inference(images):
    with tf.variable_scope('conv1') as scope:
        kernel = _variable_with_weight_decay('weights', [3, 3, 3, 6], 0.1, None)
        conv = tf.nn.conv2d(images, kernel, [1, 1, 1, 1], padding='SAME')
        biases = tf.get_variable('biases', [6], initializer=tf.constant_initializer(0.))
        conv1 = tf.nn.relu(tf.nn.bias_add(conv, biases), name=scope.name)
    pool1 = tf.nn.max_pool(conv1, ksize=[1, 3, 3, 1], strides=[1, 2, 2, 1],
                           padding='SAME', name='pool1')
    norm1 = tf.nn.lrn(pool1, 4, bias=1.0, alpha=0.001 / 9.0, beta=0.75, name='norm1')
    with tf.variable_scope('local') as scope:
        reshape = tf.reshape(norm1, [images.get_shape()[0].value, -1])
        dim = reshape.get_shape()[1].value
        weights = _variable_with_weight_decay('weights', [dim, NUM_CLASSES], 0.04, 0.004)
        biases = tf.get_variable('biases', [NUM_CLASSES],
                                 initializer=tf.constant_initializer(0.1))
        return tf.add(tf.matmul(reshape, weights), biases, name=scope.name)


def main(argv=None):
    folder = tempfile.mkdtemp()
    rng = np.random.RandomState(5)
    files = []
    for n in range(2):
        labels = rng.randint(0, NUM_CLASSES, 24)
        images = rng.randint(0, 190, (24, IMAGE_SIZE, IMAGE_SIZE, 3))
        images += 15 * labels[:, None, None, None]
        files.append(os.path.join(folder, 'data_%d.tfrecords' % n))
        convert_to(images.astype(np.uint8), labels, files[-1])

    with tf.Graph().as_default():
        tf.set_random_seed(11)
        images, labels = inputs(files, 16, 3)
        print(images, labels)
        logits = inference(images)
        print(logits)
        cross_entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=labels, logits=logits, name='cross_entropy_per_example')
        tf.add_to_collection('losses', tf.reduce_mean(cross_entropy))
        total_loss = tf.add_n(tf.get_collection('losses'), name='total_loss')
        global_step = tf.train.get_or_create_global_step()
        lr = tf.train.exponential_decay(0.1, global_step, 3, 0.9, staircase=True)
        ema = tf.train.ExponentialMovingAverage(0.99, global_step)
        apply_gradient = tf.train.GradientDescentOptimizer(lr).minimize(
            total_loss, global_step=global_step)
        with tf.control_dependencies([apply_gradient]):
            train_op = ema.apply(tf.trainable_variables())
        sess = tf.Session()
        sess.run(tf.group(tf.global_variables_initializer(),
                          tf.local_variables_initializer()))
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess=sess, coord=coord)
        try:
            while not coord.should_stop():
                _, loss, rate, first = sess.run([train_op, total_loss, lr, labels])
                print('loss %.4f, rate %.4f' % (loss, rate), first)
        except tf.errors.OutOfRangeError:
            print('Done training, step', sess.run(global_step))
        finally:
            coord.request_stop()
        coord.join(threads)
        for v in tf.global_variables():
            print(v.op.name, v.shape)
        sess.close()


if __name__ == '__main__':
    tf.app.run()
