# --- gradients of other ops
g = tf.get_default_graph()
c = tf.constant([2.0, -3.0])
with g.gradient_override_map({"Sign": "Identity"}):
    sign = tf.sign(c)
with g.gradient_override_map({"Floor": "Relu"}):
    floor = tf.floor(c)
with g.gradient_override_map({"Relu": "Tanh"}):
    relu = tf.nn.relu(c)
with g.gradient_override_map({"Relu": "Shape"}):
    none = tf.nn.relu(c)
with tf.Session() as sess:
    show(sess.run([tf.gradients(3.0 * y, c) for y in (sign, floor, relu)]), tf.gradients(none, c))
with g.gradient_override_map({"Sign": "NeverHeardOf"}):
    y = tf.sign(c)
tf.gradients(y, c)
# --- slots in scopes
with tf.variable_scope("net"):
    w = tf.get_variable("w", [2])
with tf.name_scope("plain"):
    tf.train.AdamOptimizer().minimize(tf.reduce_sum(w))
with tf.variable_scope("train"):
    tf.train.AdamOptimizer().minimize(tf.reduce_sum(w))
    tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(w))
show([v.name for v in tf.global_variables()])
# --- slices with bounds that are tensors in lists
i = tf.constant(1)
d = tf.reshape(tf.range(12), [3, 4])
x = tf.strided_slice(d, [0, i * 2], [3, (i + 1) * 2])
with tf.Session() as sess:
    show(sess.run(x), tf.strided_slice(d, [0, 1], [2, 3]).shape)
# --- sums of what has an unknown rank
x = tf.placeholder(tf.float32)
show(tf.reduce_sum(x), tf.reduce_mean(x, keepdims=True), tf.reduce_max(x, axis=0))
# --- a group with another keyword
tf.group(tf.constant(1), control=3)
# --- collections in their order
v = tf.Variable(1.0)
show(tf.get_default_graph().get_all_collection_keys())
