# A YOLO-style detector: grid targets, a masked loss, and non-maximum suppression.
import colorsys

import numpy as np
import tensorflow as tf

SIZE, GRID, CLASSES = 32, 4, 3
ANCHORS = np.array([[0.8, 0.8], [1.6, 1.2]], np.float32)
A = len(ANCHORS)


def conv_block(x, filters, size, stride, training, name):
    with tf.variable_scope(name):
        if stride > 1:
            x = tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]], mode='CONSTANT')
        x = tf.layers.conv2d(x, filters, size, stride, 'VALID' if stride > 1 else 'SAME', use_bias=False,
                             kernel_regularizer=tf.contrib.layers.l2_regularizer(5e-4))
        x = tf.layers.batch_normalization(x, momentum=0.9, epsilon=1e-5, training=training)
        return tf.nn.leaky_relu(x, alpha=0.1)


def darknet(x, training):
    x = conv_block(x, 4, 3, 1, training, 'c0')
    for i, filters in enumerate([6, 8, 10]):
        x = conv_block(x, filters, 3, 2, training, 'down%d' % i)
        shortcut = x
        x = conv_block(x, filters // 2, 1, 1, training, 'res%da' % i)
        x = shortcut + conv_block(x, filters, 3, 1, training, 'res%db' % i)
    return tf.layers.conv2d(x, A * (5 + CLASSES), 1, name='head')


def head(features):
    grid = tf.stack(tf.meshgrid(tf.range(GRID), tf.range(GRID)), -1)
    offset = tf.to_float(tf.reshape(grid, [1, GRID, GRID, 1, 2]))
    x = tf.reshape(features, [-1, GRID, GRID, A, 5 + CLASSES])
    xy, wh, objectness, classes = tf.split(x, [2, 2, 1, CLASSES], axis=-1)
    centers = (tf.sigmoid(xy) + offset) / GRID
    sizes = tf.exp(tf.clip_by_value(wh, -4, 4)) * ANCHORS / GRID
    return xy, wh, tf.concat([centers, sizes], -1), objectness, classes


def iou(a, b):
    a_min, a_max = a[..., :2] - a[..., 2:] / 2, a[..., :2] + a[..., 2:] / 2
    b_min, b_max = b[..., :2] - b[..., 2:] / 2, b[..., :2] + b[..., 2:] / 2
    overlap = tf.reduce_prod(tf.maximum(tf.minimum(a_max, b_max) - tf.maximum(a_min, b_min), 0.0), -1)
    return tf.truediv(overlap, tf.reduce_prod(a[..., 2:], -1) + tf.reduce_prod(b[..., 2:], -1) - overlap + 1e-9)


def yolo_loss(features, y_true):
    xy, wh, boxes, objectness, classes = head(features)
    mask = y_true[..., 4:5]
    raw = y_true[..., :2] * GRID
    true_xy = raw - tf.floor(raw)
    true_wh = tf.log(tf.where(tf.tile(mask > 0, [1, 1, 1, 1, 2]), y_true[..., 2:4] * GRID / ANCHORS, tf.ones_like(wh)))
    scale = 2.0 - y_true[..., 2:3] * y_true[..., 3:4]
    present = tf.cast(mask[..., 0], tf.bool)

    def ignore_of(b):
        true_boxes = tf.boolean_mask(y_true[b, ..., :4], present[b])
        best = tf.reduce_max(iou(boxes[b][..., None, :], true_boxes), axis=-1)
        return tf.to_float(best < 0.5)

    ignore = tf.map_fn(ignore_of, tf.range(tf.shape(features)[0]), dtype=tf.float32, parallel_iterations=4)[..., None]
    bce = tf.nn.sigmoid_cross_entropy_with_logits
    found = bce(labels=mask, logits=objectness)
    parts = [mask * scale * bce(labels=true_xy, logits=xy), mask * scale * 0.5 * tf.square(true_wh - wh),
             mask * found + (1 - mask) * found * ignore, mask * bce(labels=y_true[..., 5:], logits=classes)]
    n = tf.to_float(tf.shape(features)[0])
    return [tf.reduce_sum(p) / n for p in parts], boxes, objectness, classes


rng = np.random.RandomState(12)
images = rng.rand(6, SIZE, SIZE, 3).astype(np.float32) * 0.2
targets = np.zeros([6, GRID, GRID, A, 5 + CLASSES], np.float32)
for b in range(6):
    for _ in range(2):
        cx, cy = rng.uniform(0.2, 0.8, 2)
        w, h = rng.uniform(0.15, 0.45, 2)
        c, k = rng.randint(CLASSES), int(w * h > 0.09)
        i, j = int(cy * GRID), int(cx * GRID)
        targets[b, i, j, k] = [cx, cy, w, h, 1] + np.eye(CLASSES)[c].tolist()
        images[b, int((cy - h / 2) * SIZE):int((cy + h / 2) * SIZE), int((cx - w / 2) * SIZE):int((cx + w / 2) * SIZE), c] += 0.7

tf.set_random_seed(12)
x = tf.placeholder(tf.float32, [None, SIZE, SIZE, 3], name='images')
t = tf.placeholder(tf.float32, [None, GRID, GRID, A, 5 + CLASSES], name='targets')
training = tf.placeholder_with_default(False, [], name='training')
parts, boxes, objectness, classes = yolo_loss(darknet(x, training), t)
total = tf.add_n(parts) + tf.losses.get_regularization_loss()
print(total, boxes, len(tf.trainable_variables()), len(tf.get_collection(tf.GraphKeys.UPDATE_OPS)), sep='\n')
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train = tf.train.AdamOptimizer(0.01).minimize(total)

flat = tf.reshape(boxes[0], [-1, 4])
corners = tf.concat([flat[:, 1::-1] - flat[:, 3:1:-1] / 2, flat[:, 1::-1] + flat[:, 3:1:-1] / 2], 1)
scores = tf.reshape(tf.sigmoid(objectness[0]) * tf.nn.softmax(classes[0]), [-1, CLASSES])
kept = []
for c in range(CLASSES):
    chosen = tf.image.non_max_suppression(corners, scores[:, c], max_output_size=3, iou_threshold=0.4, score_threshold=0.02)
    kept.append((tf.gather(corners, chosen), tf.gather(scores[:, c], chosen), tf.ones_like(chosen) * c))
final = [tf.concat(parts_, 0) for parts_ in zip(*kept)]
padded, valid = tf.image.non_max_suppression_padded(corners, tf.reduce_max(scores, 1), 5, 0.5, pad_to_max_output_size=True)
crops = tf.image.crop_and_resize(x[:1], final[0][:2], tf.zeros([2], tf.int32), [4, 4])
drawn = tf.image.draw_bounding_boxes(x[:1], final[0][tf.newaxis])
colors = [tuple(int(255 * v) for v in colorsys.hsv_to_rgb(c / float(CLASSES), 1., 1.)) for c in range(CLASSES)]
print(final[0], final[2], padded.shape, crops.shape, drawn.shape, colors)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(10):
        values, value, _ = sess.run([parts, total, train], {x: images, t: targets, training: True})
        if step % 3 == 0:
            print('step %d total %.3f' % (step, value), np.array(values).round(3))
    b, s, c = sess.run(final, {x: images})
    print(b.shape, s.round(2)[:3], c)
    p, v, crop, d = sess.run([padded, valid, crops, drawn], {x: images})
    print(p.shape, v, crop.shape, d.shape)
    truth = targets[0][targets[0][..., 4] > 0][:, :4]
    print(truth.round(3), sess.run(iou(tf.constant(truth[:1]), tf.constant(truth))).round(3))
