# --- making variables
show(tfe.Variable(5.0), tfe.Variable(5.0, name="weight"), tfe.Variable([[1.0]]))
show(tfe.Variable(initial_value=1.0, name="vx"), tf.Variable([1, 2]))

# --- kinds of initial values
show(
    tfe.Variable(lambda: tf.ones([2])),
    tfe.Variable(np.array([1.0])),
    tfe.Variable(True),
)
show(tfe.Variable("a"), tfe.Variable(1, dtype=tf.float64), tfe.Variable(tf.constant(2)))

# --- no initial value
tfe.Variable()

# --- names
v, w = tfe.Variable(1.0), tfe.Variable(2.0)
show(
    v.name, w.name, tfe.Variable(1.0, name="a").name, tfe.Variable(1.0, name="a/b").name
)
with tf.name_scope("s"):
    show(tfe.Variable(1.0, name="c").name)

# --- facts
v = tfe.Variable([[1.0, 2.0]], name="v")
show(
    v.shape,
    v.dtype,
    v.name,
    v.numpy(),
    v.trainable,
    v.get_shape(),
    v.dtype == tf.float32,
)
show(tfe.Variable(1.0, trainable=False).trainable, v.device, isinstance(v, tf.Variable))

# --- printing
show(tfe.Variable(2.0), tfe.Variable([1, 2]), tfe.Variable([[1.0, 2.0], [3.0, 4.0]]))
show(str(tfe.Variable(2.0)), "{}".format(tfe.Variable(2.0)))

# --- reading
v = tfe.Variable([1.0, 2.0])
show(
    v.value(),
    v.read_value(),
    v + 0.0,
    tf.convert_to_tensor(v),
    tf.identity(v),
    v.numpy(),
)

# --- a read is a snapshot
v = tfe.Variable(1.0)
x, y = v.value(), v.read_value()
v.assign(5.0)
show(x, y, v)

# --- assigning | the variable itself, not an UnreadVariable
v = tfe.Variable([1.0, 2.0])
show(v.assign([3.0, 4.0]), v.assign_add([1.0, 1.0]), v.assign_sub([2.0, 2.0]), v)

# --- what assign returns | the variable itself, not an UnreadVariable
v = tfe.Variable(1.0)
show(
    v.assign(2.0) is v,
    v.assign(2.0, read_value=False),
    v.assign_add(1.0, read_value=False),
)

# --- tf.assign | the variable itself, not an UnreadVariable
v = tfe.Variable(1.0)
show(tf.assign(v, 2.0), tf.assign_add(v, 1.0), tf.assign_sub(v, 5.0), v)

# --- a value of another shape
v = tfe.Variable([1.0, 2.0])
v.assign([1.0, 2.0, 3.0])

# --- a value of another dtype
v = tfe.Variable([1.0, 2.0])
v.assign(tf.constant([1, 2]))

# --- a python int for a float variable | the variable itself
v = tfe.Variable(1.0)
show(v.assign(3), v.assign_add(2))

# --- a float for an int variable | an error, not a cut
v = tfe.Variable(1)
v.assign(2.5)

# --- operators
v = tfe.Variable([1.0, 2.0])
w = tfe.Variable([3.0, 4.0])
show(v + 1.0, 1.0 + v, v * w, v / w, w // v, w % v, v**2.0, 2.0**v, -v, abs(-v), v - w)
show(
    v < w,
    v >= w,
    v[0],
    v[1:],
    v @ tf.ones([2, 2]) if False else tf.matmul([v], [[1.0], [1.0]]),
)

# --- operators with ndarrays
v = tfe.Variable([1.0, 2.0])
a = np.array([1.0, 1.0], np.float32)
show(v + a, v * a)

# --- rebinding is not assigning
v = tfe.Variable(1.0)
w = v
v += 1.0
show(type(v).__name__ == type(w).__name__, w)

# --- equality is identity
v, w = tfe.Variable(1.0), tfe.Variable(1.0)
show(v == v, v == w, len({v: 1, w: 2}), v in [w, v], hash(v) == hash(v))

# --- bool
v = tfe.Variable(True)
show(bool(v))

# --- int and float
show(int(tfe.Variable(3)))

# --- iteration
iter(tfe.Variable([1.0]))

# --- item assignment
v = tfe.Variable([1.0, 2.0])
v[0] = 3.0

# --- slices are assigned
v = tfe.Variable([[1.0, 2.0], [3.0, 4.0]])
v[0].assign([10.0, 20.0])
show(v)
v[:, 1].assign([7.0, 8.0])
show(v)

# --- scatter functions
v = tfe.Variable([1.0, 2.0, 3.0])
tf.scatter_update(v, [0], [10.0])
show(v)
tf.scatter_add(v, [0, 0], [1.0, 2.0])
show(v)
tf.scatter_sub(v, [1], [1.0])
show(v)

# --- scatter out of range
v = tfe.Variable([1.0, 2.0, 3.0])
tf.scatter_update(v, [5], [10.0])

# --- scatter_nd functions
v = tfe.Variable([1.0, 2.0, 3.0])
tf.scatter_nd_update(v, [[0], [2]], [10.0, 30.0])
show(v)
tf.scatter_nd_add(v, [[1]], [0.5])
show(v)

# --- sparse_read
v = tfe.Variable([[1.0], [2.0], [3.0]])
show(v.sparse_read([2, 0]))

# --- load
v = tfe.Variable(1.0)
v.load(3.0)

# --- initialisation in eager mode
v = tfe.Variable(1.0)
show(v.is_initialized(), v.initializer, v.constraint)

# --- the initial value in eager mode
tfe.Variable(1.0).initial_value

# --- the op in eager mode
tfe.Variable(1.0).op

# --- eval in eager mode
tfe.Variable(1.0).eval()

# --- count_up_to
v = tfe.Variable(0)
show(v.count_up_to(2), v.count_up_to(2), v)

# --- count_up_to the end
v = tfe.Variable(2)
v.count_up_to(2)

# --- deep copies
import copy

v = tfe.Variable([1.0], name="v")
w = copy.deepcopy(v)
w.assign([5.0])
show(v, w, w.name)

# --- constraints are kept
f = lambda x: x
show(tfe.Variable(1.0, constraint=f).constraint is f)

# --- a constraint that is no function
tfe.Variable(1.0, constraint=3)

# --- get_variable makes two variables
a = tf.get_variable("a", [2], initializer=tf.zeros_initializer())
b = tf.get_variable("a", [2], initializer=tf.ones_initializer())
show(a, b, a.name, b.name)

# --- get_variable in scopes
with tf.variable_scope("s"):
    a = tf.get_variable("a", shape=(), initializer=tf.constant_initializer(3.0))
    with tf.variable_scope("t"):
        b = tf.get_variable("b", initializer=tf.constant([1.0, 2.0]))
show(a, b, a.name, b.name)

# --- a variable store shares
store = tfe.EagerVariableStore()
with store.as_default():
    a = tf.get_variable("a", [1], initializer=tf.zeros_initializer())
    with tf.variable_scope(tf.get_variable_scope(), reuse=True):
        b = tf.get_variable("a", [1])
show(a is b, [v.name for v in store.variables()])

# --- variables hold integers and strings
i, s = tfe.Variable([1, 2]), tfe.Variable(["a", "b"])
i.assign_add([1, 1])
s.assign(["c", "d"])
show(i, s)

# --- gradients through assigned values
v = tfe.Variable(2.0)
with tf.GradientTape() as tape:
    y = v * v
    v.assign(10.0)
    z = y * v
show(z, tape.gradient(z, v))

# --- variables in lists become tensors
v, w = tfe.Variable(1.0), tfe.Variable(2.0)
show(
    tf.stack([v, w]),
    tf.add_n([v, w]),
    tf.concat([[v], [w]], 0),
    tf.reduce_sum([v, w, 3.0]),
)

# --- uninitialised values of large variables
v = tfe.Variable(tf.zeros([3, 0]))
show(v)

# --- an update inside a condition
v = tfe.Variable(1.0)
tf.cond(tf.constant(True), lambda: v.assign(5.0), lambda: v.assign(6.0))
show(v)
