# Factorization machine and neural collaborative filtering on sparse features.
from __future__ import division, print_function

import itertools

import numpy as np
import tensorflow as tf

USERS, ITEMS, DIM = 12, 9, 4
np.random.seed(21)


def ratings(n):
    u, i = np.random.randint(0, USERS, n), np.random.randint(0, ITEMS, n)
    return u, i, (np.cos(u) * np.sin(i) > 0).astype(np.float32)


def vectorize(users, items):
    """CSR-like triples of one-hot users and items with side features."""
    rows, cols, values = [], [], []
    for row, (u, i) in enumerate(zip(users, items)):
        rows += [row] * 3
        cols += [u, USERS + i, USERS + ITEMS + (u + i) % 3]
        values += [1.0, 1.0, 0.5]
    return tf.SparseTensorValue(np.stack([rows, cols], 1), np.array(values, np.float32),
                                [len(users), USERS + ITEMS + 3])


class FM(object):

    def __init__(self, features, k):
        self.x = tf.sparse_placeholder(tf.float32, [None, features], name='x')
        self.y = tf.placeholder(tf.float32, [None], name='y')
        init = tf.random_normal_initializer(stddev=0.1)
        with tf.variable_scope('fm', initializer=init, regularizer=tf.nn.l2_loss):
            w0 = tf.get_variable('w0', [], regularizer=None)
            w = tf.get_variable('w', [features, 1])
            v = tf.get_variable('v', [features, k])
        linear = tf.sparse_tensor_dense_matmul(self.x, w)[:, 0]
        summed = tf.square(tf.sparse_tensor_dense_matmul(self.x, v))
        squares = tf.sparse_tensor_dense_matmul(tf.square(self.x), tf.square(v))
        pairs = 0.5 * tf.reduce_sum(summed - squares, 1)
        self.logits = tf.add_n([tf.fill(tf.shape(linear), w0), linear, pairs], name='logits')
        entropy = tf.nn.sigmoid_cross_entropy_with_logits(labels=self.y, logits=self.logits)
        penalty = tf.contrib.layers.apply_regularization(tf.nn.l2_loss, [w, v])
        self.loss = tf.reduce_mean(entropy) + 1e-3 * penalty
        self.train = tf.train.FtrlOptimizer(
            0.3, l1_regularization_strength=1e-3, l2_shrinkage_regularization_strength=1e-4).minimize(self.loss)


tf.set_random_seed(21)
u, i, y = ratings(48)
fm = FM(USERS + ITEMS + 3, DIM)
print(fm.x.get_shape(), fm.x.dense_shape, fm.logits.shape)
print(fm.loss, fm.train.name, len(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)))
sess = tf.InteractiveSession()
tf.global_variables_initializer().run()
feed = {fm.x: vectorize(u, i), fm.y: y}
for step in range(8):
    loss, _ = sess.run([fm.loss, fm.train], feed)
    if step % 3 == 0:
        print('fm %d %.5f' % (step, loss))
print(fm.logits.eval({fm.x: vectorize(u[:4], i[:4])}).round(4))
print(sess.run(tf.sparse_tensor_to_dense(tf.sparse_reorder(fm.x)), feed).sum(0)[-6:])
print(sess.run([tf.sparse_reduce_sum(fm.x, 1)[:3], tf.sparse_reduce_max(fm.x, 0)[-3:]], feed))
sliced = sess.run(tf.sparse_slice(fm.x, [0, USERS], [2, ITEMS]), feed)
print(type(sliced).__name__, sliced.indices.tolist(), sliced.values, sliced.dense_shape)
sess.close()
tf.reset_default_graph()
tf.set_random_seed(22)

# neural collaborative filtering: histories of each user as sparse ids with weights
history = [sorted(set(i[u == user]))[:4] or [0] for user in range(USERS)]
indices = [(r, c) for r, row in enumerate(history) for c in range(len(row))]
ids = tf.SparseTensor(indices, [int(item) for row in history for item in row], [USERS, 4])
weights = tf.SparseTensor(ids.indices, tf.to_float(1 + ids.indices[:, 1]), ids.dense_shape)
with tf.variable_scope('ncf', partitioner=tf.fixed_size_partitioner(3, axis=0)):
    table = tf.get_variable('items', [ITEMS, DIM], initializer=tf.random_uniform_initializer(-0.5, 0.5))
print(type(table).__name__, [v.name for v in table], [tuple(v.shape.as_list()) for v in table])
pooled = {c: tf.nn.embedding_lookup_sparse(table, ids, weights, combiner=c, partition_strategy='div', max_norm=0.6)
          for c in ('sum', 'mean', 'sqrtn')}
with tf.variable_scope('users'):
    user_vectors = tf.get_variable('users', [USERS, DIM], initializer=tf.orthogonal_initializer(seed=3))
user_ph, item_ph = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.int32, [None])
user = tf.nn.embedding_lookup(user_vectors, user_ph) + tf.gather(pooled['mean'], user_ph)
item = tf.nn.embedding_lookup(table, item_ph, partition_strategy='div')
mlp = tf.contrib.layers.stack(tf.concat([user, item], 1), tf.contrib.layers.fully_connected, [8, 4], scope='mlp')
score = tf.contrib.layers.linear(tf.concat([user * item, mlp], 1), 1, scope='score')
print(user, item, mlp, score, sep='\n')
hinge = tf.losses.hinge_loss(y[:, None], score)
log = tf.losses.log_loss(y[:, None], tf.sigmoid(score), weights=0.5)
total = tf.losses.get_total_loss()
train = tf.train.AdagradOptimizer(0.2).minimize(hinge + log)
sess = tf.InteractiveSession()
sess.run(tf.variables_initializer(tf.global_variables()))
print({c: sess.run(p)[1].round(3).tolist() for c, p in sorted(pooled.items())})
feed = {user_ph: u, item_ph: i}
for step in range(7):
    values = sess.run([hinge, log, total, train], feed)
    if step % 3 == 0:
        print('ncf %d %.5f %.5f %.5f' % ((step,) + tuple(values[:3])))
scores = tf.reshape(score, [USERS, ITEMS])
grid = np.array(list(itertools.product(range(USERS), range(ITEMS))))
best, places = tf.nn.top_k(scores, k=3, sorted=True)
with sess.as_default():
    everything = {user_ph: grid[:, 0], item_ph: grid[:, 1]}
    print(places.eval(everything)[:4].tolist())
    labels = tf.SparseTensor([[r, 0] for r in range(USERS)], [int(row[0]) for row in history], [USERS, 1])
    recall, update = tf.metrics.recall_at_k(tf.cast(labels, tf.int64), scores, k=3)
    ap, ap_update = tf.metrics.average_precision_at_k(tf.to_int64(tf.sparse_tensor_to_dense(labels)), scores, 3)
    tf.local_variables_initializer().run()
    sess.run([update, ap_update], everything)
    print('recall@3 %.4f map@3 %.4f' % (recall.eval(), ap.eval()), [v.op.name for v in tf.local_variables()])
sess.close()
