# --- values by reduction and weights
L, R = tf.losses, tf.losses.Reduction
y = np.float32([[1, 0, 1], [0, 1, 1]])
p = np.float32([[0.2, 0.7, 0.9], [0.1, 0.8, 0.3]])
z = np.float32([[2.0, -1.0, 0.5], [0.3, 4.0, -2.0]])
cases = [
    lambda **k: L.absolute_difference(y, p, **k), lambda **k: L.hinge_loss(y, z, **k), lambda **k: L.huber_loss(y, p, delta=0.5, **k),
    lambda **k: L.log_loss(y, p, **k), lambda **k: L.mean_squared_error(y, p, **k), lambda **k: L.sigmoid_cross_entropy(y, z, label_smoothing=0.1, **k),
    lambda **k: L.compute_weighted_loss(p, **k), lambda **k: L.cosine_distance(y, p, axis=1, **k),
]
for case in cases:
    found = [case(weights=w, reduction=r) for r in R.all() for w in (0.3, np.float32([[0.5], [2.0]]), np.float32([[0.0], [2.0]]))]
    with tf.Session() as sess:
        show(sess.run(found), found[0].name, found[3].name, found[-1].name)
show(len(L.get_losses()), R.all())
# --- classes
L, R = tf.losses, tf.losses.Reduction
y = np.float32([[1, 0, 0], [0, 1, 0]])
z = np.float32([[2.0, -1.0, 0.5], [0.3, 4.0, -2.0]])
for r in R.all():
    found = [f(w) for w in (1.0, np.float32([0.5, 2.0]), np.float32([0.0, 2.0])) for f in (
        lambda w: L.softmax_cross_entropy(y, z, weights=w, label_smoothing=0.1, reduction=r),
        lambda w: L.sparse_softmax_cross_entropy(np.array([2, 0]), z, weights=w, reduction=r),
        lambda w: L.sparse_softmax_cross_entropy(np.array([[2], [0]]), z, weights=w, reduction=r))]
    with tf.Session() as sess:
        show(sess.run(found))
# --- pairs
L = tf.losses
y, p = np.float32([[1, 0, 1], [0, 1, 1]]), np.float32([[0.2, 0.7, 0.9], [0.1, 0.8, 0.3]])
x = np.arange(24.0).reshape(2, 3, 4)
found = [L.mean_pairwise_squared_error(y, p, weights=w) for w in (1.0, 0.3, np.float32([[0.5], [2.0]]), np.zeros([2, 1]), np.float32([[1, 0, 1], [0, 0, 1]]))]
found.append(L.mean_pairwise_squared_error(x, x[::-1] ** 1.5))
with tf.Session() as sess:
    show(sess.run(found), L.get_losses())
# --- what is collected
L = tf.losses
a = L.mean_squared_error([1.0], [2.0])
b = L.huber_loss([1.0], [4.0], scope="mine")
L.log_loss([1.0], [0.5], loss_collection=None)
L.add_loss(tf.constant(2.0, name="extra"))
tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, tf.constant(10.0, name="decay"))
show(L.get_losses(), L.get_losses("mine"), L.get_regularization_losses(), L.get_total_loss(), L.get_total_loss(False), L.get_regularization_loss())
with tf.Session() as sess:
    show(sess.run([L.get_total_loss(), L.get_total_loss(False), L.get_regularization_loss()]))
# --- unknown shapes
a, b, w = (tf.placeholder(tf.float32) for _ in range(3))
loss = tf.losses.mean_squared_error(a, b, weights=w)
with tf.Session() as sess:
    x, y = np.float32([[1, 2, 3], [4, 5, 6]]), np.float32([[1, 1, 1], [2, 2, 2]])
    show(loss, [sess.run(loss, {a: x, b: y, w: k}) for k in (2.0, [[1.0], [3.0]], [[1.0, 0.0, 2.0]])])
    sess.run(loss, {a: x, b: y, w: [1.0, 2.0]})
# --- unknown batches
a, w = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 3])
loss = tf.losses.compute_weighted_loss(a, w)
with tf.Session() as sess:
    show(sess.run(loss, {a: np.ones([2, 3]), w: np.ones([2, 3])}))
    sess.run(loss, {a: np.ones([2, 3]), w: np.ones([5, 3])})
# --- no axis
tf.losses.cosine_distance([1.0], [1.0])
# --- two axes
tf.losses.cosine_distance([1.0], [1.0], axis=0, dim=0)
# --- weights of another rank
tf.losses.mean_pairwise_squared_error(np.ones([2, 3]), np.ones([2, 3]), weights=np.ones([2]))
# --- weights of another size
tf.losses.huber_loss(np.ones([2, 3]), np.ones([2, 3]), weights=np.ones([2, 2]))
# --- no labels
tf.losses.mean_pairwise_squared_error(None, [1.0])
# --- no such reduction
tf.losses.huber_loss([1.0], [1.0], reduction="all")
# --- weights of every form
W = [1.0, 0.0, 0.5, 2, True, -0.5, np.float32(0.3), np.float64(0.3), np.int32(2), np.zeros([], np.float32), np.float32([[0.5], [0.2], [0.9]]), np.float32([[0.1, 0.2, 0.3, 0.4]]), np.float32([[0.7]]), np.arange(12.0).reshape(3, 4) / 10,
     np.float32([[0], [1], [0]]), np.zeros([3, 1]), np.array([[1], [0], [2]]), np.array([[True], [False], [True]]), [[0.1], [0.2], [0.3]], np.float32([[-1], [1], [1]])]
y, p = np.array([[0, 1, 1, 0], [1, 1, 0, 1], [0, 0, 1, 1]]), (np.arange(12, dtype=np.float32).reshape(3, 4) * 7 % 12 + 0.5) / 12
z, classes = 4 * p - 2, np.array([3, 0, 1])
L, R = tf.losses, tf.losses.Reduction
cases = [
    lambda **k: L.absolute_difference(y, p, **k), lambda **k: L.hinge_loss(y, z, **k), lambda **k: L.huber_loss(y, p, delta=0.3, **k), lambda **k: L.log_loss(y, p, **k), lambda **k: L.mean_squared_error(y, p, **k),
    lambda **k: L.sigmoid_cross_entropy(y, z, label_smoothing=0.2, **k), lambda **k: L.compute_weighted_loss(p, **k), lambda **k: L.compute_weighted_loss(y, **k),
]
rows = [lambda **k: L.softmax_cross_entropy(np.eye(4)[classes], z, **k), lambda **k: L.sparse_softmax_cross_entropy(classes, z, **k)]
V = [w for w in W if np.ndim(w) == 0] + [np.float32([0.5, 0, 2]), np.array([1, 0, 2]), np.float32([1])[:0].sum()]
for r in R.all():
    found = [[case(weights=w, reduction=r) for case in cases for w in W], [case(weights=w, reduction=r) for case in rows for w in V]]
    with tf.Session() as sess:
        show(sess.run(found))
show(len(tf.losses.get_losses()))
# --- weights of one axes
tf.losses.mean_squared_error(np.ones([3, 4]), np.zeros([3, 4]), weights=np.ones([3]))
# --- weights of three axes
tf.losses.mean_squared_error(np.ones([3, 4]), np.zeros([3, 4]), weights=np.ones([3, 4, 1]))
# --- weights of no fitting axes
tf.losses.mean_squared_error(np.ones([3, 4]), np.zeros([3, 4]), weights=np.ones([2, 2]))
# --- weights of too many axes
tf.losses.mean_squared_error(np.ones([3, 4]), np.zeros([3, 4]), weights=np.ones([5, 4]))
# --- weights of another batch
tf.losses.softmax_cross_entropy(np.eye(3), np.ones([3, 3]), weights=np.ones([2]))
# --- weights of a row each
tf.losses.sparse_softmax_cross_entropy(np.array([0, 1]), np.ones([2, 3], np.float32), weights=np.ones([2, 3]))
# --- other shapes
tf.losses.mean_squared_error(np.ones([3, 4]), np.zeros([4, 3]))
# --- labels of another number of classes
tf.losses.softmax_cross_entropy(np.eye(3), np.ones([3, 4]))
# --- no predictions
tf.losses.log_loss([1.0], None)
