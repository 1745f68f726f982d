# Parts of object detection: anchors, encoding, IoU, NMS, crop_and_resize, ROI heads.
from __future__ import division, print_function

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(60)


def generate_anchors(size, scales, ratios, stride):
    ys, xs = tf.meshgrid(tf.range(size, dtype=tf.float32),
                         tf.range(size, dtype=tf.float32), indexing='ij')
    scales, ratios = tf.meshgrid(tf.constant(scales), tf.constant(ratios))
    scales, ratios = tf.reshape(scales, [-1]), tf.reshape(ratios, [-1])
    heights, widths = scales * tf.sqrt(ratios), scales / tf.sqrt(ratios)
    centers = tf.reshape(tf.stack([ys, xs], -1), [-1, 1, 2]) * stride + stride / 2
    half = tf.stack([heights, widths], 1)[None] / 2
    return tf.reshape(tf.concat([centers - half, centers + half], 2), [-1, 4])


def area(boxes):
    y1, x1, y2, x2 = tf.unstack(boxes, axis=1)
    return (y2 - y1) * (x2 - x1)


def iou(a, b):
    top = tf.maximum(a[:, None, :2], b[None, :, :2])
    bottom = tf.minimum(a[:, None, 2:], b[None, :, 2:])
    inter = tf.reduce_prod(tf.maximum(bottom - top, 0.), 2)
    return inter / (area(a)[:, None] + area(b)[None] - inter)


def encode(anchors, boxes):
    size = anchors[:, 2:] - anchors[:, :2]
    center = anchors[:, :2] + size / 2
    wanted = boxes[:, 2:] - boxes[:, :2]
    return tf.concat([(boxes[:, :2] + wanted / 2 - center) / size,
                      tf.log(wanted / size)], 1)


def decode(anchors, deltas):
    size = anchors[:, 2:] - anchors[:, :2]
    center = anchors[:, :2] + size / 2 + deltas[:, :2] * size
    half = tf.exp(deltas[:, 2:]) * size / 2
    return tf.concat([center - half, center + half], 1)


def smooth_l1(x):
    return tf.where(tf.less(tf.abs(x), 1.), 0.5 * tf.square(x), tf.abs(x) - 0.5)


anchors = generate_anchors(3, [0.3, 0.5], [0.5, 1.0, 2.0], 1 / 3)
truth = tf.constant([[0.1, 0.1, 0.5, 0.45], [0.5, 0.3, 0.95, 0.9]])
overlaps = iou(anchors, truth)
best, which = tf.reduce_max(overlaps, 1), tf.argmax(overlaps, 1)
positive = tf.where(best > 0.4)[:, 0]
chosen = tf.gather(anchors, positive)
targets = encode(chosen, tf.gather(truth, tf.gather(which, positive)))
print(anchors, overlaps, targets, sep='\n')

image = tf.constant(rng.rand(1, 12, 12, 3).astype(np.float32))
features = tf.layers.conv2d(image, 6, 3, padding='same', activation=tf.nn.relu,
                            kernel_initializer=tf.glorot_uniform_initializer(seed=1))
rois = tf.image.crop_and_resize(features, tf.clip_by_value(chosen, 0., 1.),
                                tf.zeros_like(positive, tf.int32), [4, 4])
head = tf.layers.dense(tf.layers.flatten(tf.nn.max_pool(
    rois, [1, 2, 2, 1], [1, 2, 2, 1], 'SAME')), 5,
    kernel_initializer=tf.random_normal_initializer(stddev=0.05, seed=2))
deltas, scores = tf.split(head, [4, 1], 1)
box_loss = tf.reduce_mean(smooth_l1(deltas - targets))
score_loss = tf.losses.sigmoid_cross_entropy(tf.ones_like(scores), scores)
loss = box_loss + score_loss
train = tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss)
refined = decode(chosen, deltas)
kept = tf.image.non_max_suppression(refined, tf.squeeze(scores, 1), 4, 0.3)
padded, valid = tf.image.non_max_suppression_padded(
    refined, scores[:, 0], 6, 0.3, pad_to_max_output_size=True)
drawn = tf.image.draw_bounding_boxes(image, truth[None])
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(sess.run(anchors)[:3].round(3))
print(sess.run(best).round(3)[:8], sess.run(positive))
for i in range(6):
    values = sess.run([box_loss, score_loss])
    sess.run(train)
    print('step %d box %.4f score %.4f' % ((i,) + tuple(values)))
print(sess.run(kept), sess.run(padded), sess.run(valid))
print(np.allclose(sess.run(decode(chosen, targets)),
                  sess.run(tf.gather(truth, tf.gather(which, positive))), atol=1e-5))
print('%.4f' % (sess.run(drawn) - sess.run(image)).sum())
