# --- backend: sequences
K = tf.keras.backend
K.clear_session()
labels = np.array([[1, 2, 0], [2, 1, 1]], "f")
probs = np.linspace(0.05, 0.9, 2 * 4 * 4).reshape(2, 4, 4).astype("f") % 0.31 + 0.1
probs /= probs.sum(-1, keepdims=True)
lengths = np.array([[4], [3]])
cost = K.ctc_batch_cost(K.constant(labels), K.constant(probs), K.constant(lengths, dtype="int32"), K.constant([[2], [3]], dtype="int32"))
decoded, scores = K.ctc_decode(K.constant(probs), K.constant([4, 3], dtype="int32"))
beams, beam_scores = K.ctc_decode(K.constant(probs), K.constant([4, 3], dtype="int32"), greedy=False, beam_width=5, top_paths=2)
sparse = K.ctc_label_dense_to_sparse(K.constant(labels), K.constant([2, 3], dtype="int32"))
session = K.get_session()
show(session.run([cost, decoded, scores, beams, beam_scores]))
found = session.run(sparse)
show(found.indices, found.values, found.dense_shape)
# --- backend: images
K = tf.keras.backend
K.clear_session()
x = K.constant(np.arange(16.).reshape(1, 2, 2, 2, 2))
session = K.get_session()
show(session.run([K.resize_volumes(x, 2, 1, 2, "channels_last"), K.spatial_3d_padding(x, ((1, 0), (0, 1), (1, 1)))]))
show(session.run(K.spatial_2d_padding(K.constant(np.ones((1, 2, 2, 1))), ((1, 0), (0, 2)))))
show(session.run(K.resize_images(K.constant(np.arange(4.).reshape(1, 2, 2, 1)), 2, 3, "channels_last")))
# --- backend: variables
K = tf.keras.backend
K.clear_session()
a, b = K.variable([1., 2.], name="a"), K.variable([[3.]], name="b")
K.batch_set_value([(a, [5., 6.]), (b, [[7.]])])
show(K.batch_get_value([a, b]), K.get_value(a), K.count_params(a), K.int_shape(b), K.dtype(a))
session = K.get_session()
session.run(K.update_sub(a, [1., 1.])), session.run(K.update_add(a, [0.5, 0.5])), session.run(K.update(b, [[2.]]))
show(K.batch_get_value([a, b]))
move = K.moving_average_update(a, K.constant([0., 10.]), 0.5)
session.run(tf.variables_initializer([v for v in tf.global_variables() if v is not a and v is not b]))
session.run(move)
show(K.get_value(a))
# --- backend: a batch normalized
K = tf.keras.backend
K.clear_session()
x = K.constant(np.arange(24.).reshape(2, 3, 4))
gamma, beta = K.constant([1., 2., 1., 0.5]), K.constant([0., 1., 0., -1.])
y, mean, variance = K.normalize_batch_in_training(x, gamma, beta, [0, 1])
z = K.batch_normalization(x, mean, variance, beta, gamma, epsilon=0.01)
show(K.get_session().run([y, mean, variance, z]))
# --- backend: settings
K = tf.keras.backend
K.clear_session()
show(K.floatx(), K.epsilon(), K.image_data_format())
K.set_floatx("float64"), K.set_epsilon(1e-5)
show(K.floatx(), K.epsilon(), K.cast_to_floatx(np.array([1, 2])), K.variable([1.]).dtype.name)
K.set_floatx("float32"), K.set_epsilon(1e-7)
K.set_floatx("complex")
# --- backend: losses under their short names
losses = tf.keras.losses
y, p = tf.constant([[0.2, 0.8], [0.5, 0.5]]), tf.constant([[0.4, 0.6], [0.1, 0.9]])
names = ["KLD", "MAE", "MAPE", "MSE", "MSLE", "kullback_leibler_divergence", "mean_absolute_percentage_error", "mean_squared_logarithmic_error"]
with tf.Session() as session:
    show(session.run([getattr(losses, n)(y, p) for n in names]))
# --- layers under their other names
L = tf.keras.layers
for name in ["AvgPool1D", "AvgPool2D", "Convolution1D", "Convolution2DTranspose", "Convolution2D", "Convolution3DTranspose", "Convolution3D", "GlobalAvgPool1D", "GlobalAvgPool2D", "GlobalAvgPool3D", "GlobalMaxPool1D", "GlobalMaxPool2D", "GlobalMaxPool3D", "MaxPool1D", "SeparableConvolution1D", "SeparableConvolution2D"]:
    show(getattr(L, name).__name__)
# --- constraints
c = tf.keras.constraints
w = tf.constant([[3., 0.1], [4., 0.2]])
with tf.Session() as session:
    show(session.run([c.min_max_norm(0.5, 1., rate=0.9)(w), c.max_norm(2.)(w), c.unit_norm(1)(w), c.non_neg()(w - 1.)]))
show(c.min_max_norm(0.5, 1.).get_config(), c.serialize(c.max_norm(3.)), c.deserialize({"class_name": "UnitNorm", "config": {"axis": 1}}).get_config())
# --- layers at their nodes
L = tf.keras.layers
a, b = tf.keras.Input((3,), name="a"), tf.keras.Input((3,), name="b")
dense = L.Dense(2, name="dense")
x, y = dense(a), dense(b)
model = tf.keras.Model([a, b], [x, y])
show(dense.get_input_at(0), dense.get_output_at(1), dense.get_input_shape_at(1), dense.get_output_shape_at(0), dense.get_input_mask_at(0), dense.get_output_mask_at(1))
show(model.input_shape, model.output_shape, model.compute_mask([a, b], None), model.compute_output_shape([(None, 3), (None, 3)]))
dense.output
# --- a model as YAML | the reference has no PyYAML
model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,), name="d"), tf.keras.layers.Activation("relu", name="r")])
again = tf.keras.models.model_from_yaml(model.to_yaml())
show([l.name for l in again.layers], again.input_shape, again.output_shape, again.get_layer("r").get_config())
# --- classes of a model
tf.keras.backend.clear_session()
model = tf.keras.Sequential([tf.keras.layers.Dense(3, activation="softmax", input_shape=(2,), kernel_initializer=tf.constant_initializer([[1., 2., 0.], [0., -1., 3.]]))])
model.compile("sgd", "mse")
x = np.array([[1., 0.], [0., 1.], [1., 1.]])
show(model.predict_classes(x), model.predict_proba(x))
# --- settings of an optimizer
tf.keras.backend.clear_session()
opt = tf.keras.optimizers.SGD(lr=0.1, momentum=0.9, nesterov=True, clipnorm=1.)
w = tf.keras.backend.variable([3., 4.])
loss = tf.reduce_sum(w * w)
show([g.shape.as_list() for g in opt.get_gradients(loss, [w])])
updates = opt.get_updates(loss, [w])
session = tf.keras.backend.get_session()
session.run(updates), session.run(updates)
show(session.run([w, opt.iterations]), [v.shape for v in opt.get_weights()])
# --- serialization by name
u = tf.keras.utils
class Mine(object):
    def __init__(self, size=1): self.size = size
    def get_config(self): return {"size": self.size}
    @classmethod
    def from_config(cls, config): return cls(**config)
made = u.deserialize_keras_object({"class_name": "Mine", "config": {"size": 4}}, custom_objects={"Mine": Mine})
show(made.size, u.serialize_keras_object(made))
with u.custom_object_scope({"Mine": Mine}):
    show(u.get_custom_objects()["Mine"] is Mine)
u.deserialize_keras_object({"class_name": "Nobody", "config": {}}, printable_module_name="thing")
# --- sources
u = tf.keras.utils
a = tf.keras.Input((3,), name="a")
y = tf.keras.layers.Dense(2)(tf.keras.layers.Dense(2)(a))
show([t.name for t in u.get_source_inputs(y)], u.to_categorical([1, 0, 2], 3), u.normalize(np.array([[3., 4.]])))
# --- sets
a = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1, 2, 3], [2, 2])
b = tf.constant([[2, 5], [3, 3]])
with tf.Session() as session:
    for f in (tf.sets.set_intersection, tf.sets.set_difference, tf.sets.set_union):
        found = session.run(f(tf.cast(a, tf.int32), b))
        show(found.indices, found.values, found.dense_shape)
    show(session.run(tf.sets.set_size(a)))
# --- a saver's memory of checkpoints
import os, tempfile
folder = tempfile.mkdtemp()
v = tf.Variable(1., name="v")
saver = tf.train.Saver(max_to_keep=2)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(3):
        saver.save(session, os.path.join(folder, "m"), global_step=step)
show([os.path.basename(p) for p in saver.last_checkpoints])
other = tf.train.Saver(max_to_keep=3)
other.recover_last_checkpoints([os.path.join(folder, "m-%d" % i) for i in (1, 2)])
show([os.path.basename(p) for p in other.last_checkpoints])
other.set_last_checkpoints(["x", "y"])
show(other.last_checkpoints)
show(len(tf.train.get_checkpoint_mtimes([os.path.join(folder, "m-1"), os.path.join(folder, "m-2")])))
state = tf.train.generate_checkpoint_state_proto(folder, os.path.join(folder, "m-2"), [os.path.join(folder, "m-1")])
show(os.path.basename(state.model_checkpoint_path), [os.path.basename(p) for p in state.all_model_checkpoint_paths])
tf.train.update_checkpoint_state(folder, os.path.join(folder, "m-1"))
show(os.path.basename(tf.train.latest_checkpoint(folder)))
tf.train.remove_checkpoint(os.path.join(folder, "m-2"))
show(sorted(os.listdir(folder)))
show(type(saver.as_saver_def()).__name__, saver.as_saver_def().max_to_keep)
# --- reading a checkpoint
import os, tempfile
path = os.path.join(tempfile.mkdtemp(), "m")
v, w = tf.Variable([1., 2.], name="v"), tf.Variable([[3]], name="w")
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    path = tf.train.Saver().save(session, path)
reader = tf.train.NewCheckpointReader(path)
show(reader.has_tensor("v"), reader.has_tensor("q"), sorted(reader.get_variable_to_shape_map().items()), reader.get_tensor("v"))
show(sorted((k, t.name if hasattr(t, "name") else tf.as_dtype(t).name) for k, t in reader.get_variable_to_dtype_map().items()))
reader.get_tensor("q")
# --- a scaffold
scaffold = tf.train.Scaffold()
v = tf.Variable(1.)
t = tf.train.Scaffold.get_or_default("saver", "mine", lambda: "made")
show(t, tf.get_collection("mine"), tf.train.Scaffold.get_or_default("saver", "mine", lambda: "again"))
scaffold.finalize()
show(scaffold.init_op.name, scaffold.ready_op is not None, scaffold.saver is not None, tf.train.Scaffold.default_local_init_op().type)
# --- a timer of hooks
timer = tf.train.SecondOrStepTimer(every_steps=3)
show(timer.should_trigger_for_step(1), timer.last_triggered_step())
show(timer.update_last_triggered_step(1), timer.should_trigger_for_step(1), timer.should_trigger_for_step(3), timer.should_trigger_for_step(4), timer.last_triggered_step())
tf.train.SecondOrStepTimer(every_secs=1, every_steps=1)
# --- a session manager
v = tf.Variable(3., name="v")
manager = tf.train.SessionManager(ready_op=tf.report_uninitialized_variables(), ready_for_local_init_op=tf.report_uninitialized_variables(tf.global_variables()), local_init_op=tf.no_op())
session = manager.prepare_session("", init_op=tf.global_variables_initializer())
show(session.run(v))
session, restored = manager.recover_session("", saver=tf.train.Saver(), checkpoint_dir=None)
show(restored)
manager.prepare_session("")
# --- checkpoints by a listener
import tempfile, os
class Listener(tf.train.CheckpointSaverListener):
    def begin(self): show("begin")
    def before_save(self, session, step): show("before", int(step))
    def after_save(self, session, step): show("after", int(step))
    def end(self, session, step): show("end", int(step))
folder = tempfile.mkdtemp()
step = tf.train.get_or_create_global_step()
more = tf.assign_add(step, 1)
hook = tf.train.CheckpointSaverHook(folder, save_steps=2, listeners=[Listener()])
with tf.train.SingularMonitoredSession(hooks=[hook]) as session:
    for _ in range(4):
        session.run(more)
show(sorted(n for n in os.listdir(folder) if n.endswith("index")))
# --- steps by a function
step = tf.train.get_or_create_global_step()
more = tf.assign_add(step, 1)
def run(context):
    show(context.session is not None, context.run_with_hooks(more))
    return 7
with tf.train.MonitoredSession() as session:
    show(session.run_step_fn(run), session.should_stop())
    session.run_step_fn(lambda: 1)
# --- a thread that loops
found = []
coordinator = tf.train.Coordinator()
def work(a, b=0):
    found.append(a + b)
    if len(found) == 3:
        coordinator.request_stop()
thread = tf.train.LooperThread(coordinator, None, target=work, args=[1], kwargs={"b": 2})
thread.start()
coordinator.join([thread])
show(found)
# --- events of a writer | 1.12 writes over the first file where a second has not passed
import tempfile, os
folder = tempfile.mkdtemp()
writer = tf.summary.FileWriter(folder)
writer.add_graph(tf.get_default_graph())
writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=1.5)]), 3)
writer.add_event(tf.Event(wall_time=1., step=5, file_version="mine"))
writer.add_session_log(tf.SessionLog(status=tf.SessionLog.START), 6)
show(os.path.basename(writer.get_logdir()) == os.path.basename(folder))
writer.close(), writer.reopen()
writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="b", simple_value=2.)]).SerializeToString(), 9)
writer.close()
kinds = []
for name in sorted(os.listdir(folder)):
    for event in tf.train.summary_iterator(os.path.join(folder, name)):
        kinds.append((event.WhichOneof("what"), event.step))
show(sorted(kinds))
# --- outputs of an export
x = tf.placeholder(tf.float32, [None], name="x")
e = tf.estimator.export
for out in (e.ClassificationOutput(scores=x), e.RegressionOutput(x), e.PredictOutput({"y": x})):
    sig = out.as_signature_def({"examples": tf.placeholder(tf.string, [None])} if not isinstance(out, e.PredictOutput) else {"x": x})
    show(sig.method_name, sorted(sig.inputs), sorted(sig.outputs))
e.RegressionOutput(tf.placeholder(tf.string))
# --- words as numbers
with tf.Session() as session:
    show(session.run([tf.string_to_hash_bucket_fast(["a", "bc", ""], 97), tf.string_to_hash_bucket(["a", "bc"], 97), tf.strings.to_hash_bucket_strong(["a", "bc"], 97, [3, 4]), tf.strings.to_number(["1.5", "-2"]), tf.strings.regex_full_match(["ab", "b"], "a.*")]))
# --- safe lookups
table = tf.Variable(np.arange(8.).reshape(4, 2), dtype=tf.float32)
ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([1, -1, 2], tf.int64), [3, 2])
weights = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1., 2., 0.], [3, 2])
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    show(session.run([tf.nn.safe_embedding_lookup_sparse([table], ids), tf.nn.safe_embedding_lookup_sparse([table], ids, weights, default_id=3, combiner="sum")]))
# --- signatures
info = tf.saved_model.build_tensor_info(tf.placeholder(tf.float32, [None, 2], name="p"))
show(info.name, info.dtype, [d.size for d in info.tensor_shape.dim])
# --- the beam search of CTC
random = np.random.RandomState(3)
x, lengths = tf.constant(random.randn(7, 3, 4).astype("f") * 2), [7, 4, 1]
found = [tf.nn.ctc_beam_search_decoder(x, lengths, beam_width=w, top_paths=p, merge_repeated=m) for w, p, m in [(2, 1, True), (5, 2, False), (50, 2, True)]]
show(found[1][0][1].indices, found[1][0][1].dense_shape, found[1][1])
with tf.Session() as session:
    for decoded, scores in session.run(found):
        show([list(d) for d in decoded], scores)
# --- more paths than beams
paths = tf.nn.ctc_beam_search_decoder(tf.zeros([2, 1, 3]), [2], beam_width=2, top_paths=3)
tf.Session().run(paths[1])
# --- more paths than there are
paths = tf.nn.ctc_beam_search_decoder(tf.zeros([1, 1, 3]), [1], beam_width=10, top_paths=5)
tf.Session().run(paths[1])
# --- a length beyond the steps
paths = tf.nn.ctc_beam_search_decoder(tf.zeros([2, 1, 3]), [3])
tf.Session().run(paths[1])
