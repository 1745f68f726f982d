# --- default names
a = tf.constant([[1.0, 2.0]])
b = tf.constant(3.0, name="b")
show(a, b, a + b, tf.add(a, b), a * b, a - b, a / b, -a)
show(a + 1, 1 - a, tf.reduce_mean(a), tf.nn.relu(a), tf.square(a))
show(tf.matmul(a, a, transpose_b=True), tf.matmul(a, a, transpose_a=True))
show([n.name for n in tf.get_default_graph().get_operations()])
# --- operators
a, b = tf.constant([4, 6]), tf.constant([3, 5])
x, y = tf.constant([4.0, 6.0]), tf.constant([3.0, 5.0])
p, q = tf.constant([True, False]), tf.constant([True, True])
show(a // b, a % b, a / b, a ** b, abs(a), a < b, a <= b, a > b, a >= b)
show(x // y, x % y, x / y, x ** y, abs(x), 2.0 / x, 2 // a, 2 % a, 2.0 ** x)
show(p & q, p | q, p ^ q, ~p, tf.equal(a, b), tf.not_equal(a, b))
show([n.name for n in tf.get_default_graph().get_operations()])
# --- slices
x = tf.placeholder(tf.float32, [None, 4, 5], name="x")
n = tf.constant(2)
show(x[0], x[:, 1:3], x[..., -1], x[:, tf.newaxis], x[n], x[0, 1, 2:], x[::2, ::-1])
show([n.name for n in tf.get_default_graph().get_operations()])
# --- unique names
show(tf.constant(1, name="a").name, tf.constant(1, name="a").name)
show(tf.constant(1, name="a_1").name, tf.constant(1, name="A").name)
show(tf.constant(1, name="a").name, tf.constant(1, name="b/c").name)
g = tf.get_default_graph()
show(g.unique_name("a"), g.unique_name("a"), g.unique_name("new"))
show(g.unique_name("new", mark_as_used=False), g.unique_name("new"))
show(tf.no_op(name="trailing/").name)
# --- name scopes
with tf.name_scope("outer") as scope:
    a = tf.constant(1.0)
    with tf.name_scope("inner"):
        b = tf.constant(2.0, name="b")
    with tf.name_scope("inner"):
        c = tf.add(a, b)
    with tf.name_scope(None):
        d = tf.constant(3.0)
    with tf.name_scope(""):
        e = tf.constant(3.0)
with tf.name_scope("outer"):
    f = tf.constant(4.0)
with tf.name_scope(scope):
    h = tf.constant(5.0)
    i = tf.identity(a, name=scope)
show(scope, a, b, c, d, e, f, h, i)
# --- name scopes of values
with tf.name_scope(None, "default", [1.0]) as one:
    a = tf.constant(1.0)
with tf.name_scope("given", "default", [a]) as two:
    b = tf.constant(1.0)
with tf.name_scope("x/y") as three:
    pass
show(one, two, three, a, b, tf.contrib.framework.get_name_scope())
# --- name scope without a name
with tf.name_scope(None, None, [1.0]):
    pass
# --- a name that is none
tf.constant(1, name="a b")
# --- a scope that is none
with tf.name_scope("?"):
    pass
# --- graph.name_scope
g = tf.Graph()
with g.as_default(), g.name_scope("a"):
    x = tf.constant(1)
    with g.name_scope("b") as scope:
        y = tf.constant(1)
show(x, y, scope, x.graph is g, tf.get_default_graph() is g)
# --- the results of multi-output ops
x = tf.constant([[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]])
show(tf.split(x, 3, axis=1), tf.unstack(x), tf.nn.top_k(x, 2), tf.nn.moments(x, [0]))
show(tf.unique([1, 2, 1]), tf.meshgrid([1, 2], [3, 4]), tf.linalg.svd(x))
show(sorted({n.name.split("/")[0] for n in tf.get_default_graph().get_operations()}))
# --- reductions
x = tf.placeholder(tf.float32, [None, 3])
show(tf.reduce_sum(x), tf.reduce_mean(x, 0), tf.reduce_max(x, [0, 1], keepdims=True))
show(tf.reduce_sum(x, name="total"), tf.argmax(x, 1), tf.reduce_logsumexp(x, axis=1))
show(tf.reduce_any(x > 0.0), tf.cumsum(x), tf.norm(x), tf.reduce_all([True]))
show(sorted({n.name.split("/")[0] for n in tf.get_default_graph().get_operations()}))
# --- composed ops
x = tf.placeholder(tf.float32, [None, 4], name="x")
show(tf.nn.softmax(x), tf.nn.log_softmax(x), tf.nn.l2_normalize(x, 1), tf.nn.dropout(x, 0.5))
show(tf.clip_by_value(x, 0.0, 1.0), tf.clip_by_norm(x, 1.0), tf.nn.sigmoid(x), tf.tanh(x))
show(tf.zeros_like(x), tf.ones_like(x), tf.zeros([2, 3]), tf.ones([2]), tf.fill([2], 1.0))
show(tf.expand_dims(x, 0), tf.squeeze(x), tf.reshape(x, [-1]), tf.transpose(x), tf.concat([x, x], 1))
show(tf.stack([x, x]), tf.tile(x, [1, 2]), tf.one_hot([1, 2], 3), tf.range(3), tf.cast(x, tf.int32))
# --- names of composed ops
x = tf.placeholder(tf.float32, [None, 4], name="x")
tf.nn.dropout(x, 0.5)
tf.clip_by_norm(x, 1.0)
tf.nn.l2_normalize(x, 1)
tf.random_normal([2, 3])
tf.random_uniform([2], maxval=5, dtype=tf.int32)
tf.truncated_normal([2])
tf.nn.softmax(x)
tf.nn.softmax_cross_entropy_with_logits_v2(labels=x, logits=x)
tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=x)
tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=x)
tf.one_hot([1, 2], 3)
tf.zeros_like(x)
tf.boolean_mask(x, x[:, 0] > 0.0)
tf.tensordot(x, x, [[1], [1]])
tf.linspace(0.0, 1.0, 3)
show(sorted({n.name.split("/")[0] for n in tf.get_default_graph().get_operations()}))
# --- losses
a, b = tf.placeholder(tf.float32, [2, 3], "a"), tf.placeholder(tf.float32, [2, 3], "b")
show(tf.losses.mean_squared_error(a, b), tf.losses.softmax_cross_entropy(a, b))
show(tf.losses.sparse_softmax_cross_entropy([0, 1], b), tf.losses.absolute_difference(a, b))
show(tf.losses.sigmoid_cross_entropy(a, b), tf.losses.hinge_loss(a, b), tf.losses.log_loss(a, b))
show(tf.losses.get_total_loss(), tf.get_collection(tf.GraphKeys.LOSSES), tf.losses.get_losses())
# --- placeholders
show(tf.placeholder(tf.float32), tf.placeholder(tf.int64, []), tf.placeholder(tf.bool, [None]))
show(tf.placeholder(tf.string, [None, 2], name="s"), tf.placeholder_with_default([1.0], [None]))
show(tf.placeholder(tf.float32).shape, tf.placeholder(tf.float32, [None, 3]).shape)
show(tf.sparse_placeholder(tf.float32), tf.sparse_placeholder(tf.float32, [2, 3], "sp"))
# --- what a graph knows
with tf.name_scope("s"):
    x = tf.constant(1.0, name="x")
y, _ = tf.identity(x, name="y"), tf.split([1, 2], 2, name="z")
g = tf.get_default_graph()
show(g.get_tensor_by_name("s/x:0"), g.get_operation_by_name("y"), g.as_graph_element("z:1"))
show(g.as_graph_element("y"), g.as_graph_element(y), y.op.inputs[0], len(y.op.outputs))
show(y.op.type, y.op.name, y.value_index, y.consumers(), x.consumers(), y.op.graph is g)
show(x.op.get_attr("dtype"), y.device, y.op.device, y.op.control_inputs, g.version)
# --- a tensor name without a place
tf.constant(1, name="a")
tf.get_default_graph().get_tensor_by_name("a")
# --- a tensor name that is missing
tf.get_default_graph().get_tensor_by_name("a:0")
# --- an output that is missing
tf.constant(1, name="a")
tf.get_default_graph().get_tensor_by_name("a:1")
# --- an operation that is missing
tf.get_default_graph().get_operation_by_name("a")
# --- an operation name that names a tensor
tf.constant(1, name="a")
tf.get_default_graph().get_operation_by_name("a:0")
# --- an element of another kind
tf.get_default_graph().as_graph_element(3)
# --- an element of another graph
x = tf.constant(1)
with tf.Graph().as_default() as g:
    g.as_graph_element(x)
# --- ops of two graphs
a = tf.constant(1.0, name="a")
with tf.Graph().as_default():
    b = tf.constant(1.0, name="b")
    tf.add(a, b, name="sum")
# --- a finalized graph
tf.constant(1)
tf.get_default_graph().finalize()
show(tf.get_default_graph().finalized)
tf.constant(2)
# --- devices
with tf.device("/cpu:0"):
    a = tf.constant(1)
    with tf.device("/gpu:1"):
        b = tf.constant(1)
    with tf.device(None):
        c = tf.constant(1)
with tf.device("/job:ps/task:1"):
    with tf.device("/device:GPU:2"):
        d = tf.constant(1)
with tf.device(lambda op: "/cpu:0" if op.type == "Const" else "/gpu:0"):
    e = tf.identity(tf.constant(1))
show(a.device, b.device, c.device, d.device, e.device, e.op.inputs[0].device)
# --- colocation
a = tf.constant(1, name="a")
with tf.device("/gpu:0"):
    b = tf.constant(1, name="b")
with tf.colocate_with(b):
    c = tf.constant(1, name="c")
show(c.op.colocation_groups(), a.op.colocation_groups(), c.device)
# --- op scope
with tf.op_scope([1.0], "scope", "default") as scope:
    a = tf.constant(1)
with tf.op_scope([1.0], None, "default") as other:
    b = tf.constant(1)
show(scope, other, a, b)
# --- printed forms
x = tf.placeholder(tf.float32, name="x")
y = tf.placeholder(tf.int32, [None, 3], name="y")
show(str(x), repr(x), "{}".format(y), "%s" % y, str(y.shape), repr(y.shape), repr(y.dtype))
show(repr(x.shape), str(x.shape), y.shape.as_list(), y.shape[1], y.shape[0], y.get_shape())
show(x.shape.ndims, y.shape.ndims, y.shape.is_fully_defined(), y.dtype, y.dtype.name)
show(hasattr(x, "numpy"), hasattr(x, "cpu"), hasattr(x, "gpu"))
# --- a graph tensor is no bool
bool(tf.constant(True))
# --- a graph tensor is no iterable
list(tf.constant([1, 2]))
# --- a graph tensor has no length
len(tf.constant([1, 2]))
# --- comparing graph tensors
x = tf.constant(1)
y = tf.constant(1)
show(x == y, x == x, x != y, x is x, {x: 1}[x], len({x, y}), x in [y, x])
