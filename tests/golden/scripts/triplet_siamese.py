# A siamese embedding: contrastive, batch-all and batch-hard triplet losses.
import numpy as np
import tensorflow as tf

slim = tf.contrib.slim
tf.set_random_seed(31)
rng = np.random.RandomState(31)


def embed(x, reuse=None):
    with tf.variable_scope('siamese', reuse=reuse):
        with slim.arg_scope([slim.fully_connected],
                            weights_initializer=tf.contrib.layers.xavier_initializer(),
                            biases_initializer=tf.constant_initializer(0.01)):
            net = slim.stack(x, slim.fully_connected, [16, 12], scope='fc')
            net = slim.fully_connected(net, 4, activation_fn=None, scope='out')
    return tf.nn.l2_normalize(net, axis=1)


def _pairwise_distances(embeddings, squared=False):
    dot_product = tf.matmul(embeddings, tf.transpose(embeddings))
    square_norm = tf.diag_part(dot_product)
    distances = (tf.expand_dims(square_norm, 0) - 2.0 * dot_product
                 + tf.expand_dims(square_norm, 1))
    distances = tf.maximum(distances, 0.0)
    if not squared:
        mask = tf.to_float(tf.equal(distances, 0.0))
        distances = distances + mask * 1e-16
        distances = tf.sqrt(distances)
        distances = distances * (1.0 - mask)
    return distances


def _triplet_mask(labels):
    indices_equal = tf.cast(tf.eye(tf.shape(labels)[0]), tf.bool)
    not_equal = tf.logical_not(indices_equal)
    i_j, i_k = tf.expand_dims(not_equal, 2), tf.expand_dims(not_equal, 1)
    j_k = tf.expand_dims(not_equal, 0)
    distinct = tf.logical_and(tf.logical_and(i_j, i_k), j_k)
    label_equal = tf.equal(tf.expand_dims(labels, 0), tf.expand_dims(labels, 1))
    valid = tf.logical_and(tf.expand_dims(label_equal, 2),
                           tf.logical_not(tf.expand_dims(label_equal, 1)))
    return tf.logical_and(distinct, valid)


def batch_all_triplet_loss(labels, embeddings, margin):
    dist = _pairwise_distances(embeddings)
    loss = tf.expand_dims(dist, 2) - tf.expand_dims(dist, 1) + margin
    mask = tf.to_float(_triplet_mask(labels))
    loss = tf.maximum(tf.multiply(mask, loss), 0.0)
    positive = tf.reduce_sum(tf.to_float(tf.greater(loss, 1e-16)))
    fraction = positive / (tf.reduce_sum(mask) + 1e-16)
    return tf.reduce_sum(loss) / (positive + 1e-16), fraction


def batch_hard_triplet_loss(labels, embeddings, margin):
    dist = _pairwise_distances(embeddings)
    same = tf.equal(tf.expand_dims(labels, 0), tf.expand_dims(labels, 1))
    positive = tf.to_float(same) - tf.eye(tf.shape(labels)[0])
    hardest_positive = tf.reduce_max(positive * dist, axis=1, keepdims=True)
    most = tf.reduce_max(dist, axis=1, keepdims=True)
    shifted = dist + most * tf.to_float(same)
    hardest_negative = tf.reduce_min(shifted, axis=1, keepdims=True)
    return tf.reduce_mean(tf.maximum(hardest_positive - hardest_negative + margin, 0.0))


left = tf.placeholder(tf.float32, [None, 10], name='left')
right = tf.placeholder(tf.float32, [None, 10], name='right')
similar = tf.placeholder(tf.float32, [None], name='similar')
labels = tf.placeholder(tf.int32, [None], name='labels')
out_left, out_right = embed(left), embed(right, reuse=True)
d = tf.sqrt(tf.reduce_sum(tf.pow(out_left - out_right, 2), 1) + 1e-12)
contrastive = tf.reduce_mean(similar * tf.square(d)
                             + (1. - similar) * tf.square(tf.maximum(0.8 - d, 0)))
all_loss, fraction = batch_all_triplet_loss(labels, out_left, 0.5)
hard_loss = batch_hard_triplet_loss(labels, out_left, 0.5)
semihard = tf.contrib.losses.metric_learning.triplet_semihard_loss(labels, out_left, 0.5)
step = tf.Variable(0, trainable=False)
train = tf.train.RMSPropOptimizer(0.003).minimize(
    contrastive + hard_loss + semihard, global_step=step)
print(out_left, all_loss, semihard, sep='\n')
print([v.op.name for v in slim.get_model_variables()])

centers = rng.randn(3, 10)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(8):
        who, other = rng.randint(0, 3, 12), rng.randint(0, 3, 12)
        feed = {left: centers[who] + 0.5 * rng.randn(12, 10), labels: who,
                right: centers[other] + 0.5 * rng.randn(12, 10), similar: who == other}
        values = sess.run([contrastive, all_loss, fraction, hard_loss, semihard], feed)
        sess.run(train, feed)
        if i % 2 == 0:
            print(sess.run(step), np.round(values, 3))
