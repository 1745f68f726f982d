# --- slots
w, b = tf.Variable([1.0, 2.0], name="w"), tf.get_variable("b", initializer=3.0, use_resource=True)
loss = tf.reduce_sum(w * w) * b
T = tf.train
for o in (T.AdagradOptimizer(0.1), T.AdadeltaOptimizer(), T.RMSPropOptimizer(0.1), T.RMSPropOptimizer(0.1, centered=True), T.FtrlOptimizer(0.1), T.ProximalAdagradOptimizer(0.1), T.ProximalGradientDescentOptimizer(0.1), T.AdagradDAOptimizer(0.1, tf.train.get_or_create_global_step())):
    train = o.minimize(loss)
    names = o.get_slot_names()
    show(train, names, [o.get_slot(v, n) for n in names for v in (w, b)], o.variables(), o.get_slot(w, "none"), o.get_name())
show(tf.trainable_variables())
# --- the nodes of rmsprop
w = tf.Variable([1.0, 2.0], name="w")
count = len(tf.get_default_graph().get_operations())
tf.train.RMSPropOptimizer(0.1).apply_gradients([(tf.constant([1.0, 1.0], name="g"), w)])
show([n.name for n in tf.get_default_graph().get_operations()[count:]], [n.type for n in tf.get_default_graph().get_operations()[count:]])
# --- the nodes of sparse adam
w = tf.Variable([[1.0, 2.0]], name="w")
count = len(tf.get_default_graph().get_operations())
g = tf.IndexedSlices(tf.constant([[1.0, 1.0]], name="g"), tf.constant([0], name="i"))
tf.train.AdamOptimizer(0.1).apply_gradients([(g, w)])
show([n.name for n in tf.get_default_graph().get_operations()[count:]], [n.type for n in tf.get_default_graph().get_operations()[count:]])
# --- locking
w = tf.Variable([1.0, 2.0], name="w")
T = tf.train
for o in (T.AdagradOptimizer(0.1, use_locking=True), T.GradientDescentOptimizer(0.1, use_locking=True), T.MomentumOptimizer(0.1, 0.9, use_locking=True), T.AdamOptimizer(use_locking=True), T.AdamOptimizer(name="plain")):
    o.minimize(tf.reduce_sum(w))
show([n.get_attr("use_locking") for n in tf.get_default_graph().get_operations() if n.type.startswith("Apply")])
# --- an optimizer of one's own
class Decayed(tf.train.Optimizer):
    def __init__(self, rate, name="Decayed"):
        super(Decayed, self).__init__(False, name)
        self._rate = rate
    def _create_slots(self, var_list):
        for v in var_list:
            self._zeros_slot(v, "sum", self._name)
            self._get_or_make_slot(v, tf.ones([2]), "ones", self._name)
            self._get_or_make_slot_with_initializer(v, tf.constant_initializer(0.5), v.get_shape(), v.dtype.base_dtype, "half", self._name)
        first = min(var_list, key=lambda x: x.name)
        self._create_non_slot_variable(initial_value=1.0, name="power", colocate_with=first)
    def _prepare(self):
        self._rate_t = tf.convert_to_tensor(self._call_if_callable(self._rate), name="rate")
    def _apply_dense(self, grad, var):
        total, half = self.get_slot(var, "sum"), self.get_slot(var, "half")
        total_t = total.assign_add(grad)
        step = tf.cast(self._rate_t, var.dtype.base_dtype) * total_t * half
        return tf.group(var.assign_sub(step), total_t)
    def _resource_apply_dense(self, grad, handle):
        return self._apply_dense(grad, handle)
    def _apply_sparse(self, grad, var):
        return var.scatter_sub(tf.IndexedSlices(grad.values * self._rate_t, grad.indices))
    def _resource_apply_sparse(self, grad, handle, indices):
        return handle.scatter_add(tf.IndexedSlices(-grad * self._rate_t, indices))
    def _finish(self, update_ops, name_scope):
        power = self._get_non_slot_variable("power", graph=tf.get_default_graph())
        with tf.control_dependencies(update_ops):
            again = power.assign(power * 0.5)
        return tf.group(*(update_ops + [again]), name=name_scope)
for use_resource in (False, True):
    name = "r" if use_resource else "v"
    v = tf.get_variable(name, initializer=[1.0, 2.0], use_resource=use_resource)
    w = tf.get_variable(name + "w", initializer=[3.0, 4.0], use_resource=use_resource)
    opt = Decayed(lambda: 0.1)
    grad = tf.IndexedSlices(tf.constant([1.0, 2.0, 3.0]), tf.constant([1, 0, 1]))
    train = opt.apply_gradients([(tf.constant([0.5, 1.0]), v), (grad, w)])
    show(train, opt.get_slot_names(), opt.variables())
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(train)
        show(sess.run([v, w]), sess.run(opt.variables()))
# --- an optimizer without rules
v = tf.Variable([1.0])
try:
    tf.train.Optimizer(False, "none").apply_gradients([(tf.constant([1.0]), v)])
except NotImplementedError:
    show("no rule")
# --- a constraint with sparse gradients
v = tf.get_variable("v", initializer=[1.0, 2.0], constraint=lambda x: x)
tf.train.GradientDescentOptimizer(0.1).apply_gradients([(tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])), v)])
# --- numbers out of range: adagrad
tf.train.AdagradOptimizer(0.1, initial_accumulator_value=0.0)
# --- numbers out of range: proximal adagrad
tf.train.ProximalAdagradOptimizer(0.1, initial_accumulator_value=-1.0)
# --- numbers out of range: adagrad da
tf.train.AdagradDAOptimizer(0.1, None, initial_gradient_squared_accumulator_value=0.0)
# --- numbers out of range: ftrl start
tf.train.FtrlOptimizer(0.1, initial_accumulator_value=-0.5)
# --- numbers out of range: ftrl power
tf.train.FtrlOptimizer(0.1, learning_rate_power=0.5)
# --- numbers out of range: ftrl l1
tf.train.FtrlOptimizer(0.1, l1_regularization_strength=-0.5)
# --- numbers out of range: ftrl shrinkage
tf.train.FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=-0.5)
# --- decays
step = tf.placeholder(tf.int64, [])
T = tf.train
rates = [
    T.exponential_decay(0.1, step, 3, 0.96), T.exponential_decay(0.1, step, 3, 0.96, staircase=True, name="mine"),
    T.piecewise_constant(step, [3, 7], [1.0, 0.5, 0.1]), T.polynomial_decay(0.1, step, 5, 0.01, power=0.5),
    T.polynomial_decay(0.1, step, 4, 0.01, power=2.0, cycle=True), T.natural_exp_decay(0.1, step, 5, 0.5, staircase=True),
    T.inverse_time_decay(0.1, step, 5, 0.5), T.cosine_decay(0.1, step, 8, alpha=0.2), T.cosine_decay_restarts(0.1, step, 3),
    T.cosine_decay_restarts(0.1, step, 3, t_mul=1.0, m_mul=0.9), T.linear_cosine_decay(0.1, step, 8, 2.0, 0.1, 0.2),
    T.noisy_linear_cosine_decay(0.1, step, 8, initial_variance=0.0),
]
show([r.name for r in rates])
with tf.Session() as sess:
    show([sess.run(rates, {step: i}) for i in range(0, 10, 3)])
# --- a decay without a step
tf.train.exponential_decay(0.1, None, 3, 0.9)
# --- a cosine decay without a step
tf.train.cosine_decay_restarts(0.1, None, 3)
# --- pieces that do not fit
tf.train.piecewise_constant(tf.constant(1), [1, 2], [1.0])
# --- bounds of another dtype
tf.train.piecewise_constant(tf.constant(1), [1.0, 2.0], [1.0, 2.0, 3.0])
# --- values of several dtypes
tf.train.piecewise_constant(tf.constant(1), [1, 2], [1.0, 2, 3.0])
# --- moving averages
v = tf.get_variable("v", initializer=[10.0, 11.0])
w = tf.get_variable("w", initializer=3.0, use_resource=True)
t = v * 2
ema = tf.train.ExponentialMovingAverage(0.9, num_updates=5, zero_debias=True)
up, all_of_them = ema.apply([v, t]), ema.apply()
show(up, all_of_them, ema.average(v), ema.average(t), ema.average(w), ema.average(tf.zeros([])), ema.name)
show([ema.average_name(x) for x in (v, w, t)], sorted((k, x.name) for k, x in ema.variables_to_restore().items()))
show(sorted((k, x.name) for k, x in ema.variables_to_restore([w]).items()), tf.moving_average_variables(), tf.global_variables())
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        sess.run(v.assign([1.0 * i, 2.0 * i]))
        sess.run(up)
        show(sess.run([ema.average(v), ema.average(t)]))
    sess.run(all_of_them)
    show(sess.run(tf.global_variables()))
# --- a moving average of integers
tf.train.ExponentialMovingAverage(0.9).apply([tf.Variable(1)])
