# --- what an operation knows
def attempt(f):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e).split("\n")[0])

a = tf.constant([1.0, 2.0], name="a")
b = tf.placeholder(tf.float32, [None, 3], name="b")
with tf.control_dependencies([a]):
    c = tf.identity(b, name="c")
op = c.op
show(op.name, op.type, op.device, list(op.inputs), op.outputs, op.control_inputs, op.values())
show(op.graph is tf.get_default_graph(), op.colocation_groups(), op.traceback[-1][0][-3:] != "")
show(op.get_attr("T"), a.op.get_attr("dtype"), b.op.get_attr("shape").dim[1].size)
show(tf.strided_slice(b, [0, 0], [1, 1]).op.get_attr("begin_mask"))
conv = tf.nn.conv2d(tf.zeros([1, 4, 4, 1]), tf.zeros([2, 2, 1, 1]), [1, 1, 1, 1], "SAME").op
show(conv.get_attr("padding"), conv.get_attr("strides"), conv.get_attr("use_cudnn_on_gpu"))
attempt(lambda: tf.no_op().get_attr("T") and 0)
show(a.consumers(), b.consumers(), a.value_index, a.op.outputs[0] is a)
show(repr(a), repr(tf.placeholder(tf.int32)), str(tf.placeholder(tf.int32)), str(b))
# --- devices and colocation
with tf.device("/job:ps"):
    with tf.device("/cpu:1"):
        a = tf.constant(1, name="a")
    with tf.device(None):
        b = tf.constant(1, name="b")
    with tf.device("/task:3"), tf.device("/job:w"):
        c = tf.constant(1, name="c")
with tf.device(lambda n: "/gpu:0" if n.type == "MatMul" else "/cpu:0"):
    d = tf.constant([[1.0]], name="d")
    e = tf.matmul(d, d, name="e")
with tf.device("/job:x"), tf.device(lambda n: "/cpu:7"):
    f = tf.constant(1)
with tf.device(tf.DeviceSpec(job="q", task=1)):
    g = tf.constant(1)
show([t.device for t in (a, b, c, d, e, f, g)])
with tf.colocate_with(a):
    h = tf.constant(1)
    with tf.colocate_with(b):
        i = tf.constant(1)
    with tf.colocate_with(b, ignore_existing=True):
        j = tf.constant(1)
    with tf.colocate_with(None, ignore_existing=True):
        k = tf.constant(1)
    with tf.device("/cpu:3"):
        m = tf.constant(1)
show([t.device for t in (h, i, j, k, m)], [t.op.colocation_groups() for t in (h, i, j, m)])
with tf.device("/cpu:5"), tf.colocate_with(b):
    n = tf.constant(1)
show(n.device, h.op.get_attr("_class"))
with tf.colocate_with(None):
    pass
# --- name scopes
def attempt(f):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e).split("\n")[0])

g = tf.get_default_graph()

def scope(*args, **kwargs):
    with tf.name_scope(*args, **kwargs) as s:
        return [s, tf.constant(1, name="k").name]

with tf.name_scope("s") as s:
    show(s, g.unique_name("q"), g.get_name_scope(), scope("t"), scope(None), scope(""), scope("r/"), scope(s))
    show(tf.constant(1, name="_hidden").name, scope("_u"))
    attempt(lambda: tf.constant(1, name="bad name"))
show(scope("s"), scope(None, "default"), scope("n", "default", [tf.constant(1)]), scope("s/"))
with tf.Graph().as_default():
    other = tf.constant(1.0, name="other")
a = tf.constant(1.0, name="a")
attempt(lambda: scope("v", values=[a, other]))
attempt(lambda: tf.add(a, other))
for name in ("bad name", "_x", "-x", "a:b", 3):
    attempt(lambda: scope(name))
for name in ("bad name", "_x", "-x"):
    attempt(lambda: tf.constant(1, name=name))
attempt(lambda: scope(None, None, [a]))
show(g.unique_name("a"), g.unique_name("a", mark_as_used=False), g.unique_name("a"), g.unique_name("A"))
show(g.unique_name("x/y"), g.unique_name("x"))
# --- graph elements
def attempt(f):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e).split("\n")[0])

g = tf.get_default_graph()
a = tf.constant(1.0, name="a")
with tf.Graph().as_default():
    other = tf.constant(2.0, name="other")
find = g.as_graph_element
show(find("a:0"), find("a"), find(a), find(a.op), g.get_tensor_by_name("a:0"), g.get_operation_by_name("a"))
attempt(lambda: find("a:0", allow_tensor=False))
attempt(lambda: find("a", allow_operation=False))
attempt(lambda: find("z", allow_operation=False))
for x in ("a:1", "a:b:c", "z", "z:0", 3, None, other):
    attempt(lambda: find(x))
attempt(lambda: find(a, allow_tensor=False))
attempt(lambda: find(a.op, allow_operation=False))
attempt(lambda: find("a", allow_tensor=False, allow_operation=False))
for x in ("a", 3, "z:0"):
    attempt(lambda: g.get_tensor_by_name(x))
for x in ("a:0", 3, "z"):
    attempt(lambda: g.get_operation_by_name(x))
# --- collections
g = tf.get_default_graph()
g.add_to_collection("k", 1)
g.add_to_collections(["k", "l"], 2)
g.add_to_collections("m", 3)
g.add_to_collections(("k", "k"), 5)
show(g.get_collection("k"), g.get_collection_ref("k"), sorted(g.get_all_collection_keys()))
g.get_collection_ref("k").append(7)
show(tf.get_collection("k"), tf.get_collection("none"), tf.get_collection_ref("new"))
g.clear_collection("k")
show(g.get_collection("k"), g.version, g.seed, g.building_function, g.finalized)
# --- graphs that cannot change
def attempt(f):
    try:
        show(f())
    except Exception as e:
        name = "AssertionError" if isinstance(e, AssertionError) else type(e).__name__
        show(name, str(e).split("\n")[0])

with tf.Graph().as_default() as g:
    a = tf.constant(1)
    g.finalize()
    attempt(lambda: tf.constant(2))
    show(g.finalized, tf.Session().run(a))
    attempt(tf.reset_default_graph)
b, op = tf.constant(1.0, name="b"), tf.no_op(name="op")
h = tf.get_default_graph()
h.prevent_fetching(op)
h.prevent_feeding(b)
show(h.is_fetchable(op), h.is_fetchable(b), h.is_feedable(b))
attempt(lambda: tf.Session().run(op))
attempt(lambda: tf.Session().run("op"))
attempt(lambda: tf.Session().run(b, {b: 1.0}))
# --- control dependencies
def attempt(f):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e).split("\n")[0])

a, op = tf.constant(1.0, name="a"), tf.no_op(name="op")
with tf.Graph().as_default():
    other = tf.constant(2.0)

def waits(inputs):
    with tf.control_dependencies(inputs):
        return tf.no_op().control_inputs

attempt(lambda: waits([a, "a", op]))
attempt(lambda: waits([a.op, a]))
for x in ([3], a, [other], ["z"], None, []):
    attempt(lambda: waits(x))
with tf.control_dependencies([a]):
    with tf.control_dependencies([op]):
        show(tf.no_op().control_inputs)
        with tf.control_dependencies(None):
            show(tf.no_op().control_inputs)
# --- tensors are no values
def attempt(f):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e).split("\n")[0])

t = tf.placeholder(tf.float32, [2, None], name="t")
for f in (bool, len, list):
    attempt(lambda: f(t))
attempt(lambda: [x for x in t])
attempt(lambda: t.numpy())
attempt(lambda: t.nothing)
attempt(lambda: t.set_shape([3, 1]))
attempt(lambda: t.set_shape([1]))
t.set_shape([None, 4])
show(t.shape.as_list(), t == 1, t in [t], {t: 1}[t], t.get_shape(), t.dtype)
attempt(lambda: tf.convert_to_tensor(tf.no_op(name="n")))
show(sorted(tf.Tensor.OVERLOADABLE_OPERATORS))
# --- node marks
g = tf.get_default_graph()
a = tf.constant(1, name="a")
with g._original_op(a.op):
    b = tf.constant(2, name="b")
with tf.container("box"):
    q = tf.FIFOQueue(3, tf.int32)
with g._attr_scope({"_mark": tf.AttrValue(i=5)}):
    c = tf.constant(3)
a.op._set_attr("_own", tf.AttrValue(s=b"text"))
show(b.op._original_op, a.op._original_op, q.queue_ref.op.get_attr("container"))
show(c.op.get_attr("_mark"), a.op.get_attr("_own"), a.op._id, g._nodes_by_id[1], g._nodes_by_name["b"])
