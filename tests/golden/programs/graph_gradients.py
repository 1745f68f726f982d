# --- names of gradients
x = tf.placeholder(tf.float32, [2, 3], name="x")
w = tf.constant(np.ones((3, 2), np.float32), name="w")
b = tf.constant([1.0, 2.0], name="b")
y = tf.nn.relu(tf.matmul(x, w) + b)
loss = tf.reduce_mean(tf.square(y))
show(tf.gradients(loss, [x, w, b]), tf.gradients(loss, w), tf.gradients(y, x, name="named"))
# --- names of gradients of elementwise ops
x = tf.placeholder(tf.float32, [3], name="x")
y = tf.placeholder(tf.float32, [3], name="y")
fs = [tf.exp, tf.log, tf.sin, tf.cos, tf.tanh, tf.sigmoid, tf.sqrt, tf.square, tf.abs, tf.negative, tf.nn.relu, tf.nn.elu, tf.nn.softplus, tf.reciprocal, tf.rsqrt, tf.nn.softmax, tf.nn.log_softmax]
show([tf.gradients(f(x), x)[0] for f in fs])
gs = [tf.add, tf.subtract, tf.multiply, tf.divide, tf.pow, tf.maximum, tf.minimum, tf.squared_difference]
show([tf.gradients(g(x, y), [x, y]) for g in gs])
# --- names of gradients of shape ops
x = tf.placeholder(tf.float32, [3, 4], name="x")
fs = [
    lambda: tf.reshape(x, [4, 3]), lambda: tf.transpose(x), lambda: tf.expand_dims(x, 0), lambda: x[1], lambda: x[:, 1:3],
    lambda: tf.concat([x, x], 0), lambda: tf.tile(x, [2, 1]), lambda: tf.reduce_sum(x), lambda: tf.reduce_mean(x, 0),
    lambda: tf.reduce_max(x, 1), lambda: tf.pad(x, [[1, 1], [0, 0]]), lambda: tf.cast(x, tf.float64), lambda: tf.stack([x, x]),
    lambda: tf.split(x, 2, 1)[0], lambda: tf.unstack(x)[1], lambda: tf.identity(x), lambda: tf.where(x > 0.0, x, -x),
]
show([tf.gradients(f(), x)[0] for f in fs])
# --- values of gradients
x = tf.constant([1.0, 2.0, 3.0])
y = tf.constant([4.0, 5.0, 6.0])
z = x * x * y + tf.exp(y) / x
with tf.Session() as sess:
    show(sess.run(tf.gradients(z, [x, y])), sess.run(tf.gradients([z, x], [x, y])), sess.run(tf.gradients(z, z)))
# --- grad_ys
x = tf.constant([1.0, 2.0])
y, z = x * 2.0, x * 3.0
with tf.Session() as sess:
    show(sess.run(tf.gradients(y, x, grad_ys=[tf.constant([10.0, 20.0])])))
    show(sess.run(tf.gradients([y, z], x, grad_ys=[None, tf.constant([10.0, 20.0])])))
    show(sess.run(tf.gradients([y, z], [x], [tf.constant([1.0, 1.0]), [10.0, 20.0]])))
# --- stop_gradients
x = tf.constant(2.0)
a = x * 3.0
b = a * x
with tf.Session() as sess:
    show(sess.run(tf.gradients(a + b, [x, a])), sess.run(tf.gradients(a + b, [x, a], stop_gradients=[a])))
    show(sess.run(tf.gradients(a + b, [x, a, b], stop_gradients=[x, a, b])))
    show(sess.run(tf.gradients(tf.stop_gradient(a) * x, x)))
# --- unconnected gradients
x, y = tf.constant(2.0), tf.constant([3.0, 4.0])
show(tf.gradients(x * 2.0, [x, y]), tf.gradients(x, y), tf.gradients(tf.stop_gradient(y), y))
g = tf.gradients(x * 2.0, [x, y], unconnected_gradients=tf.UnconnectedGradients.ZERO) if hasattr(tf, "UnconnectedGradients") else None
show(g)
# --- gradients of integers
x = tf.constant([1, 2])
f = tf.constant([1.0, 2.0])
show(tf.gradients(x * x, x), tf.gradients(tf.cast(x, tf.float32) * f, [x, f]), tf.gradients(tf.cast(f, tf.int32), f))
# --- gradients through argmax and comparisons
x = tf.constant([1.0, 2.0])
show(tf.gradients(tf.argmax(x), x), tf.gradients(tf.cast(x > 1.0, tf.float32), x), tf.gradients(tf.floor(x), x), tf.gradients(tf.sign(x), x), tf.gradients(tf.round(x), x))
# --- gradients of lists and tensors
x, y = tf.constant(2.0), tf.constant(3.0)
show(len(tf.gradients(x * y, (x, y))), type(tf.gradients(x * y, (x, y))).__name__, tf.gradients([x * y, x], [y]))
# --- gradients aggregated
x = tf.constant(2.0, name="x")
y = x * x + x * 3.0 + tf.exp(x)
show(tf.gradients(y, x), tf.gradients(y, x, gate_gradients=True))
tree = tf.gradients(y, x, aggregation_method=tf.AggregationMethod.EXPERIMENTAL_TREE)
with tf.Session() as sess:
    show(sess.run([tree, tf.gradients(y, x)]))
# --- gradients of gather are slices
v = tf.get_variable("v", initializer=np.arange(6, dtype=np.float32).reshape(3, 2))
e = tf.nn.embedding_lookup(v, [2, 0, 2])
(g,) = tf.gradients(e * e, v)
show(type(g).__name__, g.indices.dtype, g.values.shape)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(g), sess.run(tf.convert_to_tensor(g)))
# --- slices of two gathers
v = tf.get_variable("v", initializer=np.arange(6, dtype=np.float32).reshape(3, 2))
(g,) = tf.gradients(tf.reduce_sum(tf.gather(v, [0, 1])) + tf.reduce_sum(tf.gather(v, 2) * 2.0), v)
(h,) = tf.gradients(tf.reduce_sum(tf.gather(v, [0, 1])) + tf.reduce_sum(v), v)
h = tf.convert_to_tensor(h)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(g), sess.run(h))
# --- gradients of cond
x = tf.placeholder(tf.float32, [])
y = tf.cond(x > 0.0, lambda: x * x * x, lambda: -2.0 * x)
(g,) = tf.gradients(y, x)
with tf.Session() as sess:
    show(sess.run(g, {x: 3.0}), sess.run(g, {x: -3.0}))
# --- gradients of while
x = tf.placeholder(tf.float32, [])
n = tf.placeholder(tf.int32, [])
_, y = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * x), [0, x])
(g,) = tf.gradients(y, x)
with tf.Session() as sess:
    show(sess.run(g, {x: 3.0, n: 2}), sess.run(g, {x: 3.0, n: 0}), sess.run(g, {x: 2.0, n: 5}))
# --- gradients of variables in loops
w = tf.get_variable("w", initializer=[[0.5, 0.1], [0.2, 0.3]])
_, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.tanh(tf.matmul(y, w))), [0, tf.ones([1, 2])])
(g,) = tf.gradients(y, w)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run([y, g]))
# --- hessians
x = tf.constant([1.0, 2.0, 3.0])
h = tf.hessians(tf.reduce_prod(x), x)
show(h)
with tf.Session() as sess:
    show(sess.run(h))
# --- gradient override
@tf.RegisterGradient("TenTimes")
def _ten_times(op, grad):
    return 10.0 * grad
x = tf.constant([1.0, -2.0])
with tf.get_default_graph().gradient_override_map({"Identity": "TenTimes", "Relu": "TenTimes"}):
    y = tf.identity(x)
    z = tf.nn.relu(x)
w = tf.nn.relu(x)
with tf.Session() as sess:
    show(sess.run([tf.gradients(t, x)[0] for t in (y, z, w)]))
# --- registering a gradient twice
@tf.RegisterGradient("Twice")
def _one(op, grad):
    return grad
try:
    tf.RegisterGradient("Twice")(_one)
except KeyError as error:
    show(str(error)[:45])
# --- an override that is missing
x = tf.constant(1.0)
with tf.get_default_graph().gradient_override_map({"Identity": "NotThere"}):
    y = tf.identity(x)
tf.gradients(y, x)
# --- not differentiable ops
tf.NotDifferentiable("MyOp")
tf.NoGradient("MyOtherOp")
x = tf.constant([1.0, 2.0])
show(tf.gradients(tf.cast(tf.shape(x), tf.float32), x), tf.gradients(tf.zeros_like(x) * x, x)[0].shape)
# --- custom gradient
@tf.custom_gradient
def clipped(x):
    def grad(dy):
        return tf.clip_by_value(dy, -0.1, 0.1)
    return tf.identity(x), grad
x = tf.constant([1.0, 2.0])
(g,) = tf.gradients(clipped(x) * 5.0, x)
with tf.Session() as sess:
    show(sess.run([clipped(x), g]))
# --- tape in a graph
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
g = tape.gradient(y, x)
show(y, g.shape)
with tf.Session() as sess:
    show(sess.run(g))
# --- gradients of something else
tf.gradients(3.0, tf.constant(1.0))
# --- gradients for nothing
show(tf.gradients(tf.constant(1.0), []))
# --- gradients with as many grad_ys
x = tf.constant(1.0)
tf.gradients([x * 1.0, x * 2.0], x, grad_ys=[tf.constant(1.0)])
# --- gradients with grad_ys of another type
x = tf.constant(1.0)
tf.gradients(x * 1.0, x, grad_ys=[tf.constant(1)])
# --- gradients with grad_ys of another shape
x = tf.constant([1.0, 2.0])
tf.gradients(x * 1.0, x, grad_ys=[tf.constant([1.0, 2.0, 3.0])])
# --- gradients of an op without any
x = tf.constant([1.0, 2.0])
y = tf.py_func(lambda a: a, [x], tf.float32)
show(tf.gradients(y, x))
# --- gradients with an unknown name
x = tf.constant([1.0, 2.0])
y = tf.nn.top_k(x, 2)
show(tf.gradients(y.values, x)[0].shape, tf.gradients(tf.cast(y.indices, tf.float32), x))
# --- clip gradients
x = tf.constant([3.0, 4.0])
clipped, norm = tf.clip_by_global_norm([x, None, x * 2.0], 5.0, use_norm=tf.constant(2.0))
show(norm, [None if t is None else t for t in clipped])
clipped, norm = tf.clip_by_global_norm([x, None, x * 2.0], 5.0)
show(clipped[0].shape, clipped[1], norm)
with tf.Session() as sess:
    show(sess.run([clipped[0], clipped[2], norm, tf.global_norm([x, None]), tf.clip_by_norm(x, 1.0), tf.clip_by_average_norm(x, 1.0)]))
# --- losses and regularisation
x = tf.constant([[1.0, 2.0]])
loss = tf.losses.mean_squared_error([[0.0, 0.0]], x)
other = tf.losses.absolute_difference([[0.0, 0.0]], x, weights=2.0)
reg = lambda w: 0.1 * tf.nn.l2_loss(w)
w = tf.get_variable("w", initializer=[1.0, 2.0], regularizer=reg)
show(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES), tf.losses.get_regularization_losses(), tf.losses.get_regularization_loss())
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run([loss, other, tf.losses.get_total_loss(), tf.losses.get_total_loss(False), tf.nn.l2_loss(x)]))
# --- rows read in a branch
v = tf.get_variable("v", initializer=[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
p = tf.placeholder(tf.bool, [])
y = tf.cond(p, lambda: tf.reduce_sum(tf.gather(v, [1, 1]) * 3.0), lambda: tf.reduce_sum(v))
(g,) = tf.gradients(y, v)
show(type(g).__name__)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(tf.convert_to_tensor(g), {p: True}), sess.run(tf.convert_to_tensor(g), {p: False}))
# --- rows read in a loop
v = tf.get_variable("v", initializer=[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
n = tf.placeholder(tf.int32, [])
_, y = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y + tf.reduce_sum(tf.gather(v, [i, 2]) * tf.cast(i, tf.float32))), [0, 0.0])
(g,) = tf.gradients(y, v)
show(type(g).__name__)
train = tf.train.GradientDescentOptimizer(0.1).apply_gradients([(g, v)])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(tf.convert_to_tensor(g), {n: 3}))
    sess.run(train, {n: 2})
    show(sess.run(v))
