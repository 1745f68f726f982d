# --- fully connected
layers = tf.contrib.layers
x = tf.placeholder(tf.float32, [None, 3], name="x")
y = layers.fully_connected(x, 4)
z = layers.fully_connected(y, 4, None, scope="fc", outputs_collections="out", weights_regularizer=layers.l2_regularizer(0.1))
w = layers.fully_connected(z, 2, normalizer_fn=layers.batch_norm, normalizer_params={"is_training": True})
show(y, z, w, layers.linear(w, 1), layers.relu6(w, 1))
show([v.name for v in tf.get_collection("model_variables")], [v.name for v in tf.trainable_variables()])
show([t.name for t in tf.get_collection("update_ops")], tf.losses.get_regularization_losses(), tf.get_collection("out"))
# --- sharing
layers = tf.contrib.layers
x = tf.placeholder(tf.float32, [None, 3])
a = layers.fully_connected(x, 4, scope="fc")
b = layers.fully_connected(x, 4, scope="fc", reuse=True)
show(b.name, [v.name for v in tf.contrib.framework.get_model_variables()])
# --- the same name twice
x = tf.placeholder(tf.float32, [None, 3])
tf.contrib.layers.fully_connected(x, 4, scope="fc", reuse=True)
# --- a size that is no int
tf.contrib.layers.fully_connected(tf.ones([2, 3]), 3.5)
# --- a format that is not known
tf.contrib.layers.conv2d(tf.ones([1, 4, 4, 1]), 4, 3, data_format="foo")
# --- a rank that does not fit
tf.contrib.layers.conv2d(tf.ones([1, 4]), 4, 3)
# --- convolutions
layers = tf.contrib.layers
x = tf.placeholder(tf.float32, [None, 8, 8, 3])
show(layers.conv2d(x, 4, 3), layers.conv2d(x, 4, [3, 3], stride=2, padding="VALID", normalizer_fn=layers.batch_norm))
show(layers.conv2d_transpose(x, 4, 3, stride=2), layers.separable_conv2d(x, 4, 3, depth_multiplier=1))
show(layers.separable_conv2d(x, None, 3, depth_multiplier=2), layers.max_pool2d(x, 2), layers.avg_pool2d(x, 2, scope="pp"))
show(layers.dropout(x), layers.dropout(x, is_training=False), layers.flatten(x), layers.bias_add(x))
show(layers.layer_norm(x), layers.instance_norm(x), layers.batch_norm(x), layers.batch_norm(layers.flatten(x)))
show([v.name for v in tf.get_collection("model_variables")], [v.name for v in tf.trainable_variables()])
show([t.name for t in tf.get_collection("update_ops")])
# --- repeat, stack and others
layers = tf.contrib.layers
x = tf.placeholder(tf.float32, [None, 8, 8, 3])
show(layers.repeat(x, 2, layers.conv2d, 3, [3, 3], scope="conv1"), layers.stack(layers.flatten(x), layers.fully_connected, [3, 4]))
show(layers.stack(layers.flatten(x), layers.fully_connected, [3, 4], scope="core/fc"))
show(layers.one_hot_encoding(tf.constant([1, 2]), 3), layers.embed_sequence(tf.constant([[1, 2]]), 5, 4))
show(layers.softmax(layers.flatten(x)), layers.maxout(layers.flatten(x), 4), layers.unit_norm(x, 3))
show([v.name for v in tf.get_collection("model_variables")])
# --- argument scopes
slim = tf.contrib.slim
x = tf.placeholder(tf.float32, [None, 8, 8, 3])
with slim.arg_scope([slim.conv2d, slim.fully_connected], activation_fn=tf.nn.elu, weights_regularizer=slim.l2_regularizer(0.0005)):
    with slim.arg_scope([slim.conv2d], padding="VALID") as scope:
        a = slim.conv2d(x, 4, [3, 3], scope="a")
        b = slim.conv2d(a, 4, [3, 3], padding="SAME", scope="b")
    c = slim.fully_connected(slim.flatten(b), 2, activation_fn=None)
with slim.arg_scope(scope):
    d = slim.conv2d(x, 4, [3, 3], scope="c")
show(a, b, c, d, tf.losses.get_regularization_losses(), [v.name for v in slim.get_model_variables()])
# --- functions of one's own in argument scopes
slim = tf.contrib.slim
@slim.add_arg_scope
def pair(a, b=2):
    return a, b
with slim.arg_scope([pair], b=5):
    show(pair(1), pair(1, b=3), pair(1, 4) if False else None)
show(pair(1), slim.arg_scoped_arguments(pair), slim.has_arg_scope(pair))
# --- a scope that is none
tf.contrib.slim.arg_scope(3).__enter__()
# --- a scope with arguments
tf.contrib.slim.arg_scope({}, a=3).__enter__()
# --- regularizers
layers = tf.contrib.layers
w = tf.ones([2])
show(layers.l2_regularizer(0.0)(w), layers.l1_regularizer(0.5)(w), layers.l2_regularizer(0.5)(w), layers.l1_l2_regularizer(0.5, 0.5)(w))
show(layers.sum_regularizer([layers.l1_regularizer(0.5), layers.l2_regularizer(0.5)])(w))
v = tf.get_variable("v", [2], collections=["weights", "variables"])
show(layers.apply_regularization(layers.l2_regularizer(0.5)), tf.losses.get_regularization_losses())
# --- a negative weight of a regularizer
tf.contrib.layers.l2_regularizer(-1.0)
# --- an integer as weight of a regularizer
tf.contrib.layers.l2_regularizer(1)
# --- values
layers = tf.contrib.layers
x = tf.constant(np.cos(np.arange(96)).reshape(2, 4, 4, 3).astype(np.float32))
train = tf.placeholder_with_default(True, [])
found = [layers.batch_norm(x, decay=0.5), layers.batch_norm(x, decay=0.5, is_training=train, updates_collections=None, fused=False)]
found += [layers.batch_norm(tf.reshape(x, [2, 48]), decay=0.9, scale=True), layers.layer_norm(x), layers.instance_norm(x)]
found += [layers.group_norm(tf.tile(x, [1, 1, 1, 2]), groups=3), layers.unit_norm(x, 3), layers.maxout(x, 1)]
found += [layers.conv2d(x, 2, 3, weights_initializer=tf.constant_initializer(0.1)), layers.max_pool2d(x, 2)]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(found))
    sess.run(tf.get_collection("update_ops"))
    show(sess.run(tf.global_variables()))
# --- values of a checkpoint
import tempfile
slim = tf.contrib.slim
path = tempfile.mkdtemp() + "/m"
with tf.variable_scope("a"):
    v, w = slim.variable("v", [2], initializer=tf.ones_initializer()), slim.variable("w", [2, 2], initializer=tf.zeros_initializer())
x = slim.variable("x", [4], initializer=tf.zeros_initializer(), use_resource=True)
show(type(x).__name__)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run([tf.assign(v, [3.0, 4.0]), tf.assign(w, [[1.0, 2.0], [3.0, 4.0]])])
    tf.train.Saver([v, w]).save(sess, path)
    sess.run(tf.global_variables_initializer())
    op, feed = slim.assign_from_checkpoint(path, [v])
    sess.run(op, feed)
    show(sess.run([v, w]))
    slim.assign_from_checkpoint_fn(path, {"a/w": w})(sess)
    show(sess.run([v, w]), slim.assign_from_checkpoint_fn(path, [x], ignore_missing_vars=True))
    slim.assign_from_checkpoint_fn(path, {"a/w": x, "none": v}, ignore_missing_vars=True, reshape_variables=True)(sess)
    show(sess.run(x), [n for n, s in tf.contrib.framework.list_variables(path)], tf.contrib.framework.load_variable(path, "a/v"))
    show(slim.assign_from_checkpoint(path, {"none": v}, ignore_missing_vars=True)[1])
    slim.assign_from_checkpoint(path, [x])
# --- values of another shape
import tempfile
path = tempfile.mkdtemp() + "/m"
v, w = tf.get_variable("v", [2]), tf.get_variable("w", [3])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    tf.train.Saver([v]).save(sess, path)
    try:
        tf.contrib.framework.assign_from_checkpoint(path, {"v": w})
    except ValueError as error:
        show(str(error))
# --- summaries of gradients
w, b = tf.get_variable("w", initializer=[1.0, 2.0]), tf.get_variable("b", initializer=3.0)
unused = tf.get_variable("u", initializer=1.0)
loss = tf.reduce_sum(w * w) * b
for T in (tf.contrib.slim.learning, tf.contrib.training):
    op = T.create_train_op(loss, tf.train.GradientDescentOptimizer(0.1), summarize_gradients=True, aggregation_method=tf.AggregationMethod.ADD_N)
show([[t.op.name, t.op.type] for t in tf.get_collection(tf.GraphKeys.SUMMARIES)])
pairs = [(tf.constant([3.0, 4.0]), w), (None, unused)]
found = tf.contrib.training.add_gradients_summaries(pairs)
op = tf.contrib.training.create_train_op(loss, tf.train.GradientDescentOptimizer(1.0), transform_grads_fn=lambda pairs: [(g * 0.5, v) for g, v in pairs if g is not None])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(len(found), tf.Summary.FromString(sess.run(found[1])).value[0].simple_value)
    sess.run(op)
    show(sess.run([w, b]))
# --- plain variables
F = tf.contrib.framework
a, b = F.local_variable([1.0]), F.global_variable(tf.placeholder_with_default([1.0], [None]), validate_shape=False, use_resource=False)
show(type(a).__name__, b.shape, tf.local_variables() == [a], tf.global_variables() == [b], tf.trainable_variables())
show(type(F.local_variable([1.0], use_resource=True)).__name__)
# --- summaries of a loss
w = tf.get_variable("w", initializer=[1.0, 2.0])
for kinds in (["gradient_norm"], ["global_gradient_norm", "gradients"], ["loss", "learning_rate"], None):
    for clip in (None, 1.0):
        with tf.variable_scope(None, "s"):
            tf.contrib.layers.optimize_loss(tf.reduce_sum(w * w), tf.train.get_or_create_global_step(), 0.1, "SGD", clip_gradients=clip, summaries=kinds)
show([[t.op.name, t.op.type] for t in tf.get_collection(tf.GraphKeys.SUMMARIES)])
# --- the values of layers
layers = tf.contrib.layers
ramp = tf.reshape(tf.range(48, dtype=tf.float32), [2, 4, 3, 2]) % 7. - 2.
start = {"beta": tf.constant_initializer(0.5), "gamma": tf.constant_initializer([2., -1.])}
found = [
    layers.layer_norm(ramp), layers.layer_norm(ramp, begin_norm_axis=2, begin_params_axis=-2),
    layers.instance_norm(ramp, param_initializers=start), layers.instance_norm(ramp, data_format="NCHW", epsilon=0.1),
    layers.group_norm(ramp, groups=2, param_initializers=start), layers.group_norm(ramp, groups=2, channels_axis=1, reduction_axes=(-2, -1), center=False),
    layers.spatial_softmax(ramp), layers.spatial_softmax(ramp, temperature=0.5, data_format="NCHW"),
    layers.maxout(ramp, 2, axis=1), layers.unit_norm(ramp, 3, epsilon=0.1), layers.softmax(ramp),
    layers.images_to_sequence(ramp), layers.sequence_to_images(layers.images_to_sequence(ramp), 4),
    layers.bias_add(ramp, initializer=tf.constant_initializer([1., 2.]), activation_fn=tf.nn.relu),
    layers.one_hot_encoding(tf.constant([1, 0]), 3, on_value=2., off_value=-1.),
    layers.batch_norm(ramp, param_initializers=start, scale=True), layers.batch_norm(ramp, is_training=False, scale=True, param_initializers=start),
    layers.batch_norm(ramp, batch_weights=[1., 3.], epsilon=0.01), layers.batch_norm(ramp, fused=False, data_format="NCHW"),
    layers.batch_norm(ramp, zero_debias_moving_mean=True, updates_collections=None, decay=0.5),
    layers.avg_pool2d(ramp, 2), layers.max_pool2d(ramp, [3, 2], stride=1, padding="SAME"),
]
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for value in session.run(found):
        show(value)
    show(session.run(tf.get_collection("update_ops")))
    show([v for v in session.run([v for v in tf.global_variables() if "moving" in v.name or "biased" in v.name or "local_step" in v.name])])
# --- words, and words that are padding
layers = tf.contrib.layers
ids = tf.constant([[0, 1, 2], [0, 0, 3], [1, 1, 1]])
table = tf.constant_initializer(np.arange(12.).reshape(4, 3))
found = [
    layers.bow_encoder(ids, 4, 3, initializer=table), layers.bow_encoder(ids, 4, 3, sparse_lookup=False, initializer=table),
    layers.bow_encoder(layers.dense_to_sparse(ids, eos_token=2), 4, 3, initializer=table),
    layers.embed_sequence(ids, 4, 3, initializer=table), layers.embed_sequence(ids, 4, 3, unique=True, initializer=table),
    layers.dense_to_sparse(ids),
]
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for value in session.run(found):
        show(value)
# --- penalties
layers = tf.contrib.layers
weights = tf.constant([1., -2., 3.])
both = layers.l1_l2_regularizer(0.1, 0.2)
losses = [layers.l1_regularizer(0.1)(weights, name="mine"), layers.l2_regularizer(0.1)(weights), both(weights), layers.sum_regularizer([None, both])(weights)]
show(losses, layers.l1_regularizer(0.)(weights), layers.sum_regularizer([None]), layers.sum_regularizer([]))
show(layers.apply_regularization(layers.l2_regularizer(0.5), [tf.Variable([2., 3.])]), tf.losses.get_regularization_losses())
with tf.Session() as session:
    show(session.run(losses))
# --- a penalty of whole numbers
tf.contrib.layers.l2_regularizer(1)
# --- a penalty below zero
tf.contrib.layers.l1_regularizer(-0.5)
