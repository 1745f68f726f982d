# --- cond
x = tf.placeholder(tf.float32, [], name="x")
y = tf.cond(x > 0.0, lambda: x * 2.0, lambda: -x)
z = tf.cond(x > 0.0, lambda: (x, tf.constant(1)), lambda: (-x, tf.constant(2)), name="named")
show(y, z)
with tf.Session() as sess:
    show(sess.run([y, z], {x: 3.0}), sess.run([y, z], {x: -3.0}))
# --- cond of structures
p = tf.placeholder(tf.bool, [])
a = tf.cond(p, lambda: {"a": tf.constant(1.0), "b": [tf.constant(2)]}, lambda: {"a": tf.constant(3.0), "b": [tf.constant(4)]})
b = tf.cond(p, lambda: [tf.constant(1.0)], lambda: [tf.constant(3.0)])
c = tf.cond(p, lambda: [tf.constant(1.0)], lambda: [tf.constant(3.0)], strict=True)
d = tf.cond(p, lambda: 1.0, lambda: 2.0)
e = tf.cond(p, lambda: [1, 2], lambda: [3, 4])
show(a, b, c, d, e)
with tf.Session() as sess:
    show(sess.run([a, b, c, d, e], {p: True}), sess.run([a, b, c, d, e], {p: False}))
# --- cond of operations
v = tf.Variable(1.0)
p = tf.placeholder(tf.bool, [])
op = tf.cond(p, lambda: tf.group(v.assign_add(1.0)), lambda: tf.no_op())
add = tf.cond(p, lambda: v.assign_add(10.0), lambda: tf.identity(v))
none = tf.cond(p, lambda: None, lambda: None)
show(op, add, none)
with tf.Session() as sess:
    sess.run(v.initializer)
    show(sess.run(op, {p: True}), sess.run(v), sess.run(op, {p: False}), sess.run(v))
    show(sess.run(add, {p: True}), sess.run(add, {p: False}), sess.run(v))
# --- what happens outside a branch happens always
v = tf.Variable(1.0)
p = tf.placeholder(tf.bool, [])
outside = v.assign_add(1.0)
y = tf.cond(p, lambda: outside + 0.0, lambda: tf.constant(0.0))
with tf.Session() as sess:
    sess.run(v.initializer)
    show(sess.run(y, {p: False}), sess.run(v))
# --- cond shapes
p = tf.placeholder(tf.bool, [])
x = tf.placeholder(tf.float32, [None, 3])
show(tf.cond(p, lambda: x, lambda: tf.zeros([2, 3])), tf.cond(p, lambda: x, lambda: tf.zeros([4])))
show(tf.cond(p, lambda: tf.zeros([2, 3]), lambda: tf.zeros([2, 4])))
# --- names in branches
p = tf.placeholder(tf.bool, [])
names = []
def then():
    names.append(tf.constant(1.0).name)
    with tf.name_scope("s"):
        names.append(tf.constant(1.0, name="c").name)
    return tf.constant(2.0, name="out")
y = tf.cond(p, then, then)
z = tf.cond(p, then, then)
show(names, y, z)
# --- a branch is not fetchable
p = tf.placeholder(tf.bool, [])
inner = []
def then():
    inner.append(tf.constant(2.0, name="inner"))
    return inner[0] * 2.0
y = tf.cond(p, then, lambda: tf.constant(1.0))
with tf.Session() as sess:
    sess.run(inner[0], {p: True})
# --- cond pred of a Python bool
tf.cond(True, lambda: tf.constant(1), lambda: tf.constant(2))
# --- cond with a wrong branch
tf.cond(tf.constant(True), tf.constant(1), lambda: tf.constant(2))
# --- cond with a wrong second branch
tf.cond(tf.constant(True), lambda: tf.constant(2), 3)
# --- cond of different types
tf.cond(tf.constant(True), lambda: tf.constant(1), lambda: tf.constant(2.0))
# --- cond of different lengths
tf.cond(tf.constant(True), lambda: (tf.constant(1), tf.constant(1)), lambda: tf.constant(2))
# --- cond of a missing branch value
tf.cond(tf.constant(True), lambda: tf.constant(1), lambda: None)
# --- cond of a vector
tf.cond(tf.constant([True, False]), lambda: tf.constant(1), lambda: tf.constant(2))
# --- cond without a predicate
tf.cond(None, lambda: tf.constant(1), lambda: tf.constant(2))
# --- cond without branches
tf.cond(tf.constant(True))
# --- case
x = tf.placeholder(tf.int32, [], name="x")
y = tf.case([(x < 0, lambda: tf.constant(-1)), (tf.equal(x, 0), lambda: tf.constant(0))], default=lambda: tf.constant(1))
z = tf.case({x < 10: lambda: tf.constant("small"), x > 20: lambda: tf.constant("large")}, default=lambda: tf.constant("medium"), exclusive=True)
w = tf.case([(x < 0, lambda: (x, x + 1)), (x < 5, lambda: (x + 2, x + 3))], default=lambda: (x * 2, x * 3), name="w")
show(y.dtype, y.shape, z.dtype, [t.shape for t in w])
with tf.Session() as sess:
    for n in (-3, 0, 3, 15, 30):
        show(sess.run([y, z, w], {x: n}))
# --- case without a default
x = tf.placeholder(tf.int32, [], name="x")
y = tf.case([(x < 0, lambda: tf.constant(-1)), (x < 5, lambda: tf.constant(0))])
with tf.Session() as sess:
    show(sess.run(y, {x: -1}), sess.run(y, {x: 1}))
# --- case that none takes
x = tf.placeholder(tf.int32, [], name="x")
y = tf.case([(x < 0, lambda: tf.constant(-1)), (x < 5, lambda: tf.constant(0))])
with tf.Session() as sess:
    sess.run(y, {x: 7})
# --- case of two that hold
x = tf.placeholder(tf.int32, [], name="x")
y = tf.case([(x < 9, lambda: tf.constant(-1)), (x < 5, lambda: tf.constant(0))], default=lambda: tf.constant(2), exclusive=True)
with tf.Session() as sess:
    show(sess.run(y, {x: 7}))
    sess.run(y, {x: 1})
# --- case of nothing | says what is empty
tf.case([], default=lambda: tf.constant(1))
# --- case of wrong pairs
tf.case([(tf.constant(True), 1)], default=lambda: tf.constant(1))
# --- case of wrong predicates
tf.case([(True, lambda: tf.constant(1))], default=lambda: tf.constant(1))
# --- case with a wrong default
tf.case([(tf.constant(True), lambda: tf.constant(1))], default=3)
# --- smart cond
x = tf.constant(2.0)
show(tf.contrib.framework.smart_cond(True, lambda: x, lambda: 1 / 0) is x)
show(tf.contrib.framework.smart_constant_value(tf.constant(True)), tf.contrib.framework.smart_constant_value(tf.placeholder(tf.bool)))
# --- while loop
i = tf.constant(0)
r = tf.while_loop(lambda i: tf.less(i, 10), lambda i: tf.add(i, 1), [i])
a, b = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2.0), (0, 1.0))
c = tf.while_loop(lambda i, x: i < 3, lambda i, x: [i + 1, x * 2.0], [0, 1.0], name="named")
show(r, a, b, c)
with tf.Session() as sess:
    show(sess.run([r, a, b, c]))
# --- while loop return_same_structure
r = tf.while_loop(lambda i: i < 3, lambda i: [i + 1], [0], return_same_structure=True)
s = tf.while_loop(lambda i: i < 3, lambda i: [i + 1], (0,), return_same_structure=False)
t = tf.while_loop(lambda i: i < 3, lambda i: (i + 1,), (0,), return_same_structure=True)
show(r, s, t)
# --- while loop of structures
import collections

Pair = collections.namedtuple("Pair", "j, k")
ijk = (tf.constant(0), Pair(tf.constant(1), tf.constant(2)))
c = lambda i, p: i < 10
b = lambda i, p: (i + 1, Pair(p.j + p.k, p.j - p.k))
out = tf.while_loop(c, b, ijk)
d = tf.while_loop(lambda d: d["n"] < 3, lambda d: [{"n": d["n"] + 1, "x": [d["x"][0] * 2]}], [{"n": tf.constant(0), "x": [tf.constant(1)]}])
show(out[1], type(out).__name__)
with tf.Session() as sess:
    show(sess.run(out), sess.run(d))
# --- while loop with options
i, x = tf.constant(0), tf.constant(1.0)
out = tf.while_loop(lambda i, x: i < 5, lambda i, x: [i + 1, x * 1.5], [i, x], parallel_iterations=1, back_prop=False, swap_memory=True, maximum_iterations=3)
with tf.Session() as sess:
    show(sess.run(out))
# --- while loop with a limit from a tensor
n = tf.placeholder(tf.int32, [])
out = tf.while_loop(lambda x: x < 1000, lambda x: x * 2, [tf.constant(1)], maximum_iterations=n)
show(out)
with tf.Session() as sess:
    show(sess.run(out, {n: 3}), sess.run(out, {n: 0}), sess.run(out, {n: 30}))
# --- while loop limit of a wrong kind
tf.while_loop(lambda i: i < 5, lambda i: i + 1, [0], maximum_iterations=[1, 2])
# --- shape invariants
x = tf.zeros([2, 2])
out = tf.while_loop(lambda i, m: i < 3, lambda i, m: (i + 1, tf.concat([m, m], 0)), [0, x], shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 2])])
show(out)
with tf.Session() as sess:
    show(sess.run(out)[1].shape)
# --- shape that changes
x = tf.zeros([2, 2])
tf.while_loop(lambda i, m: i < 3, lambda i, m: (i + 1, tf.concat([m, m], 0)), [0, x])
# --- shape invariant too narrow
x = tf.zeros([2, 2])
tf.while_loop(lambda i, m: i < 3, lambda i, m: (i + 1, m), [0, x], shape_invariants=[tf.TensorShape([]), tf.TensorShape([3, None])])
# --- shape invariant that the body leaves
x = tf.zeros([2, 2])
tf.while_loop(lambda i, m: i < 3, lambda i, m: (i + 1, tf.concat([m, m], 1)), [0, x], shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 2])])
# --- shape invariants of another structure
tf.while_loop(lambda i, m: i < 3, lambda i, m: (i + 1, m), [0, tf.zeros([2])], shape_invariants=[tf.TensorShape([])])
# --- shape becomes unknown in the body
p = tf.placeholder(tf.float32, [None])
tf.while_loop(lambda i, m: i < 3, lambda i, m: (i + 1, p), [0, tf.zeros([2])])
# --- body of another structure
tf.while_loop(lambda i, j: i < 3, lambda i, j: i + 1, [0, 1])
# --- body of another type | refused when the loop is made, not when it runs
tf.while_loop(lambda i: i < 3, lambda i: tf.cast(i, tf.float32), [tf.constant(0)])
# --- body that returns nothing
tf.while_loop(lambda i: i < 3, lambda i: None, [tf.constant(0)])
# --- no loop variables
tf.while_loop(lambda: True, lambda: None, [])
# --- cond that is not callable
tf.while_loop(3, lambda i: i, [1])
# --- body that is not callable
tf.while_loop(lambda i: True, 3, [1])
# --- condition that is no scalar
tf.while_loop(lambda i: tf.constant([True, False]), lambda i: i + 1, [0])
# --- condition of a wrong type
tf.while_loop(lambda i: i, lambda i: i + 1, [0])
# --- parallel iterations below one
tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], parallel_iterations=0)
# --- a loop is not fetchable
inner = []
def body(i):
    inner.append(i * 2)
    return i + 1
r = tf.while_loop(lambda i: i < 3, body, [0])
with tf.Session() as sess:
    sess.run(inner[0])
# --- an inner tensor used outside
inner = []
def body(i):
    inner.append(tf.multiply(i, 2, name="inner"))
    return i + 1
r = tf.while_loop(lambda i: i < 3, body, [0])
with tf.Session() as sess:
    sess.run(inner[0] + 1)
# --- names in loops
names = []
def body(i):
    names.append(i.name)
    names.append(tf.constant(1, name="inner").name)
    with tf.name_scope("s"):
        return tf.add(i, 1, name="next")
r = tf.while_loop(lambda i: i < 3, body, [0])
s = tf.while_loop(lambda i: i < 3, body, [0])
show(names, r, s)
# --- nested loops
def outer(i, total):
    _, t = tf.while_loop(lambda j, t: j < i, lambda j, t: (j + 1, t + j), [0, total])
    return i + 1, t
out = tf.while_loop(lambda i, t: i < 5, outer, [0, 0])
show(out)
with tf.Session() as sess:
    show(sess.run(out))
# --- side effects of loops
v = tf.Variable(0, name="v")
def body(i):
    with tf.control_dependencies([v.assign_add(i)]):
        return i + 1
r = tf.while_loop(lambda i: i < 4, body, [0])
with tf.Session() as sess:
    sess.run(v.initializer)
    show(sess.run(r), sess.run(v), sess.run(r), sess.run(v))
# --- control dependencies
v = tf.Variable(1.0, use_resource=True)
add = v.assign_add(1.0)
with tf.control_dependencies([add]):
    a = v.read_value()
    with tf.control_dependencies(None):
        b = tf.constant(0.0, name="b")
    c = tf.identity(b, name="c")
show(a.op.control_inputs, b.op.control_inputs, c.op.control_inputs)
with tf.Session() as sess:
    sess.run(v.initializer)
    show(sess.run(a), sess.run(b), sess.run(v), sess.run(c), sess.run(v))
# --- control dependencies of several
a, b, c = tf.constant(1, name="a"), tf.constant(2, name="b"), tf.no_op("c")
with tf.control_dependencies([a]), tf.control_dependencies([b.op, c]):
    d = tf.identity(a, name="d")
    e = tf.identity(d, name="e")
    f = tf.no_op("f")
show(d.op.control_inputs, e.op.control_inputs, f.control_inputs)
# --- control dependencies on something else
with tf.control_dependencies([3]):
    pass
# --- group tuple no_op identity_n
a, b = tf.constant(1.0, name="a"), tf.constant([2.0], name="b")
v = tf.Variable(0.0)
g = tf.group(v.assign_add(1.0), a, name="g")
t = tf.tuple([a, b], control_inputs=[v.assign_add(10.0)])
n = tf.identity_n([a, b])
show(g, tf.group(), t, n, tf.no_op(), tf.tuple([a, None]), tf.group([a, [b.op]]))
with tf.Session() as sess:
    sess.run(v.initializer)
    show(sess.run(g), sess.run(t), sess.run(n), sess.run(v))
# --- tuple of nothing
tf.tuple([None])
# --- group of something else
tf.group(3)
