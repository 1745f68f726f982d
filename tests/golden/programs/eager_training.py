# --- mean
m = tfe.metrics.Mean("loss")
show(m(0), m(5), m.result(), m([8, 9]), m.result(), m.name, m.variables, m.value()())
show(m([1.0, 2.0], weights=[0.5, 2.0]), m(3.0, 0.5), m.result(), m.init_variables(), m.result())
# --- names of metrics
M = tfe.metrics
show([m.name for m in (M.Mean("loss"), M.Mean("loss"), M.Mean("a b/c"), M.Mean(), M.Accuracy())])
# --- mean of float32
m = tfe.metrics.Mean(dtype=tf.float32)
show(m([1, 2]), m.result())
# --- accuracies
a, c, b, s = tfe.metrics.Accuracy(), tfe.metrics.CategoricalAccuracy(), tfe.metrics.BinaryAccuracy(0.5), tfe.metrics.SparseAccuracy()
i = tf.constant
show(a(labels=i([0, 1, 2, 3]), predictions=i([0, 0, 0, 3])), a.result(), a(i([0, 1]), i([0, 0]), weights=[2.0, 3.0]), a.result())
show(c(i([[0, 0, 1], [0, 1, 0]]), i([[0.1, 0.2, 0.9], [0.9, 0.1, 0.0]])), c.result())
show(b(i([True, False, True, False]), i([0.7, 0.2, 0.3, 0.5])), b.result(), b(i([True]), i([0.7]), weights=[3.0]), b.result())
show(s(i([2, 0]), i([[0.1, 0.2, 0.9], [0.1, 0.9, 0.0]])), s.result())
# --- labels of another shape
tfe.metrics.Accuracy()(tf.constant([0, 1, 2]), tf.constant([0, 1]))
# --- a batch of another size
tfe.metrics.SparseAccuracy()(tf.constant([0, 1]), tf.constant([[0.5, 0.1]]))
# --- a result before a call
tfe.metrics.Mean().result()
# --- a metric without rules
tfe.metrics.Metric()(1.0)
# --- a metric of one's own
class Sums(tfe.metrics.Metric):
    def build(self, x):
        self.total = self.add_variable("total", (2,), tf.float32, tf.ones_initializer())
    def call(self, x):
        self.total.assign_add(x)
        return x
    def result(self):
        return tf.reduce_sum(self.total)
m = Sums()
show(m.variables, m([1.0, 2.0]), m.result(), m.variables, m.name)
m.init_variables()
show(m.result())
other = Sums()
other([3.0, 4.0])
m.aggregate([other, other])
show(m.result())
m.add_variable("late", (), tf.float32)
# --- metrics of graphs
tf.metrics.accuracy([1], [1])
# --- decays
step = tfe.Variable(0, dtype=tf.int64)
T = tf.train
rates = [
    T.exponential_decay(0.1, step, 3, 0.96, staircase=True), T.piecewise_constant(step, [3, 7], [1.0, 0.5, 0.1]),
    T.polynomial_decay(0.1, step, 4, 0.01, cycle=True), T.cosine_decay_restarts(0.1, step, 3), T.linear_cosine_decay(0.1, step, 8),
]
for i in (0, 4, 9):
    step.assign(i)
    show([r() for r in rates])
# --- a decayed learning rate
step, v = tf.train.get_or_create_global_step(), tfe.Variable([1.0, 2.0])
opt = tf.train.AdagradOptimizer(tf.train.exponential_decay(0.5, step, 1, 0.5))
for _ in range(3):
    opt.apply_gradients([(tf.constant([0.5, 1.0]), v)], global_step=step)
show(v, step, opt.get_slot(v, "accumulator"), opt.variables())
# --- pieces that do not fit
tf.train.piecewise_constant(tf.constant(1), [1.0, 2.0], [1.0, 2.0, 3.0])()
# --- an optimizer of one's own
class Decayed(tf.train.Optimizer):
    def __init__(self):
        super(Decayed, self).__init__(use_locking=False, name="Decayed")
    def _create_slots(self, var_list):
        for v in var_list:
            self._zeros_slot(v, "sum", self._name)
        self._create_non_slot_variable(1.0, "power", colocate_with=var_list[0])
    def _prepare(self):
        self._rate_t = tf.convert_to_tensor(0.1, name="rate")
    def _resource_apply_dense(self, grad, handle):
        total = self.get_slot(handle, "sum")
        total.assign_add(grad)
        return handle.assign_sub(self._rate_t * total)
    def _resource_apply_sparse(self, grad, handle, indices):
        return handle.scatter_sub(tf.IndexedSlices(grad * self._rate_t, indices))
    def _finish(self, update_ops, name_scope):
        power = self._get_non_slot_variable("power")
        power.assign(power * 0.5)
        show(len(update_ops))
v, w = tfe.Variable([1.0, 2.0]), tfe.Variable([3.0, 4.0])
opt = Decayed()
for _ in range(2):
    grad = tf.IndexedSlices(tf.constant([1.0, 2.0, 3.0]), tf.constant([1, 0, 1]))
    opt.apply_gradients([(tf.constant([0.5, 1.0]), v), (grad, w)])
show(v, w, opt.get_slot_names(), [x.numpy() for x in opt.variables()])
# --- an optimizer without rules
try:
    tf.train.Optimizer(False, "none").apply_gradients([(tf.constant([1.0]), tfe.Variable([1.0]))])
except NotImplementedError:
    show("no rule")
# --- losses
L, R = tf.losses, tf.losses.Reduction
y, p = np.float32([[1, 0, 1], [0, 1, 1]]), np.float32([[0.2, 0.7, 0.9], [0.1, 0.8, 0.3]])
for r in R.all():
    show([L.huber_loss(y, p, weights=w, delta=0.5, reduction=r) for w in (1.0, 0.3, 0.0, np.float32([[0.5], [2.0]]))])
show(L.cosine_distance(y, p, axis=1), L.mean_pairwise_squared_error(y, p, weights=np.float32([[0.5], [2.0]])), L.get_losses())
# --- pairs with one weight | TensorFlow counts all elements instead of those of an example, eagerly only
show(tf.losses.mean_pairwise_squared_error([[1.0, 0.0], [2.0, 5.0]], [[2.0, 3.0], [1.0, 1.0]]))
# --- weights of another size
tf.losses.huber_loss(np.ones([2, 3]), np.ones([2, 3]), weights=np.ones([2, 2]))
