# --- fetch structures
from collections import OrderedDict, namedtuple

a, b, op = tf.constant(1.0), tf.constant([2, 3]), tf.no_op()
Pair = namedtuple("Pair", "x y")
s = tf.Session()
show(s.run(a), s.run([a]), s.run((a, [b])), s.run({"p": a, "q": [b, op]}))
show(s.run(OrderedDict([("z", a), ("a", b)])), list(s.run(OrderedDict([("z", a), ("a", b)]))))
pair = s.run(Pair(a, [b]))
show(type(pair) is Pair, pair.x, pair.y, s.run([]), s.run({}), s.run(()), s.run([[], {}]))
show(s.run([a, a, b, a, op]), s.run(op), s.run([op, op]), s.run("Const:0"), s.run(["Const:0", "NoOp"]))
show(s.run(u"Const:0"), s.run(b"Const:0"))
# --- bad fetches
def attempt(f):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e).split("\n")[0])

a = tf.constant(1.0, name="a")
with tf.Graph().as_default():
    other = tf.constant(2.0, name="o")
s = tf.Session()
for x in (None, [None], 3, [3], "a:1", "a:x", "n", "n:0", other, [1.5]):
    attempt(lambda: s.run(x))
attempt(lambda: s.run({"k": 3}))
# --- feeds
x = tf.placeholder(tf.float32, [None, 3], name="x")
i = tf.placeholder(tf.int32, name="i")
c = tf.constant([1.0, 2.0])
y = c * 2.0
s = tf.Session()
show(s.run(tf.shape(x), {x: [[1, 2, 3]]}), s.run(i + 0, {i: 1.9}), s.run(i + 0, {i: True}))
show(s.run(y, {c: [5.0, 6.0]}), s.run(y + 1.0, {y: [0.0, 1.0]}), s.run(y, {"Const:0": [1, 1]}))
show(s.run(i * 2, {i: np.int64(4)}), s.run(i * 2, {i: np.float64(4.7)}), s.run(i + 1, {i: [[1], [2]]}))
show(s.run([x, tf.identity(x)], {x: np.ones((1, 3))}))
# --- bad feeds
def attempt(f):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e).split("\n")[0])

x = tf.placeholder(tf.float32, [None, 3], name="x")
i = tf.placeholder(tf.int32, name="i")
c = tf.constant([1.0, 2.0], name="c")
op = tf.no_op(name="op")
s = tf.Session()
attempt(lambda: s.run(x, {x: np.ones((2, 5))}))
attempt(lambda: s.run(x, {x: "s"}))
attempt(lambda: s.run(i, {i: 1 << 40}))
attempt(lambda: s.run(i, {i: "s"}))
attempt(lambda: s.run(x, {x: c}))
for key in ("x", "n:0", 3, op):
    attempt(lambda: s.run(x, {key: 1}))
attempt(lambda: s.run(c, {c: [1.0, 2.0, 3.0]}))
attempt(lambda: s.run(c, [1]))
attempt(lambda: s.run(c, 3))
tf.get_default_graph().prevent_feeding(i)
attempt(lambda: s.run(i, {i: 1}))
# --- strings
t = tf.placeholder(tf.string)
u = tf.identity(t)
s = tf.Session()
show(s.run(u, {t: "abc"}), s.run(u, {t: [u"\u26a3", b"x\x00y"]}), s.run(u, {t: np.array(["a", "bcd"])}))
show(s.run(u, {t: np.array([b"a", b"bcd"], dtype=object)}), s.run(u, {t: [["a"], ["b"]]}))
show(s.run(tf.constant(["x", "yy"])), s.run(tf.constant("x")))
# --- placeholders that are not fed
def attempt(f):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e).split("\n")[0])

a = tf.placeholder(tf.float32, [None, 3], name="a")
b = tf.placeholder(tf.int64, [], name="b")
c = tf.placeholder(tf.bool, name="c")
d = tf.placeholder_with_default([1.0, 2.0], [None], name="d")
s = tf.Session()
for x in (a, b, c, a + 1.0):
    attempt(lambda: s.run(x))
attempt(lambda: s.run("a"))
show(s.run(d), s.run(d * 2.0, {d: [3.0]}))
# --- sparse fetches and feeds
sp = tf.SparseTensor([[0, 1]], [5.0], [2, 2])
ph = tf.sparse_placeholder(tf.float32)
dense = tf.sparse_tensor_to_dense(ph)
s = tf.Session()
show(s.run(sp), s.run([sp, {"k": sp}])[1]["k"])
show(s.run(dense, {ph: tf.SparseTensorValue([[1, 0]], [2.0], [2, 2])}))
show(s.run(dense, {ph: (np.array([[1, 0]]), [2.0], [2, 2])}))
show(s.run(tf.sparse_tensor_to_dense(sp), {sp: ([[0, 0]], [9.0], [2, 2])}))
sl = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]), tf.constant([2, 1]))
nd = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]))
found = s.run([sl, nd])
show(type(found[0]).__name__, found[0].values, found[0].dense_shape, found[1].dense_shape)
show(s.run(sl.values + 1.0, {sl: (np.array([[4.0]]), [1], [3, 1])}))
# --- initialisation
def attempt(f):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e).split("\n")[0])

v = tf.Variable(3.0, name="v")
w = tf.Variable(v.initialized_value() * 2.0, name="w")
s = tf.Session()
attempt(lambda: s.run(w))
attempt(lambda: s.run(v + 1.0))
show(s.run(tf.report_uninitialized_variables()))
s.run(tf.global_variables_initializer())
show(s.run([v, w]), s.run(v), s.run([v.name, v.op, v.initializer]), s.run(tf.is_variable_initialized(v)))
t = tf.Session()
attempt(lambda: t.run(v))
# --- sessions that do not run
def attempt(f):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e).split("\n")[0])

a = tf.constant(1.0)
for args in ({"target": 3}, {"graph": 3}, {"config": 3}, {"config": {}}):
    attempt(lambda: tf.Session(**args))
s = tf.Session()
s.close()
s.close()
attempt(lambda: s.run(a))
attempt(lambda: s.make_callable(a))
attempt(lambda: s.list_devices())
attempt(lambda: tf.Session(graph=tf.Graph()).run([]))
attempt(lambda: tf.Session(graph=tf.Graph()).run("a"))

def twice():
    with tf.Session() as q:
        with q:
            pass

attempt(twice)
# --- the default session
def attempt(f):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e).split("\n")[0])

a, op = tf.constant(1.0), tf.no_op()
g = tf.Graph()
with g.as_default():
    other = tf.constant(2.0)
s = tf.Session()
attempt(lambda: a.eval())
attempt(lambda: op.run())
attempt(lambda: other.eval(session=s))
attempt(lambda: other.op.run(session=s))
show(a.eval(session=s), op.run(session=s), tf.get_default_session() is None)
with s.as_default() as q:
    show(q is s, a.eval(), tf.get_default_session() is s)
    attempt(lambda: other.eval())
    attempt(lambda: other.op.run())
    with tf.Session(graph=g) as t:
        show(other.eval(), tf.get_default_session() is t, tf.get_default_graph() is g)
    show(tf.get_default_session() is s)
show(tf.get_default_session() is None)
i = tf.InteractiveSession()
show(a.eval(), tf.get_default_session() is i)
i.close()
show(tf.get_default_session() is None)
# --- make_callable
def attempt(f):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e).split("\n")[0])

x = tf.placeholder(tf.float32, [None], name="x")
y = tf.placeholder(tf.float32, [None], name="y")
z, op = x - y, tf.no_op()
s = tf.Session()
show(s.make_callable(z, [x, y])([3.0], [1.0]), s.make_callable([z, op], [x, y])([3.0], [1.0]))
show(s.make_callable({"k": z}, feed_list=["x:0", y])([3.0], [1.0]), s.make_callable(op)())
show(s.make_callable(tf.constant(2))(), s.make_callable(tf.constant(2), accept_options=True)(options=None))
attempt(lambda: s.make_callable(z, x))
show(callable(s.make_callable(z, [op])))
attempt(lambda: s.make_callable([])())
attempt(lambda: s.make_callable(z, [x, y])([1.0]))
attempt(lambda: s.make_callable(z, [x])([1.0]))
attempt(lambda: s.make_callable(z, [x, y])([[1.0]], [1.0]))
attempt(lambda: s.make_callable(3))
# --- partial runs
def attempt(f):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e).split("\n")[0])

a, b, c = (tf.placeholder(tf.float32, [], name=n) for n in "abc")
r1 = tf.add(a, b, name="r1")
r2 = tf.multiply(r1, c, name="r2")
s = tf.Session()
h = s.partial_run_setup([r1, r2], [a, b, c])
found = s.partial_run(h, r1, feed_dict={a: 1, b: 2})
show(found, s.partial_run(h, r2, feed_dict={c: found * 17}))
h = s.partial_run_setup([r1, r2], [a, b, c])
attempt(lambda: s.partial_run(h, r2, {a: 1}))
h = s.partial_run_setup([r1, r2], [a, b, c])
s.partial_run(h, r1, {a: 1, b: 1})
attempt(lambda: s.partial_run(h, r1))
attempt(lambda: s.partial_run(h, r2, {a: 1}))
h = s.partial_run_setup([r1], [a])
attempt(lambda: s.partial_run(h, r1, {b: 1}))
h = s.partial_run_setup([r1], [a, b])
attempt(lambda: s.partial_run(h, r2, {a: 1, b: 2}))
attempt(lambda: s.partial_run("no", r1, {a: 1}))
attempt(lambda: s.partial_run_setup([], [a]))
# --- session handles
a, b = tf.constant(10), tf.constant(5)
c = tf.multiply(a, b)
s = tf.Session()
h = s.run(tf.get_session_handle(c))
p, x = tf.get_session_tensor(h.handle, tf.int32)
show(type(h).__name__, h.eval(), isinstance(h.handle, str))
show(p.dtype.name, x, s.run(x * 2, {p: h.handle}), s.run(c + 1, {c: h}))
both = s.run([tf.get_session_handle(c), c, tf.get_session_handle(a)])
show(both[0].eval(), both[1], both[2].eval())
raw = both[2].get_raw_handle()
q, d = tf.delete_session_tensor(raw)
show(d.type, s.run(d, {q: raw}))
h.delete()
try:
    h.eval()
except TypeError as e:
    show("deleted")
try:
    tf.get_session_handle(3)
except TypeError as e:
    show(str(e))
# --- errors of nodes
x = tf.placeholder(tf.float32, [None, None], name="x")
v = tf.placeholder(tf.float32, [None], name="v")
s = tf.Session()

def failing(t, feeds):
    try:
        s.run(t, feeds)
    except tf.errors.OpError as e:
        head = e.message.split(" (defined at")
        show(type(e).__name__, head[0], e.error_code, e.op.name, e.node_def.op, e.op.type)
        show(str(e).startswith(e.message + "\n\nCaused by op %r, defined at:\n" % e.op.name))
        show("  = %s[" % e.op.type in e.message, str(e).endswith("]]\n"), e.args, repr(e))
        show("(see above for traceback): " in str(e))

failing(tf.matmul(x, x, name="mm"), {x: np.ones((2, 3))})
failing(tf.gather(v, [5], name="g"), {v: [1.0]})
failing(tf.reshape(v, [3], name="r"), {v: [1.0]})
failing(tf.check_numerics(v, "bad", name="c"), {v: [np.nan]})
failing(tf.concat([x, x], 0, name="cc") + v, {x: np.ones((1, 2)), v: np.ones(3)})
loop = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.gather(y, [i + 2], name="inner") + y), [0, v],
                     shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])], name="loop")
failing(loop, {v: [1.0, 2.0]})
failing(tf.map_fn(lambda r: tf.reshape(tf.tile(r[None], [2]), [3], name="m") if False else tf.gather(r[None], 4, name="mg"), v), {v: [1.0]})
failing(tf.cond(v[0] > 0.0, lambda: tf.gather(v, 7, name="branch"), lambda: 0.0), {v: [1.0]})
# --- errors of gradients name the forward op
v = tf.placeholder(tf.float32, [None], name="v")
i = tf.placeholder(tf.int32, [None], name="i")
g = tf.gradients(tf.unsorted_segment_sum(v, i, 2, name="sums"), v)
try:
    tf.Session().run(g, {v: [1.0, 2.0], i: [0, 7]})
except tf.errors.OpError as e:
    show(type(e).__name__, e.op._original_op, "\n...which was originally created as op 'sums', defined at:" in str(e))
# --- traced runs
def attempt(f):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e).split("\n")[0])

x = tf.placeholder(tf.float32, [None, 2], name="x")
y = tf.matmul(x, [[1.0], [2.0]], name="y")
s = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
data = tf.RunMetadata()
full = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
show(s.run(y, {x: [[1, 2]]}, run_metadata=data), data.HasField("step_stats"))
show(s.run(y, {x: [[1, 2]]}, options=full, run_metadata=data), data.HasField("step_stats"))
stats = data.step_stats.dev_stats[0]
show(len(data.step_stats.dev_stats), stats.device, "y" in [n.node_name for n in stats.node_stats])
attempt(lambda: s.run(y, {x: [[1, 2]]}, options=3))
attempt(lambda: s.run(y, {x: [[1, 2]]}, run_metadata=3))
# --- threads have their own defaults
import threading

a = tf.constant(1.0)
g = tf.get_default_graph()
seen = []

def look():
    seen.append(tf.get_default_graph() is g)
    seen.append(tf.get_default_session() is None)
    with tf.Session(graph=g):
        seen.append(float(a.eval()))

with tf.Session():
    with tf.Graph().as_default():
        t = threading.Thread(target=look)
        t.start()
        t.join()
show(seen)
