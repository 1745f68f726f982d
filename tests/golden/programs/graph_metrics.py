# --- means
M = tf.metrics
x, y, w = (tf.placeholder(tf.float32, [5, n]) for n in (2, 2, 1))
pairs = [
    M.mean(x), M.mean(x, w), M.mean_absolute_error(x, y), M.mean_absolute_error(x, y, w), M.mean_cosine_distance(x, y, dim=1),
    M.mean_cosine_distance(x, y, 1, w), M.mean_squared_error(x, y), M.root_mean_squared_error(x, y), M.root_mean_squared_error(x, y, w),
    M.mean_relative_error(x, y, y), M.mean_relative_error(x, y, tf.zeros_like(y)), M.percentage_below(x, 0.1), M.percentage_below(x, 0.1, w),
    M.mean_tensor(x), M.mean_tensor(x, w),
]
show([[v.name, u.name] for v, u in pairs], [v.name for v in tf.local_variables()], tf.get_collection(tf.GraphKeys.METRIC_VARIABLES) == tf.local_variables(), tf.global_variables())
rng = np.random.RandomState(0)
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    show(sess.run([v for v, u in pairs]))
    for _ in range(2):
        feed = {x: rng.randn(5, 2), y: rng.randn(5, 2), w: rng.rand(5, 1)}
        show(sess.run([u for v, u in pairs], feed), sess.run([v for v, u in pairs]))
# --- accuracies
M = tf.metrics
x, y, w = tf.placeholder(tf.int64, [6]), tf.placeholder(tf.int32, [6, 1]), tf.placeholder(tf.float32, [6])
one = tf.reshape(y, [6])
pairs = [
    M.accuracy(x, y), M.accuracy(x, y, w, name="mine"), M.accuracy(x, y, tf.reshape(w, [6, 1])), M.mean_iou(x, one, 4), M.mean_iou(x, one, 3, w),
    M.mean_per_class_accuracy(x, one, 4), M.mean_per_class_accuracy(x, one, 3, w),
]
show([[v.name, u.name] for v, u in pairs], tf.local_variables())
rng = np.random.RandomState(1)
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    show(sess.run([v for v, u in pairs]))
    for _ in range(2):
        feed = {x: rng.randint(0, 3, [6]), y: rng.randint(0, 3, [6, 1]), w: rng.rand(6)}
        show(sess.run([u for v, u in pairs], feed), sess.run([v for v, u in pairs]))
# --- counts
M = tf.metrics
kinds = [M.true_positives, M.true_negatives, M.false_positives, M.false_negatives, M.precision, M.recall]
x, y, w = tf.placeholder(tf.int64, [6]), tf.placeholder(tf.int64, [6, 1]), tf.placeholder(tf.float32, [6])
pairs = [k(x, y) for k in kinds] + [k(x, y, w, name="weighted") for k in kinds]
show([[v.name, u.name] for v, u in pairs], tf.local_variables())
rng = np.random.RandomState(2)
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    show(sess.run([v for v, u in pairs]))
    for _ in range(2):
        feed = {x: rng.randint(0, 2, [6]), y: rng.randint(0, 2, [6, 1]), w: rng.rand(6)}
        show(sess.run([u for v, u in pairs], feed), sess.run([v for v, u in pairs]))
# --- thresholds
M = tf.metrics
kinds = [M.true_positives_at_thresholds, M.true_negatives_at_thresholds, M.false_positives_at_thresholds, M.false_negatives_at_thresholds, M.precision_at_thresholds, M.recall_at_thresholds]
x, y, w = tf.placeholder(tf.int64, [6]), tf.placeholder(tf.float32, [6]), tf.placeholder(tf.float32, [6, 1])
pairs = [k(x, y, [0.2, 0.5, 0.8]) for k in kinds] + [k(x, y, [0.3, 0.6], w) for k in kinds]
show([[v.name, u.name] for v, u in pairs], tf.local_variables())
rng = np.random.RandomState(3)
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    for _ in range(2):
        feed = {x: rng.randint(0, 2, [6]), y: rng.rand(6), w: rng.rand(6, 1)}
        show(sess.run([u for v, u in pairs], feed), sess.run([v for v, u in pairs]))
# --- curves
M = tf.metrics
x, y, w = tf.placeholder(tf.int64, [6]), tf.placeholder(tf.float32, [6]), tf.placeholder(tf.float32, [6])
pairs = [M.auc(x, y, curve=c, summation_method=s, num_thresholds=50) for c in ("ROC", "PR") for s in ("trapezoidal", "careful_interpolation", "minoring", "majoring")]
pairs += [
    M.auc(x, y, w), M.sensitivity_at_specificity(x, y, 0.6), M.sensitivity_at_specificity(x, y, 0.6, w, num_thresholds=20),
    M.specificity_at_sensitivity(x, y, 0.6), M.specificity_at_sensitivity(x, y, 0.6, w, num_thresholds=20),
]
show([[v.name, u.name] for v, u in pairs], [v.name for v in tf.local_variables()][-8:])
rng = np.random.RandomState(4)
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    show(sess.run([v for v, u in pairs]))
    for _ in range(2):
        feed = {x: rng.randint(0, 2, [6]), y: rng.rand(6), w: rng.rand(6)}
        show(sess.run([u for v, u in pairs], feed), sess.run([v for v, u in pairs]))
# --- the best predictions
M = tf.metrics
x, y, top, w = tf.placeholder(tf.int64, [4, 2]), tf.placeholder(tf.float32, [4, 6]), tf.placeholder(tf.int64, [4, 3]), tf.placeholder(tf.float32, [4])
sparse = tf.SparseTensor([[0, 0], [0, 1], [2, 0], [3, 0], [3, 1], [3, 2]], tf.constant([1, 3, 2, 5, 1, 0], tf.int64), [4, 3])
pairs = []
for labels in (x, x[:, 0], sparse):
    pairs += [
        M.precision_at_k(labels, y, 3), M.precision_at_k(labels, y, 2, weights=w), M.precision_at_k(labels, y, 3, class_id=2),
        M.recall_at_k(labels, y, 3), M.recall_at_k(labels, y, 2, weights=w, name="mine"), M.recall_at_k(labels, y, 3, class_id=1, weights=w),
        M.precision_at_top_k(labels, top), M.recall_at_top_k(labels, top, k=3, class_id=1), M.average_precision_at_k(labels, y, 3),
        M.average_precision_at_k(labels, y, 2, w),
    ]
pairs += [M.sparse_precision_at_k(x, y, 3), M.sparse_average_precision_at_k(x, y, 3)]
show([[v.name, u.name] for v, u in pairs], tf.local_variables()[:12], tf.local_variables()[-4:])
rng = np.random.RandomState(5)
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    for _ in range(2):
        feed = {x: np.stack([rng.permutation(6)[:2] for _ in range(4)]), y: rng.rand(4, 6), top: rng.randint(0, 6, [4, 3]), w: rng.rand(4)}
        show(sess.run([u for v, u in pairs], feed), sess.run([v for v, u in pairs]))
# --- collections
x = tf.constant([1.0, 2.0])
for f in (tf.metrics.mean, lambda x, **k: tf.metrics.auc(x, x / 2, **k), lambda x, **k: tf.metrics.recall_at_k(tf.constant([[1]], tf.int64), [[0.2, 0.8]], 1, **k)):
    v, u = f(x, metrics_collections=["m", "n"], updates_collections="u")
show(tf.get_collection("m"), tf.get_collection("n"), tf.get_collection("u"))
# --- scopes
with tf.variable_scope("eval"):
    v, u = tf.metrics.mean([1.0])
    w, t = tf.metrics.mean([1.0], name="named")
show(v, u, w, t, tf.local_variables())
# --- unknown shapes
x, y, w = (tf.placeholder(tf.float32) for _ in range(3))
pairs = [tf.metrics.accuracy(x, y, w), tf.metrics.auc(x, y, w), tf.metrics.precision(x, y, w)]
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    for a, b, c in (([1.0, 0.0], [1.0, 1.0], 2.0), ([[1.0], [0.0]], [1.0, 1.0], [0.5, 0.25]), ([1.0, 0.0], [0.0, 1.0], [[0.5], [0.25]])):
        show(sess.run([u for v, u in pairs], {x: a, y: b, w: c}), sess.run([v for v, u in pairs]))
# --- predictions out of range
v, u = tf.metrics.auc([0, 1], tf.placeholder_with_default([0.5, 1.5], [2]))
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    try:
        sess.run(u)
    except tf.errors.InvalidArgumentError as error:
        show("predictions must be in [0, 1]" in str(error))
# --- weights that do not fit
x, w = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
v, u = tf.metrics.mean(x, w)
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    try:
        sess.run(u, {x: [1.0, 2.0], w: [1.0, 2.0, 3.0]})
    except tf.errors.InvalidArgumentError as error:
        show("weights can not be broadcast to values" in str(error))
# --- shapes that differ
tf.metrics.accuracy([1, 2], [1, 2, 3])
# --- weights of another size
tf.metrics.mean(np.ones([3]), weights=np.ones([2]))
# --- no such curve
tf.metrics.auc([1, 0], [0.5, 0.1], curve="x")
# --- no such method
tf.metrics.auc([1, 0], tf.constant([0.5, 0.1]), summation_method="x")
# --- a specificity out of range
tf.metrics.sensitivity_at_specificity([1, 0], [0.5, 0.1], 1.5)
# --- a sensitivity out of range
tf.metrics.specificity_at_sensitivity([1, 0], [0.5, 0.1], -0.5)
# --- k out of range
tf.metrics.average_precision_at_k([[1]], [[0.5, 0.1]], 0)
# --- labels of another rank
tf.metrics.precision_at_k(tf.constant(1, tf.int64), tf.ones([2, 3]), 1)
# --- weights of another rank
try:
    tf.metrics.true_positives([1, 0], [1, 0], tf.ones([2, 2, 2]))
except ValueError as error:
    show("must have rank in" in str(error))
# --- metrics as objects
m = tfe.metrics.Mean("loss")
x = tf.placeholder(tf.float32)
u, init = m(x), m.init_variables()
show(m.name, init.type, m.value(), m.variables, tf.local_variables(), tf.get_collection(tf.GraphKeys.METRIC_VARIABLES), tf.global_variables())
g = tfe.metrics.Mean("g", use_global_variables=True)
ug = g(x, weights=2.0)
a = tfe.metrics.Accuracy()
ua = a(tf.constant([1, 2]), tf.constant([1, 3]))
show(tf.global_variables())
with tf.Session() as sess:
    sess.run([init, g.init_variables(), a.init_variables()])
    show([(sess.run(u, {x: i}), sess.run(m.result())) for i in (0.0, 5.0, [8.0, 9.0])])
    show(sess.run(ug, {x: 3.0}), sess.run(g.result()), sess.run(ua), sess.run(a.result()))
    sess.run(init)
    show(sess.run(m.result()))
