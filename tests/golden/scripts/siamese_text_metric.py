# Siamese networks over pairs of sentences, and the losses of metric learning.
import numpy as np
import tensorflow as tf

metric_learning = tf.contrib.losses.metric_learning
VOCAB, DIM, UNITS, LENGTH, N = 30, 6, 5, 7, 24

np.random.seed(13)
topics = np.random.randint(0, 3, N)
left = np.array([np.random.randint(1 + 9 * t, 10 + 9 * t, LENGTH) for t in topics])
right_topics = np.where(np.random.rand(N) < 0.5, topics, (topics + 1) % 3)
right = np.array([np.random.randint(1 + 9 * t, 10 + 9 * t, LENGTH) for t in right_topics])
same = (topics == right_topics).astype(np.float32)
lengths = np.random.randint(3, LENGTH + 1, (2, N))
left[np.arange(LENGTH)[None] >= lengths[0][:, None]] = 0
right[np.arange(LENGTH)[None] >= lengths[1][:, None]] = 0

tf.set_random_seed(13)
x1 = tf.placeholder(tf.int32, [None, LENGTH], name='left')
x2 = tf.placeholder(tf.int32, [None, LENGTH], name='right')
y = tf.placeholder(tf.float32, [None], name='same')
keep = tf.placeholder_with_default(1.0, [], name='keep')


def used(x):
    return tf.reduce_sum(tf.sign(x), axis=1)


def encoder(x, scope='encoder'):
    with tf.variable_scope(scope, reuse=tf.AUTO_REUSE, initializer=tf.contrib.layers.xavier_initializer()):
        table = tf.get_variable('table', [VOCAB, DIM])
        inputs = tf.nn.dropout(tf.nn.embedding_lookup(table, x), keep, seed=3)
        fw, bw = [tf.contrib.rnn.GRUCell(UNITS, bias_initializer=tf.constant_initializer(0.5)) for _ in range(2)]
        (a, b), states = tf.nn.bidirectional_dynamic_rnn(fw, bw, inputs, sequence_length=used(x), dtype=tf.float32)
        attention = tf.layers.dense(tf.concat([a, b], 2), 1, activation=tf.tanh, use_bias=False, name='score')
        mask = (1.0 - tf.sequence_mask(used(x), LENGTH, tf.float32)) * -1e4
        weights = tf.nn.softmax(attention + mask[:, :, None], axis=1)
        pooled = tf.reduce_sum(weights * tf.concat([a, b], 2), axis=1)
        return tf.nn.l2_normalize(tf.concat([pooled] + list(states), 1), 1, name='code'), weights


code1, weights1 = encoder(x1)
code2, _ = encoder(x2)
cosine = tf.reduce_sum(tf.multiply(code1, code2), axis=1, name='cosine')
distance = tf.sqrt(tf.reduce_sum(tf.squared_difference(code1, code2), 1) + 1e-6, name='distance')
contrastive = tf.contrib.losses.metric_learning.contrastive_loss(tf.to_int32(y), code1, code2, margin=0.8)
by_cosine = tf.losses.cosine_distance(code1, code2, axis=1, weights=y[:, None])
margin = tf.reduce_mean(tf.nn.relu(0.2 - cosine * (2 * y - 1)))
print(code1, cosine, contrastive, by_cosine, sep='\n')
print([(v.op.name, v.shape.as_list()) for v in tf.trainable_variables()])

labels = tf.placeholder(tf.int32, [None])
batch = tf.placeholder(tf.int32, [12, LENGTH])
codes = encoder(batch)[0]
losses = [
    ('semihard', metric_learning.triplet_semihard_loss(labels, codes, margin=0.5)),
    ('npairs', metric_learning.npairs_loss(labels[:6], codes[:6], codes[6:], reg_lambda=0.01)),
    ('lifted', metric_learning.lifted_struct_loss(labels, codes)),
]
sparse = [tf.SparseTensor([[0, 0], [0, 1]], [i % 2, 2], [1, 2]) for i in range(4)]
losses.append(('multilabel', metric_learning.npairs_loss_multilabel(sparse, codes[:4], codes[4:8])))
for name, loss in losses:
    print(name, loss.shape, loss.dtype)

step = tf.Variable(0, trainable=False)
total = contrastive + 0.5 * by_cosine + margin
optimizer = tf.train.ProximalAdagradOptimizer(0.3, l2_regularization_strength=1e-4)
grads = optimizer.compute_gradients(total, tf.trainable_variables())
grads = [(tf.clip_by_average_norm(g, 0.05) if not isinstance(g, tf.IndexedSlices) else g, v) for g, v in grads]
train = optimizer.apply_gradients(grads, step)
auc, auc_op = tf.metrics.auc(y, (1.0 + cosine) / 2, num_thresholds=20)
pearson, pearson_op = tf.contrib.metrics.streaming_pearson_correlation(cosine, y)
covariance, covariance_op = tf.contrib.metrics.streaming_covariance(cosine, y)

with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    groups = np.repeat(np.arange(3), 4)
    rows = np.array([left[topics == g][i % (topics == g).sum()] for g in range(3) for i in range(4)])
    for name, loss in losses:
        order = np.r_[0:12:2, 1:12:2] if name == 'npairs' else np.arange(12)
        print('%s %.4f' % (name, sess.run(loss, {labels: groups[order], batch: rows[order]})))
    feed = {x1: left, x2: right, y: same}
    for i in range(10):
        _, a, b, c = sess.run([train, contrastive, by_cosine, margin], {x1: left, x2: right, y: same, keep: 0.9})
        if i % 3 == 0:
            print('step %d  %.4f %.4f %.4f' % (sess.run(step), a, b, c))
    sess.run([auc_op, pearson_op, covariance_op], feed)
    print('auc %.4f pearson %.4f covariance %.5f' % tuple(sess.run([auc, pearson, covariance])))
    w, d = sess.run([weights1, distance], feed)
    print(w[0, :, 0].round(4), w.sum(1)[:2, 0].round(5), d[:3].round(4))
    nearest = tf.nn.in_top_k(tf.matmul(code1, code2, transpose_b=True), tf.range(tf.shape(code1)[0]), 5)
    print(sess.run(tf.reduce_sum(tf.to_int32(nearest)), feed))
    multi_hot = [tf.SparseTensor([[0, i % 2], [0, 2]], [1, 1], [1, 3]) for i in range(4)]
    several = metric_learning.npairs_loss_multilabel(multi_hot, codes[:4], codes[4:8])
    print('%.5f' % sess.run(several, {batch: rows}))
