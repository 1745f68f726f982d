# --- rates
C = tf.contrib.metrics
x, y, w = tf.placeholder(tf.float32, [6]), tf.placeholder(tf.int64, [6]), tf.placeholder(tf.float32, [6])
bounds = [0.2, 0.5, 0.8]
pairs = [C.streaming_false_positive_rate(tf.round(x), y), C.streaming_false_positive_rate(tf.round(x), y, w), C.streaming_false_negative_rate(tf.round(x), y, name="mine"), C.streaming_false_negative_rate(tf.round(x), y, w)]
for k in ("true_positives", "true_negatives", "false_positives", "false_negatives", "false_positive_rate", "false_negative_rate"):
    f = getattr(C, "streaming_%s_at_thresholds" % k)
    pairs += [f(x, y, bounds), f(x, y, bounds, w), f(x, y, bounds, 2.0)]
show([[v.name, u.name] for v, u in pairs], [v.name for v in tf.local_variables()])
rng = np.random.RandomState(0)
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    show(sess.run([v for v, u in pairs]))
    for _ in range(2):
        feed = {x: rng.rand(6), y: rng.randint(0, 2, [6]), w: rng.rand(6)}
        show(sess.run([u for v, u in pairs], feed), sess.run([v for v, u in pairs]))
# --- points of thresholds
C = tf.contrib.metrics
x, y, w = tf.placeholder(tf.float32, [8]), tf.placeholder(tf.int64, [8]), tf.placeholder(tf.float32, [8])
pairs = []
for k in ({}, {"weights": w}, {"weights": w, "num_thresholds": 11}):
    pairs += [C.f1_score(y, x, **k), C.recall_at_precision(y, x, 0.6, **k), C.recall_at_precision(y, x, 0.6, strict_mode=True, **k), C.recall_at_precision(y, x, 1.0, strict_mode=True, **k), C.precision_at_recall(y, x, 0.6, **k)]
curves = [C.streaming_curve_points(y, x, num_thresholds=7, curve=c) for c in ("ROC", "PR")]
show([[v.name, u.name] for v, u in pairs], [[v.shape.as_list(), u.type] for v, u in curves], [v.name for v in tf.local_variables()])
rng = np.random.RandomState(1)
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    show(sess.run([v for v, u in pairs]), sess.run([v for v, u in curves]))
    for _ in range(2):
        feed = {x: rng.rand(8), y: rng.randint(0, 2, [8]), w: rng.rand(8)}
        sess.run([u for v, u in curves], feed)
        show(sess.run([u for v, u in pairs], feed), sess.run([v for v, u in pairs]), sess.run([v for v, u in curves]))
# --- covariance and correlation
C = tf.contrib.metrics
x, y, w = tf.placeholder(tf.float32, [6]), tf.placeholder(tf.float32, [6]), tf.placeholder(tf.float32, [6])
pairs = [C.streaming_covariance(x, y), C.streaming_covariance(x, y, w), C.streaming_pearson_correlation(x, y), C.streaming_pearson_correlation(x, y, w, name="r"), C.streaming_covariance(tf.constant([1.0]), tf.constant([2.0])), C.streaming_covariance(x[:, None], y, w[:, None])]
show([[v.name, u.name] for v, u in pairs], [v.name for v in tf.local_variables()])
rng = np.random.RandomState(2)
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    show(sess.run([v for v, u in pairs]))
    for _ in range(3):
        a = rng.randn(6)
        feed = {x: a, y: a + rng.randn(6), w: rng.rand(6)}
        show(sess.run([u for v, u in pairs], feed), sess.run([v for v, u in pairs]))
# --- counts and kappa
C = tf.contrib.metrics
x, y = tf.placeholder(tf.int64, [8]), tf.placeholder(tf.int64, [8])
w, n = tf.placeholder(tf.float32, [8]), tf.placeholder(tf.int64, [8])
pairs = [C.count(x), C.count(x, w), C.count(x, 0.5, name="mine"), C.count(x[:, None], w[:, None]), C.cohen_kappa(y, x, 3), C.cohen_kappa(y, x, 3, w), C.cohen_kappa(y[:, None], x[:, None], 4, n)]
show([[v.name, u.name] for v, u in pairs], tf.local_variables())
rng = np.random.RandomState(3)
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    show(sess.run([v for v, u in pairs]))
    for _ in range(2):
        feed = {x: rng.randint(0, 3, [8]), y: rng.randint(0, 3, [8]), w: rng.rand(8), n: rng.randint(0, 3, [8])}
        show(sess.run([u for v, u in pairs], feed), sess.run([v for v, u in pairs]))
# --- ranks without a number
C = tf.contrib.metrics
x, y, top, w = tf.placeholder(tf.int64, [4, 2]), tf.placeholder(tf.float32, [4, 6]), tf.placeholder(tf.int64, [4, 3]), tf.placeholder(tf.float32, [4])
pairs = [
    C.streaming_recall_at_k(y, x[:, 0], 2), C.streaming_recall_at_k(y, x[:, 0], 2, w), C.streaming_sparse_precision_at_top_k(top, x), C.streaming_sparse_precision_at_top_k(top, x, 1, w),
    C.sparse_recall_at_top_k(x, top), C.sparse_recall_at_top_k(x, top, 1, w), C.sparse_recall_at_top_k(x, top, name="mine"), C.streaming_sparse_recall_at_k(y, x, 2), C.streaming_sparse_average_precision_at_k(y, x, 2, w),
]
averages = [C.streaming_sparse_average_precision_at_top_k(top, x, name="a"), C.streaming_sparse_average_precision_at_top_k(top, x, w, name="b")]
show([[v.name, u.name] for v, u in pairs])
pairs += averages
rng = np.random.RandomState(4)
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    for _ in range(2):
        feed = {x: np.stack([rng.permutation(6)[:2] for _ in range(4)]), y: rng.rand(4, 6), top: np.stack([rng.permutation(6)[:3] for _ in range(4)]), w: rng.rand(4)}
        show(sess.run([u for v, u in pairs], feed), sess.run([v for v, u in pairs]))
# --- joined values
C = tf.contrib.metrics
x = tf.placeholder(tf.float32, [None, 2])
y = tf.placeholder(tf.int32, [2, None])
pairs = [C.streaming_concat(x), C.streaming_concat(x, max_size=5), C.streaming_concat(y, axis=1), C.streaming_concat(y, axis=-1, max_size=2, name="mine")]
show([v.shape.as_list() for v, u in pairs])
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    show(sess.run([v for v, u in pairs]))
    for n in (2, 1, 4):
        feed = {x: np.arange(2 * n).reshape(n, 2), y: np.arange(2 * n).reshape(2, n) * 10}
        show(sess.run([u for v, u in pairs], feed), sess.run([v for v, u in pairs]))
# --- areas of all predictions
C = tf.contrib.metrics
x, y, w = tf.placeholder(tf.float32, [8]), tf.placeholder(tf.int64, [8]), tf.placeholder(tf.float32, [8])
pairs = [C.streaming_dynamic_auc(y, x), C.streaming_dynamic_auc(y, x, curve="PR"), C.streaming_dynamic_auc(y, x, weights=w), C.streaming_dynamic_auc(y, x, curve="PR", weights=w, name="mine")]
sure = [C.auc_with_confidence_intervals(y, x), C.auc_with_confidence_intervals(y, x, alpha=0.5, logit_transformation=False), C.auc_with_confidence_intervals(y, x, w)]
rng = np.random.RandomState(5)
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    for k in range(5):
        feed = {x: np.round(rng.rand(8), 1 + (k == 1)), y: [0, 1, 1, 0, 0, 1, 0, 1] if k != 2 else np.ones(8), w: rng.rand(8) * (k != 3)}
        sess.run([u for v, u in pairs + sure], feed)
        show(sess.run([v for v, u in pairs], feed), [list(v) for v in sess.run([v for v, u in sure], feed)])
show([type(v).__name__ for v, u in sure], sure[0][0]._fields)
# --- buckets
C = tf.contrib.metrics
x, y, w = tf.placeholder(tf.float32, [8]), tf.placeholder(tf.bool, [8]), tf.placeholder(tf.float32, [8])
pairs = [C.precision_recall_at_equal_thresholds(y, x, num_thresholds=5), C.precision_recall_at_equal_thresholds(y, x, w, 3), C.precision_recall_at_equal_thresholds(y, tf.to_double(x), num_thresholds=3)]
areas = [C.auc_using_histogram(y, x, [0.0, 1.0]), C.auc_using_histogram(y, x, [0.2, 0.7], nbins=5, name="mine")]
show([v.name for v in tf.local_variables()], [v.name for v, u in areas], pairs[0][0]._fields, C.precision_recall_at_equal_thresholds(y, x)[0].tp.shape)
rng = np.random.RandomState(6)
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    for _ in range(2):
        feed = {x: rng.rand(8), y: rng.rand(8) < 0.5, w: rng.rand(8)}
        sess.run([u for v, u in pairs + areas], feed)
        show([list(sess.run(v)) for v, u in pairs], sess.run([v for v, u in areas]))
# --- accuracy of a batch
C = tf.contrib.metrics
x, y = tf.constant([1, 2, 3, 4]), tf.constant([1, 0, 3, 0])
found = [C.accuracy(x, y), C.accuracy(x, y, 0.5), C.accuracy(x, y, [1.0, 0.0, 0.0, 3.0]), C.accuracy(x, y, [[1.0], [2.0]], name="mine"), C.accuracy(tf.constant(["a"]), tf.constant(["b"]))]
show([v.name for v in found])
with tf.Session() as sess:
    show(sess.run(found))
# --- collections
C = tf.contrib.metrics
x, y = tf.constant([0.2, 0.7]), tf.constant([0, 1])
k = {"metrics_collections": ["m"], "updates_collections": "u"}
for f in (C.streaming_covariance, C.streaming_pearson_correlation):
    f(x, x, **k)
C.count(x, **k), C.f1_score(y, x, **k), C.cohen_kappa(y, y, 2, **k), C.streaming_concat(x, **k), C.streaming_curve_points(y, x, **k), C.precision_at_recall(y, x, 0.5, **k)
show(len(tf.get_collection("m")), len(tf.get_collection("u")))
# --- one class
tf.contrib.metrics.cohen_kappa(tf.constant([0]), tf.constant([0]), 1)
# --- labels of three axes
tf.contrib.metrics.cohen_kappa(tf.zeros([1, 1, 1], tf.int32), tf.constant([0]), 2)
# --- alpha out of range
tf.contrib.metrics.auc_with_confidence_intervals(tf.constant([0]), tf.constant([0.1]), alpha=1.0)
# --- a precision out of range
tf.contrib.metrics.recall_at_precision(tf.constant([0]), tf.constant([0.1]), 1.5)
# --- a recall out of range
tf.contrib.metrics.precision_at_recall(tf.constant([0]), tf.constant([0.1]), -1)
# --- no such curve
tf.contrib.metrics.streaming_dynamic_auc(tf.constant([0]), tf.constant([0.1]), curve="x")
# --- no such curve of points
tf.contrib.metrics.streaming_curve_points(tf.constant([0]), tf.constant([0.1]), curve="x")
# --- no rank
tf.contrib.metrics.streaming_concat(tf.placeholder(tf.float32))
# --- no such axis
tf.contrib.metrics.streaming_concat(tf.zeros([2, 2]), axis=3)
# --- two open axes
tf.contrib.metrics.streaming_concat(tf.placeholder(tf.float32, [None, None]))
# --- labels that are no bools
tf.contrib.metrics.precision_recall_at_equal_thresholds(tf.constant([1]), tf.constant([0.5]))
# --- labels of a histogram that are no bools
try:
    tf.contrib.metrics.auc_using_histogram(tf.constant([1]), tf.constant([0.5]), [0.0, 1.0])
except ValueError as error:
    show("Argument boolean_labels should have dtype bool" in str(error))
# --- labels out of range
v, u = tf.contrib.metrics.streaming_dynamic_auc(tf.placeholder_with_default([2], [1]), tf.constant([0.5]))
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    try:
        sess.run(u)
    except tf.errors.InvalidArgumentError as error:
        show("labels must be 0 or 1, at least one is >1" in str(error))
# --- average precision of an open number
try:
    tf.contrib.metrics.streaming_sparse_average_precision_at_top_k(tf.placeholder(tf.int64, [2, None]), tf.constant([[1], [2]], tf.int64))
except ValueError as error:
    show("ValueError")
