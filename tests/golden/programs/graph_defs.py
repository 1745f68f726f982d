# --- nodes of a graph
x = tf.placeholder(tf.float32, [None, 3], name="x")
y = tf.matmul(x, tf.ones([3, 2]), name="y")
z = tf.reduce_mean(tf.concat([y, y + 1.0], 1), axis=[0], keepdims=True, name="z")
for node in tf.get_default_graph().as_graph_def().node:
    show((node.name, node.op, list(node.input), node.device, sorted(node.attr)))
# --- a node as text
a = tf.constant([[1.5, 2.0]], name="a")
show(str(tf.matmul(a, a, transpose_b=True, name="m").op), str(a.op.node_def.name))
# --- nodes of constants
for value, dtype in (
    (1.5, tf.float32), ([1, 2], tf.int32), ([True, False], tf.bool), (["a", "b"], None),
    ([1 + 2j], tf.complex64), ([1.0, 2.0], tf.float16), ([], tf.float32),
    (3, tf.int64), ([[1], [2]], tf.int16),
):
    show(str(tf.constant(value, dtype).op))
# --- the node of a placeholder
show(str(tf.placeholder(tf.int32, [2, None], name="p").op))
show(str(tf.placeholder(tf.int32, name="q").op))
# --- the nodes of a convolution
x = tf.placeholder(tf.float32, [1, 8, 8, 3])
y = tf.nn.conv2d(x, tf.zeros([3, 3, 3, 4]), [1, 2, 2, 1], "SAME")
y = tf.nn.max_pool(tf.nn.bias_add(y, [1.0] * 4), [1, 2, 2, 1], [1, 2, 2, 1], "VALID")
show(*[str(n) for n in tf.get_default_graph().get_operations() if n.type != "Const"])
# --- the nodes of slices, splits and stacks
x = tf.placeholder(tf.float32, [4, 4], name="x")
y = tf.stack(tf.split(x[1:, ::2], 2, axis=1) + tf.unstack(x[:2, :2])[:0])
show(*[str(n) for n in tf.get_default_graph().get_operations() if n.type != "Const"])
# --- control inputs come after the others
a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
with tf.control_dependencies([b, tf.no_op(name="n")]):
    show(list(tf.add(a, a, name="c").op.node_def.input))
    show(list(tf.identity(b, name="d").op.node_def.input))
# --- devices
with tf.device("/gpu:1"):
    a = tf.constant(1.0)
show(a.op.node_def.device)
# --- shapes beside the nodes
x = tf.placeholder(tf.float32, [None, 3], name="x")
y = tf.split(x, 3, axis=1)
for node in tf.get_default_graph().as_graph_def(add_shapes=True).node:
    shapes = node.attr["_output_shapes"].list.shape
    show((node.name, [[d.size for d in s.dim] for s in shapes]))
# --- only what is new
tf.constant(1.0, name="a")
version = tf.get_default_graph().version
tf.constant(1.0, name="b")
found = tf.get_default_graph().as_graph_def(from_version=version)
show([n.name for n in found.node], found.versions.producer)
# --- attributes
m = tf.nn.max_pool(tf.ones([1, 2, 2, 1]), [1, 2, 2, 1], [1, 1, 1, 1], "SAME").op
show(m.get_attr("T"), m.get_attr("padding"), m.get_attr("ksize"), m.get_attr("strides"))
show(tf.placeholder(tf.int32, [2, None]).op.get_attr("shape").dim[1].size)
show(tf.constant(3.0).op.get_attr("value").float_val[0])
show(tf.add_n([1.0, 2.0]).op.get_attr("N"), m.op_def.name, m.op_def.attr[0].name)
# --- an attribute that is not there
tf.constant(1.0, name="c").op.get_attr("nothing")
# --- marks
op = tf.constant(1.0).op
op._set_attr("_mine", tf.AttrValue(i=3))
show(op.get_attr("_mine"), op.node_def.attr["_mine"].i, op.colocation_groups())
# --- import under a prefix
a = tf.constant(1.0, name="a") + tf.constant(2.0, name="b")
found = tf.get_default_graph().as_graph_def()
with tf.Graph().as_default() as g:
    show(tf.import_graph_def(found))
    show(tf.import_graph_def(found, return_elements=["add", "add:0"], name="two"))
    show(tf.import_graph_def(found, return_elements=["add"], name=""))
    show(tf.import_graph_def(found, return_elements=["add"], name=""))
    with tf.name_scope("s"):
        show(tf.import_graph_def(found, return_elements=["add"]))
        show(tf.import_graph_def(found, return_elements=["add"], name="t"))
    show([n.name for n in g.get_operations()], tf.constant(1, name="a").name)
# --- import and run
x = tf.placeholder(tf.float32, [2], name="x")
tf.multiply(x, [2.0, 3.0], name="y")
found = tf.get_default_graph().as_graph_def()
with tf.Graph().as_default(), tf.Session() as sess:
    y, = tf.import_graph_def(found, return_elements=["y:0"])
    show(y, sess.run(y, {"import/x:0": [1.0, 2.0]}))
# --- import with tensors in the place of others
tf.negative(tf.constant(1.0, name="a"), name="b")
found = tf.get_default_graph().as_graph_def()
with tf.Graph().as_default() as g, tf.Session() as sess:
    b, a = tf.import_graph_def(
        found, {"a:0": tf.constant(5.0)}, return_elements=["b:0", "a:0"]
    )
    show(sess.run(b), a, [n.name for n in g.get_operations()])
    b, = tf.import_graph_def(found, {"a": 7.0}, return_elements=["b:0"])
    show(sess.run(b), [n.name for n in g.get_operations()])
# --- a mapped value needs a prefix
tf.negative(tf.constant(1.0, name="a"), name="b")
tf.import_graph_def(tf.get_default_graph().as_graph_def(), {"a:0": 3.0}, name="")
# --- a mapped name that is not there
tf.constant(1.0, name="a")
tf.import_graph_def(tf.get_default_graph().as_graph_def(), {"q:0": tf.zeros([])})
# --- an element that is not there
tf.constant(1.0, name="a")
tf.import_graph_def(tf.get_default_graph().as_graph_def(), return_elements=["q:0"])
# --- an output that is not there
tf.constant(1.0, name="a")
tf.import_graph_def(tf.get_default_graph().as_graph_def(), return_elements=["a:3"])
# --- no GraphDef
tf.import_graph_def("text")
# --- a map that is none
tf.import_graph_def(tf.GraphDef(), input_map=[1])
# --- an input that is not there
tf.import_graph_def(tf.GraphDef(node=[tf.NodeDef(name="a", op="NoOp", input=["^b"])]))
# --- a name twice
node = tf.NodeDef(name="a", op="NoOp")
tf.import_graph_def(tf.GraphDef(node=[node, node]))
# --- a name that is none
tf.import_graph_def(tf.GraphDef(node=[tf.NodeDef(name="a b", op="NoOp")]))
# --- a circle
nodes = [("a", "^b"), ("b", "^a")]
nodes = [tf.NodeDef(name=n, op="NoOp", input=[i]) for n, i in nodes]
tf.import_graph_def(tf.GraphDef(node=nodes))
# --- an attribute is missing
node = tf.NodeDef(name="p", op="Placeholder")
tf.import_graph_def(tf.GraphDef(node=[node]))
# --- an attribute that the op has not
node = tf.NodeDef(name="p", op="NoOp", attr={"T": tf.AttrValue(type=1)})
tf.import_graph_def(tf.GraphDef(node=[node]))
# --- a type that the op does not take
tf.constant(True, name="a")
found = tf.get_default_graph().as_graph_def()
node = tf.NodeDef(name="b", op="Neg", input=["a"], attr={"T": tf.AttrValue(type=10)})
found.node.extend([node])
tf.import_graph_def(found)
# --- a type that the input has not
tf.constant(True, name="a")
found = tf.get_default_graph().as_graph_def()
node = tf.NodeDef(name="b", op="Neg", input=["a"], attr={"T": tf.AttrValue(type=1)})
found.node.extend([node])
tf.import_graph_def(found)
# --- shapes that do not fit
tf.constant([1.0], name="a")
found = tf.get_default_graph().as_graph_def()
attr = {"T": tf.AttrValue(type=1)}
node = tf.NodeDef(name="b", op="MatMul", input=["a", "a"], attr=attr)
found.node.extend([node])
tf.import_graph_def(found)
# --- an op that TensorFlow has dropped
tf.placeholder(tf.complex64, [2], name="a")
found = tf.get_default_graph().as_graph_def()
found.node.extend([tf.NodeDef(name="b", op="BatchFFT", input=["a"])])
tf.import_graph_def(found)
# --- the order of nodes
nodes = [("c", ["^b"]), ("x", []), ("b", ["^a"]), ("a", []), ("y", ["^x"])]
nodes = [tf.NodeDef(name=n, op="NoOp", input=i) for n, i in nodes]
tf.import_graph_def(tf.GraphDef(node=nodes), name="")
show([n.name for n in tf.get_default_graph().get_operations()])
# --- a scalar placeholder of an old version
tf.placeholder(tf.float32, [], name="a")
found = tf.get_default_graph().as_graph_def()
for version in (22, 21, 22):
    found.versions.producer = version
    show(str(tf.import_graph_def(found, return_elements=["a:0"])[0].shape))
    show(tf.get_default_graph().graph_def_versions.producer)
# --- too new
tf.import_graph_def(tf.GraphDef(versions={"producer": 30, "min_consumer": 28}))
# --- cut out
a = tf.constant(1.0, name="a")
tf.negative(a, name="b")
tf.exp(a, name="c")
found = tf.get_default_graph().as_graph_def()
show([n.name for n in tf.graph_util.extract_sub_graph(found, ["c"]).node])
tf.graph_util.extract_sub_graph(found, "c")
# --- frozen
v = tf.Variable([1.0, 2.0], name="v")
w = tf.get_variable("w", [2], initializer=tf.ones_initializer(), use_resource=True)
y = tf.add(v * 2.0, w, name="y")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    found = tf.get_default_graph().as_graph_def()
    frozen = tf.graph_util.convert_variables_to_constants(sess, found, ["y"])
for node in frozen.node:
    show((node.name, node.op, list(node.input)))
with tf.Graph().as_default(), tf.Session() as sess:
    y, = tf.import_graph_def(frozen, return_elements=["y:0"])
    show(sess.run(y))
# --- without what training needs
a = tf.identity(tf.identity(tf.constant(1.0, name="a")), name="b")
with tf.control_dependencies([tf.check_numerics(a, "no", name="d")]):
    tf.negative(a, name="c")
found = tf.graph_util.remove_training_nodes(tf.get_default_graph().as_graph_def())
show([(n.name, n.op, list(n.input)) for n in found.node])
# --- GraphDefs that are equal
a = tf.constant(1.0, name="a")
one = tf.get_default_graph().as_graph_def()
tf.test.assert_equal_graph_def(one, tf.get_default_graph().as_graph_def())
tf.constant(1.0, name="b")
tf.test.assert_equal_graph_def(one, tf.get_default_graph().as_graph_def())
# --- GraphDefs that differ
tf.constant(1.0, name="a")
one = tf.get_default_graph().as_graph_def()
with tf.Graph().as_default() as g:
    tf.constant(2.0, name="a")
tf.test.assert_equal_graph_def(one, g.as_graph_def())
# --- a MetaGraph
x = tf.placeholder(tf.float32, [None, 2], name="x")
with tf.variable_scope("outer"):
    w = tf.get_variable("w", [2, 2], initializer=tf.ones_initializer())
    y = tf.matmul(x, w, name="y")
tf.add_to_collection("mine", y)
tf.add_to_collection("words", "hello")
tf.add_to_collection("numbers", 3)
meta = tf.train.export_meta_graph()
show(sorted(meta.collection_def), list(meta.collection_def["mine"].node_list.value))
show([op.name for op in meta.meta_info_def.stripped_op_list.op])
tf.reset_default_graph()
show(tf.train.import_meta_graph(meta) is None)
show(tf.global_variables(), tf.trainable_variables(), tf.get_collection("mine"))
show(tf.get_collection("words"), tf.get_collection("numbers"))
tf.train.import_meta_graph(meta, import_scope="s")
show(tf.global_variables(), tf.get_collection("mine"))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run("s/outer/y:0", {"s/x:0": [[1.0, 2.0]]}))
# --- a scope of a MetaGraph
a = tf.constant(1.0, name="a")
with tf.name_scope("s"):
    tf.negative(a, name="b")
meta = tf.train.export_meta_graph(export_scope="s")
show([(n.name, list(n.input)) for n in meta.graph_def.node])
show([n.decode() for n in meta.collection_def["unbound_inputs"].bytes_list.value])
tf.reset_default_graph()
c = tf.constant(1.0)
tf.train.import_meta_graph(meta, input_map={"$unbound_inputs_a": c})
show([(n.name, [t.name for t in n.inputs])
      for n in tf.get_default_graph().get_operations()])
tf.train.import_meta_graph(meta)
# --- a MetaGraph that is not there
tf.train.import_meta_graph("/nowhere/model.meta")
