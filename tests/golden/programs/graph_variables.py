# --- a reference variable
v = tf.Variable([1.0, 2.0], name="v")
show(v, v.name, v.op.name, v.op.type, v.shape, v.get_shape(), v.device, v.trainable)
show(v.dtype, v.dtype.base_dtype, v.dtype.name, v.dtype._is_ref_dtype)
show(v.dtype == tf.float32, tf.float32.is_compatible_with(v.dtype), v.constraint)
show(v.initializer, v.initial_value, v.value(), v.read_value(), v._ref())
show(isinstance(v, tf.Variable), type(v).__name__, v._shared_name)
show([(n.name, n.type) for n in tf.get_default_graph().get_operations()])

# --- a resource variable
u = tf.Variable([1.0, 2.0], name="u", use_resource=True)
show(u, u.name, u.op.name, u.op.type, u.dtype, u.handle, type(u).__name__)
show(u.initializer, u.initial_value, u.value(), u.read_value(), u + 1.0)
show(isinstance(u, tf.Variable), isinstance(u, tfe.Variable))
show([(n.name, n.type) for n in tf.get_default_graph().get_operations()])

# --- initial values
a = tf.Variable(lambda: tf.zeros([2]), name="a")
b = tf.Variable(np.arange(3), name="b")
c = tf.Variable("text", name="c")
d = tf.Variable(True, dtype=tf.bool)
e = tf.Variable(tf.ones([2, 1]))
show(a, b, c, d, e)
show([n.name for n in tf.get_default_graph().get_operations()])

# --- names
show(tf.Variable(1.0), tf.Variable(2.0), tf.Variable(3.0, name="w"))
with tf.name_scope("s"):
    show(tf.Variable(1.0), tf.Variable(2.0, name="w"), tf.get_variable("g", [1]))
with tf.variable_scope("vs"):
    show(tf.Variable(1.0), tf.get_variable("g", [1]))
    with tf.name_scope("n"):
        show(tf.Variable(1.0), tf.get_variable("h", [1]))

# --- which kind
with tf.variable_scope("r", use_resource=True):
    show(tf.Variable(1.0), tf.get_variable("g", [1]))
    show(tf.Variable(1.0, use_resource=False))
show(tf.get_variable("h", [1], use_resource=True), tf.get_variable("i", [1]))
tf.enable_resource_variables()
show(tf.Variable(1.0), tf.get_variable("j", [1]))
tf.disable_resource_variables()
show(tf.Variable(1.0), tfe.Variable(1.0), tf.get_local_variable("l", [1]))

# --- assigning
v = tf.Variable([1.0, 2.0], name="v")
ops = [v.assign([3.0, 4.0]), v.assign_add([1.0, 1.0]), v.assign_sub([5.0, 5.0])]
ops += [tf.assign(v, [7.0, 8.0], name="mine"), tf.assign_add(v, [1.0, 1.0])]
show(*ops)
show(v.assign([3.0, 4.0], read_value=False), v.assign(v, name="same").op.name)
with tf.Session() as sess:
    sess.run(v.initializer)
    for op in ops:
        show(sess.run(op), sess.run(v))

# --- assigning to a resource variable
u = tf.Variable([1.0, 2.0], use_resource=True)
a, b = u.assign([3.0, 4.0]), tf.assign_add(u, [1.0, 1.0])
show(a, b, u.assign_sub([1.0, 1.0], read_value=False), a + 1.0)
with tf.Session() as sess:
    sess.run(u.initializer)
    show(sess.run(a), sess.run(b), sess.run(u), sess.run(a + 1.0))

# --- a reference is read when its consumer runs
v = tf.Variable(1.0)
r, i, a = v.read_value(), tf.identity(v), v.assign_add(10.0)
with tf.Session() as sess:
    sess.run(v.initializer)
    show(sess.run([r, i, v, a, v.value()]))

# --- after an assignment
v = tf.Variable(1.0)
with tf.control_dependencies([v.assign(5.0)]):
    x, y, z = v + 1.0, v.read_value() * 2.0, tf.identity(v)
with tf.Session() as sess:
    sess.run(v.initializer)
    show(sess.run(x), sess.run(y), sess.run(z), sess.run(tf.assign(v, 7.0) + 1.0))

# --- one assignment after another
v = tf.Variable(2.0)
first = tf.assign(v, 3.0)
with tf.control_dependencies([first]):
    second = tf.assign_add(v, 4.0)
with tf.control_dependencies([second]):
    third = tf.assign(v, v * 2.0)
with tf.Session() as sess:
    sess.run(v.initializer)
    show(sess.run(third), sess.run(v), sess.run([first, second, third]))

# --- the value before is not kept
n = tf.Variable(0.0)
old, new = tf.identity(n), n.assign_add(1.0)
with tf.Session() as sess:
    sess.run(n.initializer)
    show(sess.run(new - old), sess.run(n))

# --- feeding variables
v = tf.Variable(1.0)
with tf.Session() as sess:
    sess.run(v.initializer)
    show(sess.run(v + 1.0, {v: 5.0}), sess.run(v * 2.0, {v.value(): 7.0}))
    show(sess.run(v, {v: 3.0}), sess.run(v))

# --- loading and evaluating
v = tf.Variable([1.0, 2.0])
with tf.Session() as sess:
    v.load([3.0, 4.0])
    show(v.eval(), v.value().eval(), v.read_value().eval(), sess.run(v[1]))

# --- no value yet
v = tf.Variable([1.0, 2.0], name="v")
things = [v, v.value(), v + 1.0, v.read_value(), v.assign_add([1.0, 1.0]), v[0]]
things += [tf.scatter_add(v, [0], [1.0]), v[0].assign(2.0), v._ref() * 2.0]
things += [tf.group(v.value(), name="g"), v.op]
with tf.Session() as sess:
    for thing in things:
        try:
            show(sess.run(thing))
        except tf.errors.FailedPreconditionError as error:
            show(str(error).split(" (defined")[0].split("}")[0])

# --- no value yet, of a resource variable
u = tf.Variable([1.0, 2.0], name="u", use_resource=True)
other = tf.Variable(1.0, use_resource=True)
with tf.Session() as sess:
    sess.run(other.initializer)
    for thing in [u, u + 1.0, u.assign_add([1.0, 1.0]), tf.scatter_add(u, [0], [1.0])]:
        try:
            sess.run(thing)
        except tf.errors.OpError as error:
            show(type(error).__name__, str(error).split(" (defined")[0])

# --- which have a value
v, u = tf.Variable(1.0, name="v"), tf.Variable(2.0, name="u", use_resource=True)
known = [tf.is_variable_initialized(v), tf.is_variable_initialized(u)]
missing = tf.report_uninitialized_variables()
show(known, tf.assert_variables_initialized([v]), missing.name)
with tf.Session() as sess:
    show(sess.run(known), sess.run(missing))
    sess.run(v.initializer)
    show(sess.run(known), sess.run(missing))
    sess.run(u.initializer)
    show(sess.run(missing), sess.run(tf.assert_variables_initialized()))

# --- initializers
show(tf.global_variables_initializer())
v, w = tf.Variable(1.0, name="v"), tf.Variable(2.0, name="w", trainable=False)
init = tf.global_variables_initializer()
show(init, [n.name for n in init.control_inputs])
show(tf.variables_initializer([w], name="mine"), tf.local_variables_initializer())
show(tf.global_variables(), tf.trainable_variables(), tf.get_collection("variables"))

# --- the first value of one depends on another
a = tf.Variable(tf.ones([2]), name="a")
b = tf.Variable(a + 1.0, name="b")
c = tf.Variable(a.initialized_value() * 3.0, name="c")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run([a, b, c]))
show([n.name for n in tf.get_default_graph().get_operations() if "_b_0" in n.name])
show(b.initializer.inputs[1])

# --- initialized_value
v = tf.Variable([1.0], name="v")
x = v.initialized_value()
with tf.Session() as sess:
    show(x, sess.run(x), sess.run(v.assign([4.0])), sess.run(x))

# --- shapes that do not fit
v = tf.Variable([1.0, 2.0])
for value in ([1.0, 2.0, 3.0], 1.0, [[1.0, 2.0]]):
    for assign in (tf.assign, tf.assign_add, tf.assign_sub):
        try:
            assign(v, value)
        except ValueError as error:
            show(str(error))

# --- shapes that do not fit when they run
v, p = tf.Variable([1.0, 2.0]), tf.placeholder(tf.float32)
with tf.Session() as sess:
    sess.run(v.initializer)
    for op in (tf.assign(v, p), tf.assign_add(v, p), tf.assign_sub(v, p)):
        try:
            sess.run(op, {p: [1.0, 2.0, 3.0]})
        except tf.errors.InvalidArgumentError as error:
            show(str(error).split("\n")[0])
    show(sess.run(v))

# --- a value of another dtype
v = tf.Variable([1.0, 2.0])
tf.assign(v, tf.constant([1, 2]))

# --- assigning to what is no variable
tf.assign(tf.constant(1.0), 2.0)

# --- other shapes
v = tf.Variable(tf.placeholder(tf.float32, [None]), validate_shape=False)
w = tf.Variable(1.0)
a = tf.assign(w, [1.0, 2.0], validate_shape=False)
show(v, v.shape, v.value(), a, w.shape)
with tf.Session() as sess:
    sess.run(w.initializer)
    show(sess.run(a), sess.run(w), sess.run(w.value()))

# --- an unknown shape
tf.Variable(tf.placeholder(tf.float32))

# --- set_shape
v = tf.Variable(tf.placeholder(tf.float32), validate_shape=False)
v.set_shape([2])
show(v, v.value())
v.set_shape([3])

# --- arguments that are refused
for make in (
    lambda: tf.Variable(),
    lambda: tf.Variable(1.0, collections="a"),
    lambda: tf.Variable(1.0, constraint=3),
    lambda: tf.Variable(
        1.0, trainable=True, synchronization=tf.VariableSynchronization.ON_READ
    ),
    lambda: iter(tf.Variable(1.0)),
):
    try:
        make()
    except (ValueError, TypeError) as error:
        show(type(error).__name__, str(error))

# --- scattering
v = tf.Variable([1.0, 2.0, 3.0], name="v")
rows = tf.IndexedSlices(tf.constant([5.0]), tf.constant([1]))
ops = [
    tf.scatter_update(v, [0], [9.0]),
    tf.scatter_add(v, [0, 0], [1.0, 2.0]),
    tf.scatter_sub(v, 2, 1.0),
    tf.scatter_mul(v, [1], [4.0]),
    tf.scatter_div(v, [1], [2.0]),
    tf.scatter_min(v, [0], [-1.0]),
    tf.scatter_max(v, [0], [10.0]),
    tf.scatter_nd_update(v, [[1]], [7.0]),
    tf.scatter_nd_add(v, [[1], [2]], [1.0, 1.0]),
    tf.scatter_nd_sub(v, [[0]], [1.0]),
    v.scatter_add(rows),
    v.scatter_sub(rows),
    v.scatter_update(rows),
    v.scatter_nd_add([[0]], [1.0]),
    v[1:].assign([0.0, 0.0]),
    v[0].assign(4.0),
]
with tf.Session() as sess:
    sess.run(v.initializer)
    for op in ops:
        show(op, sess.run(op))

# --- scattering out of range
v, i = tf.Variable([1.0, 2.0]), tf.placeholder(tf.int32)
with tf.Session() as sess:
    sess.run(v.initializer)
    for op in (tf.scatter_add(v, i, [1.0]), tf.scatter_nd_add(v, [i], [1.0])):
        try:
            sess.run(op, {i: [4]})
        except tf.errors.InvalidArgumentError as error:
            show(str(error).split("\n")[0])
    show(sess.run(v))

# --- counting
v = tf.Variable(0, name="v")
up = v.count_up_to(2)
with tf.Session() as sess:
    sess.run(v.initializer)
    show(up, sess.run(up), sess.run(up))
    try:
        sess.run(up)
    except tf.errors.OutOfRangeError as error:
        show(str(error).split(" (defined")[0])

# --- counting needs an integer
tf.count_up_to(tf.Variable(1.0), 3)

# --- inside a cond
p, v = tf.placeholder(tf.bool), tf.Variable(1.0, name="v")


def after():
    with tf.control_dependencies([v.assign_add(1.0)]):
        return v.read_value()


made = tf.cond(p, lambda: tf.Variable(lambda: 3.0, name="w") + 0.0, lambda: v + 0.0)
y = tf.cond(p, lambda: v.assign(20.0), lambda: v.assign_add(5.0))
z = tf.cond(p, after, lambda: tf.identity(v))
show([x.name for x in tf.global_variables()])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(made, {p: True}), sess.run(made, {p: False}))
    show(sess.run(y, {p: True}), sess.run(y, {p: False}), sess.run(v))
    show(sess.run(z, {p: True}), sess.run(z, {p: False}), sess.run(v))

# --- a first value from inside a cond
tf.cond(tf.placeholder(tf.bool), lambda: tf.Variable(tf.ones([])) + 0.0, lambda: 1.0)

# --- inside a loop
a, b = tf.Variable(0, name="a"), tf.Variable(0, name="b")


def body(i):
    with tf.control_dependencies([a.assign_add(1)]):
        more = tf.assign_add(b, a)
    with tf.control_dependencies([more]):
        return i + 1


def until(_):
    with tf.control_dependencies([tf.assign_add(a, 1), tf.assign_add(b, 1)]):
        return tf.identity(b)


first = tf.while_loop(lambda i: i < 10, body, [0], parallel_iterations=1)
second = tf.while_loop(lambda _: b < 60, until, [b], parallel_iterations=1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(first), sess.run([a, b]))
    show(sess.run(second), sess.run([a, b]))

# --- gradients
v, u = tf.Variable(3.0, name="v"), tf.Variable(4.0, name="u", use_resource=True)
y = v * v * u + v.read_value()
found = tf.gradients(y, [v, v._ref(), v.value(), u])
loop = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * v), [0, 1.0])[1]
branch = tf.cond(v > 1.0, lambda: v * v, lambda: v)
found += tf.gradients(loop, v) + tf.gradients(branch, v)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(found))

# --- gradients of rows
e = tf.Variable(tf.ones([4, 2]), name="e")
rows = tf.nn.embedding_lookup(e, [1, 2, 1])
grad = tf.gradients(rows, e)[0]
show(rows, type(grad).__name__)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run([grad.values, grad.indices]))

# --- in functions
v = tf.Variable(2.0, name="v")
made = []


@tfe.defun
def double():
    return v * 2.0


@tfe.defun
def with_own():
    if not made:
        made.append(tf.Variable(3.0, name="own"))
    return made[0] * 1.0


x, y = double(), with_own()
show(made, tf.gradients(x, v)[0] is not None)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run([x, y]), sess.run(v.assign(5.0)), sess.run([x, y]))

# --- training
w = tf.Variable([1.0, 2.0], name="w")
r = tf.Variable([1.0, 2.0], name="r", use_resource=True)
e = tf.Variable(tf.ones([3, 2]), name="e")
loss = tf.reduce_sum(w * r) + tf.reduce_sum(tf.gather(e, [0, 2, 0]))
step = tf.train.get_or_create_global_step()
show(step)
for opt in (
    tf.train.GradientDescentOptimizer(0.5),
    tf.train.MomentumOptimizer(0.5, 0.5),
):
    op = opt.minimize(loss, step)
    show(op, opt.variables(), opt.get_slot_names())
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(op)
        sess.run(op)
        show(sess.run([w, r, e, step]), sess.run(opt.variables()))

# --- training with Adam
w = tf.Variable([1.0, 2.0], name="w")
opt = tf.train.AdamOptimizer(0.1)
op = opt.minimize(tf.reduce_sum(w * w))
show(op, opt.variables(), opt.get_slot(w, "m"), opt.get_slot(w, "v"))
names = [n.name for n in tf.get_default_graph().get_operations() if "dam" in n.name]
show([n for n in names if not n.startswith("gradients")])

# --- sharing by name
with tf.variable_scope("a"):
    v = tf.get_variable("v", [1])
with tf.variable_scope("a", reuse=True):
    show(tf.get_variable("v", [1]) is v)
    for ask in (
        lambda: tf.get_variable("v", [2]),
        lambda: tf.get_variable("v", [1], tf.int32),
        lambda: tf.get_variable("nothing", [1]),
    ):
        try:
            ask()
        except ValueError as error:
            show(str(error))

# --- collections and regularizers
with tf.variable_scope("r", regularizer=lambda w: tf.reduce_sum(w) * 0.1):
    tf.get_variable("v", [2])
show(tf.get_collection("regularization_losses"))
show(tf.get_variable("n", [3], trainable=False, collections=["mine"]))
show(tf.get_collection("mine"), tf.trainable_variables(), tf.global_variables())
show(tf.get_variable("i", initializer=tf.constant([1.0, 2.0])).initial_value)
show(tf.get_variable("j", initializer=[3, 4]), tf.get_variable("k", [], tf.bool))


# --- getters and creators
def getter(getter, name, *args, **kwargs):
    return getter(name + "_got", *args, **kwargs)


def creator(make, **kwargs):
    show(sorted(kwargs))
    return make(**dict(kwargs, name="made"))


with tf.variable_scope("a", custom_getter=getter):
    show(tf.get_variable("v", [1]))
with tf.variable_creator_scope(creator):
    show(tf.Variable(1.0), tf.get_variable("w", [1]))

# --- descriptions
v = tf.Variable(1.0, name="v")
u = tf.Variable(1.0, name="u", use_resource=True, trainable=False)
show(v.to_proto().SerializeToString(), u.to_proto().SerializeToString())
again = tf.Variable.from_proto(v.to_proto())
show(again, again.initializer.name, again.value().name, again.initial_value.name)

# --- attributes of nodes
v = tf.Variable([1.0], name="v")
a = tf.assign(v, [2.0], validate_shape=False, use_locking=False)
show(v.op.get_attr("dtype"), v.op.get_attr("shared_name"), v.op.get_attr("container"))
show(v.initializer.get_attr("validate_shape"), v.initializer.get_attr("use_locking"))
show(a.op.get_attr("validate_shape"), a.op.get_attr("use_locking"), a.op.get_attr("T"))
show(v.assign_add([1.0]).op.get_attr("use_locking"))
