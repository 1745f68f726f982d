# Bayesian regressions by variational inference: tf.distributions and its divergences.
import numpy as np
import tensorflow as tf

tfd = tf.distributions
np.random.seed(11)
tf.set_random_seed(11)

D, N, BATCH = 3, 64, 16
true_w = np.array([1.5, -2.0, 0.5], np.float32)
X = np.random.randn(N, D).astype(np.float32)
Y = X.dot(true_w) + 0.3 + 0.1 * np.random.randn(N).astype(np.float32)
C = (np.random.rand(N) < 1 / (1 + np.exp(-X.dot(true_w)))).astype(np.int32)


def gaussian_posterior(shape, name):
    with tf.variable_scope(name):
        loc = tf.get_variable('loc', shape, initializer=tf.random_normal_initializer(stddev=0.1))
        rho = tf.get_variable('rho', shape, initializer=tf.constant_initializer(-2.0))
        return tfd.Normal(loc=loc, scale=tf.nn.softplus(rho), name=name)


dataset = tf.data.Dataset.from_tensor_slices((X, Y, C)).repeat().batch(BATCH)
xs, ys, cs = dataset.make_one_shot_iterator().get_next()

with tf.variable_scope('linear'):
    qw = gaussian_posterior([D], 'qw')
    qb = gaussian_posterior([], 'qb')
    a = tf.get_variable('a', [], initializer=tf.constant_initializer(3.0))
    b = tf.get_variable('b', [], initializer=tf.ones_initializer())
    q_precision = tfd.Gamma(tf.nn.softplus(a), tf.nn.softplus(b), name='q_precision')
    w = qw.sample(seed=1)
    bias = qb.sample()
    mean = tf.tensordot(xs, w, 1) + bias
    likelihood = tfd.Normal(mean, tf.rsqrt(q_precision.mean()))
    log_lik = tf.reduce_mean(likelihood.log_prob(ys)) * N
    kls = [
        tf.reduce_sum(tfd.kl_divergence(qw, tfd.Normal(tf.zeros([D]), tf.ones([D])))),
        tfd.kl_divergence(qb, tfd.Normal(0.0, 10.0)),
        tfd.kl_divergence(q_precision, tfd.Gamma(2.0, 1.0)),
    ]
    loss = -(log_lik - tf.add_n(kls)) / N

with tf.variable_scope('logistic'):
    rw = gaussian_posterior([D], 'rw')
    draws = rw.sample(4)
    logits = tf.matmul(draws, xs, transpose_b=True)
    labels = tfd.Bernoulli(logits=logits, dtype=tf.int32)
    log_lik2 = tf.reduce_mean(labels.log_prob(cs[tf.newaxis, :])) * N
    weights_prior = tfd.StudentT(df=4.0, loc=0.0, scale=1.0)
    # no closed form: the divergence is estimated from the same draws
    kl2 = tf.reduce_mean(tf.reduce_sum(rw.log_prob(draws) - weights_prior.log_prob(draws), 1))
    loss2 = (kl2 - log_lik2) / N

for t in [w, bias, log_lik, kls[0], kls[2], loss, draws, log_lik2, kl2, loss2]:
    print(t)
for d in [qw, qb, q_precision, likelihood, labels, weights_prior]:
    print(d)

step = tf.train.get_or_create_global_step()
linear_vars = tf.trainable_variables('linear')
logistic_vars = tf.trainable_variables('logistic')
print([v.name for v in linear_vars], [v.op.name for v in logistic_vars])
train = tf.group(
    tf.train.AdamOptimizer(0.1).minimize(loss, var_list=linear_vars),
    tf.train.RMSPropOptimizer(0.05, momentum=0.5, centered=True).minimize(
        loss2, global_step=step, var_list=logistic_vars))
interval = tf.stack([qw.quantile(0.05), qw.mean(), qw.quantile(0.95)], axis=1)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(25):
        _, l1, l2 = sess.run([train, loss, loss2])
        if i % 6 == 0:
            print('step %d  linear %.4f  logistic %.4f' % (sess.run(step), l1, l2))
    print(sess.run(interval).round(3))
    print('noise %.4f' % sess.run(tf.rsqrt(q_precision.mean())), sess.run(rw.mean()).round(3))
    print(sess.run([qw.entropy(), rw.stddev(), q_precision.mode()]))
    print(sess.run([q_precision.cdf([1.0, 3.0]), weights_prior.prob([0.0, 2.0])]))

try:
    tfd.kl_divergence(qw, tfd.Uniform())
except NotImplementedError as e:
    print(e)


@tfd.RegisterKL(tfd.Laplace, tfd.Normal)
def _kl_laplace_normal(p, q, name=None):
    with tf.name_scope(name, 'kl_laplace_normal'):
        second = tf.square(p.loc - q.loc) + 2 * tf.square(p.scale)
        cross = 0.5 * second / tf.square(q.scale) + tf.log(q.scale) + 0.5 * np.log(2 * np.pi)
        return cross - p.entropy()


kl = tfd.kl_divergence(tfd.Laplace(0.5, [1.0, 2.0]), tfd.Normal(0.0, 3.0))
with tf.Session() as sess:
    print(kl, sess.run(kl).round(5))
    dirichlets = [tfd.Dirichlet([1.0, 2.0, 3.0]), tfd.Dirichlet([2.0, 2.0, 2.0])]
    betas = [tfd.Beta(2.0, 3.0), tfd.Beta([1.0, 4.0], 1.5)]
    cats = [tfd.Categorical(logits=[0.1, 0.5, -1.0]), tfd.Categorical(probs=[0.2, 0.3, 0.5])]
    for p, q in (dirichlets, betas, cats):
        both = [p.kl_divergence(q), p.cross_entropy(q) - p.entropy()]
        print(both[0], *[x.round(5) for x in sess.run(both)])
    try:
        bad = tfd.Normal(0.0, -1.0, validate_args=True)
        sess.run(bad.sample())
    except tf.errors.InvalidArgumentError as e:
        print(e.message.split('\n')[0])
