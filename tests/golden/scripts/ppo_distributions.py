# PPO's clipped objective with tf.distributions.Normal; Categorical actor and critic.
import numpy as np
import tensorflow as tf

ds = tf.distributions
tf.set_random_seed(14)
rng = np.random.RandomState(14)
S_DIM, A_DIM, BATCH = 3, 1, 24


class PPO(object):
    def __init__(self, epsilon=0.2):
        self.sess = tf.Session()
        self.tfs = tf.placeholder(tf.float32, [None, S_DIM], 'state')
        with tf.variable_scope('critic'):
            l1 = tf.layers.dense(self.tfs, 10, tf.nn.relu)
            self.v = tf.layers.dense(l1, 1)
            self.tfdc_r = tf.placeholder(tf.float32, [None, 1], 'discounted_r')
            self.advantage = self.tfdc_r - self.v
            self.closs = tf.reduce_mean(tf.square(self.advantage))
        pi, pi_params = self._build_anet('pi', trainable=True)
        oldpi, oldpi_params = self._build_anet('oldpi', trainable=False)
        with tf.variable_scope('sample_action'):
            self.sample_op = tf.squeeze(pi.sample(1, seed=5), axis=0)
        with tf.variable_scope('update_oldpi'):
            self.update_oldpi_op = [oldp.assign(p) for p, oldp in zip(pi_params, oldpi_params)]
        self.tfa = tf.placeholder(tf.float32, [None, A_DIM], 'action')
        self.tfadv = tf.placeholder(tf.float32, [None, 1], 'advantage')
        with tf.variable_scope('loss'):
            ratio = tf.exp(pi.log_prob(self.tfa) - oldpi.log_prob(self.tfa))
            surr = ratio * self.tfadv
            self.kl = tf.reduce_mean(ds.kl_divergence(oldpi, pi))
            self.entropy = tf.reduce_mean(pi.entropy())
            self.aloss = -tf.reduce_mean(tf.minimum(
                surr, tf.clip_by_value(ratio, 1. - epsilon, 1. + epsilon) * self.tfadv)) - 0.01 * self.entropy
        with tf.variable_scope('atrain'):
            self.atrain_op = tf.train.AdamOptimizer(0.01).minimize(self.aloss)
            self.ctrain_op = tf.train.AdamOptimizer(0.02).minimize(self.closs)
        self.pi = pi
        self.sess.run(tf.global_variables_initializer())

    def _build_anet(self, name, trainable):
        with tf.variable_scope(name):
            l1 = tf.layers.dense(self.tfs, 10, tf.nn.relu, trainable=trainable)
            mu = 2 * tf.layers.dense(l1, A_DIM, tf.nn.tanh, trainable=trainable)
            sigma = tf.layers.dense(l1, A_DIM, tf.nn.softplus, trainable=trainable)
            norm_dist = ds.Normal(loc=mu, scale=sigma + 0.1)
        return norm_dist, tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope=name)


ppo = PPO()
print(ppo.pi)
print(ppo.sample_op, ppo.entropy, sep="\n")
for episode in range(4):
    s = rng.randn(BATCH, S_DIM)
    a = ppo.sess.run(ppo.sample_op, {ppo.tfs: s})
    r = -np.abs(a - s[:, :1])
    ppo.sess.run(ppo.update_oldpi_op)
    adv = ppo.sess.run(ppo.advantage, {ppo.tfs: s, ppo.tfdc_r: r})
    feed = {ppo.tfs: s, ppo.tfa: a, ppo.tfadv: adv, ppo.tfdc_r: r}
    for _ in range(4):
        aloss, kl, entropy, _ = ppo.sess.run([ppo.aloss, ppo.kl, ppo.entropy, ppo.atrain_op], feed)
        closs, _ = ppo.sess.run([ppo.closs, ppo.ctrain_op], feed)
    print("episode %d: actor %.4f critic %.4f kl %.5f entropy %.4f reward %.4f" % (
        episode, aloss, closs, kl, entropy, r.mean()))

with tf.Graph().as_default(), tf.Session() as sess:
    tf.set_random_seed(1)
    logits = tf.get_variable("logits", initializer=[0.1, 0.6, -0.3])
    policy = ds.Categorical(logits=logits)
    sample = policy.sample(8, seed=3)
    loss = -tf.reduce_mean(policy.log_prob([0, 1, 1, 2]) * [1.0, 2.0, 0.5, -1.0])
    uniform = ds.Categorical(probs=[1 / 3.] * 3)
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    sess.run(tf.global_variables_initializer())
    print(policy, sess.run(sample))
    print("entropy %.5f kl %.5f" % tuple(sess.run([policy.entropy(), ds.kl_divergence(policy, uniform)])))
    for _ in range(3):
        print("loss %.5f" % sess.run([loss, train])[0])
    beta, gamma = ds.Beta(2.0, 3.0), ds.Gamma(2.0, 0.5)
    print(sess.run([beta.mean(), beta.variance(), gamma.log_prob(1.5), ds.Bernoulli(0.3).prob(1)]))
