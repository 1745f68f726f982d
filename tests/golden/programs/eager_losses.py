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
    show([case(weights=w, reduction=r).numpy() for case in cases for w in W], [case(weights=w, reduction=r).numpy() for case in rows for w in V])
show(tf.losses.get_losses(), tf.losses.get_regularization_loss())
# --- cosine distances
x, y = np.float32([[0.6, 0.8], [1, 0]]), np.float32([[0.8, 0.6], [0, 1]])
show([tf.losses.cosine_distance(x, y, axis=a, weights=w, reduction=r) for a in (0, 1) for w in (1.0, 0.5, [[2.0]]) for r in tf.losses.Reduction.all()], tf.losses.cosine_distance(x, y, dim=1))
# --- pairs
y, p = np.float32([[1, 0, 1], [0, 1, 1]]), np.float32([[0.2, 0.7, 0.9], [0.1, 0.8, 0.3]])
show([tf.losses.mean_pairwise_squared_error(y, p, weights=w) for w in (np.float32([[0.5], [2.0]]), np.zeros([2, 1]), np.float32([[1, 0, 1], [0, 0, 1]]), 0.0)])
# --- pairs with one weight for all | 1.12 counts all elements here, not those of an example: its graph, and ours in both modes, does not
y, p = np.float32([[1, 0, 1], [0, 1, 1]]), np.float32([[0.2, 0.7, 0.9], [0.1, 0.8, 0.3]])
show(tf.losses.mean_pairwise_squared_error(y, p))
# --- metrics as objects by weights
y, p = np.array([[0, 1, 1], [1, 0, 1]]), np.float32([[0.2, 0.7, 0.9], [0.1, 0.8, 0.3]])
for w in (None, 1.0, 0.5, 0.0, np.float32(2), [[0.5], [2.0]], np.ones([2, 3]), np.array([1, 0, 2]), np.array([[True], [False]])):
    metrics = [tfe.metrics.Mean(), tfe.metrics.Mean(dtype=tf.float32), tfe.metrics.Accuracy(), tfe.metrics.BinaryAccuracy(0.5)]
    metrics[0](p, weights=w), metrics[1](y, weights=w), metrics[2](y, y[::-1].copy(), weights=w)
    show(metrics[3](y, p, weights=w)[1], [m.result() for m in metrics])
for w in (None, 0.5, [0.5, 2.0], np.array([1, 0])):
    metrics = [tfe.metrics.CategoricalAccuracy(), tfe.metrics.SparseAccuracy()]
    metrics[0](np.eye(3)[:2], p, weights=w), metrics[1](np.array([2, 2]), p, weights=w)
    show([m.result() for m in metrics])
# --- labels of a binary accuracy
labels, predictions, weights = tfe.metrics.BinaryAccuracy(0.5)(np.array([1, 0]), tf.constant([0.7, 0.8]), weights=tf.constant([1.0, 2.0]))
show(labels, predictions, weights)
# --- accuracies of other shapes
tfe.metrics.Accuracy()(tf.constant([1, 2]), tf.constant([1, 2, 3]))
# --- another batch of sparse labels
tfe.metrics.SparseAccuracy()(tf.constant([1, 2]), tf.ones([3, 3]))
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
