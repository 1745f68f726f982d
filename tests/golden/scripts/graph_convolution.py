# A graph convolutional network and attention over edges with segment ops.
import numpy as np
import tensorflow as tf

tf.set_random_seed(123)
rng = np.random.RandomState(123)
N, F, CLASSES = 20, 6, 2
labels = (np.arange(N) >= N // 2).astype(np.int64)
pairs = sorted({(i, j) for i in range(N) for j in range(i)
                if rng.rand() < (0.5 if labels[i] == labels[j] else 0.03)})
features = (rng.rand(N, F) < 0.3).astype(np.float32)
features[:, 0] += labels * 0.5


def preprocess_adj(edges):
    a = np.eye(N)
    for i, j in edges:
        a[i, j] = a[j, i] = 1
    d = np.power(a.sum(1), -0.5)
    a = a * d[:, None] * d
    coords = np.argwhere(a)
    return coords, a[coords[:, 0], coords[:, 1]].astype(np.float32), a.shape


_LAYER_UIDS = {}


def get_layer_uid(layer_name=''):
    _LAYER_UIDS[layer_name] = _LAYER_UIDS.get(layer_name, 0) + 1
    return _LAYER_UIDS[layer_name]


def glorot(shape, name=None):
    init_range = np.sqrt(6.0 / (shape[0] + shape[1]))
    return tf.Variable(tf.random_uniform(shape, -init_range, init_range, tf.float32), name=name)


class GraphConvolution(object):
    def __init__(self, input_dim, output_dim, support, dropout, act=tf.nn.relu):
        self.name = self.__class__.__name__.lower() + '_' + str(get_layer_uid('graphconvolution'))
        self.support, self.act, self.dropout = support, act, dropout
        with tf.variable_scope(self.name + '_vars'):
            self.weights = glorot([input_dim, output_dim], name='weights_0')

    def __call__(self, x):
        with tf.name_scope(self.name):
            x = tf.nn.dropout(x, 1 - self.dropout)
            return self.act(tf.sparse_tensor_dense_matmul(self.support, tf.matmul(x, self.weights)))


support = tf.sparse_placeholder(tf.float32, name="support")
x = tf.placeholder(tf.float32, shape=(N, F), name="features")
y = tf.placeholder(tf.float32, shape=(N, CLASSES))
mask = tf.placeholder(tf.int32, name="labels_mask")
dropout = tf.placeholder_with_default(0., shape=(), name="dropout")
first = GraphConvolution(F, 8, support, dropout)
hidden = first(x)
outputs = GraphConvolution(8, CLASSES, support, dropout, act=lambda t: t)(hidden)
loss = 5e-4 * tf.nn.l2_loss(first.weights)
weights = tf.cast(mask, tf.float32)
weights /= tf.reduce_mean(weights)
loss += tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=outputs, labels=y) * weights)
correct = tf.cast(tf.equal(tf.argmax(outputs, 1), tf.argmax(y, 1)), tf.float32)
accuracy = tf.reduce_mean(correct * weights)
train = tf.train.AdamOptimizer(0.02).minimize(loss)

# attention on edges
coords, values, shape = preprocess_adj(pairs)
senders, receivers = tf.constant(coords[:, 1]), tf.constant(coords[:, 0])
score = tf.nn.leaky_relu(tf.gather(x[:, 0], senders) + 2 * tf.gather(x[:, 1], receivers))
highest = tf.gather(tf.segment_max(score, receivers), receivers)
shares = tf.exp(score - highest)
shares /= tf.gather(tf.unsorted_segment_sum(shares, receivers, N), receivers)
attended = tf.segment_sum(tf.expand_dims(shares, 1) * tf.gather(x, senders), receivers)
alphas = tf.sparse_softmax(tf.SparseTensor(coords, score, shape))
same = tf.reduce_max(tf.abs(alphas.values - shares))

print(len(pairs), "edges,", [v.name for v in tf.trainable_variables()])
print(outputs, attended, sep="\n")
one_hot, train_mask = np.eye(2)[labels], (np.arange(N) % 5 == 0).astype(np.int32)
feed = {support: (coords, values, shape), x: features, y: one_hot, mask: train_mask}
noisy, testing = dict(feed), dict(feed)
noisy[dropout], testing[mask] = 0.3, 1 - train_mask
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(30):
        l, a, _ = sess.run([loss, accuracy, train], noisy)
        if epoch < 4:
            print("Epoch: %04d train_loss= %.5f train_acc= %.5f" % (epoch + 1, l, a))
    l, a = sess.run([loss, accuracy], testing)
    print("test cost= %.2f" % l)
    rows, difference = sess.run([attended, same], feed)
    print(rows[:2].round(4), bool(difference < 1e-6))
