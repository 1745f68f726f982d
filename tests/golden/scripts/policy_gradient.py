# REINFORCE on a corridor of our own: actions from tf.multinomial, discounted rewards.
import numpy as np
import tensorflow as tf


class Corridor(object):
    """Walk right to the goal; five cells, a step costs a little."""

    def __init__(self):
        self.place = 0

    def reset(self):
        self.place, self.steps = 0, 0
        return self.observe()

    def observe(self):
        return np.eye(5)[self.place]

    def step(self, action):
        self.place = max(0, min(4, self.place + (1 if action == 1 else -1)))
        self.steps += 1
        done = self.place == 4 or self.steps >= 12
        return self.observe(), 1.0 if self.place == 4 else -0.1, done


class PolicyGradient:
    def __init__(self, n_actions, n_features, learning_rate=0.05, reward_decay=0.95):
        self.gamma = reward_decay
        self.ep_obs, self.ep_as, self.ep_rs = [], [], []
        with tf.name_scope('inputs'):
            self.tf_obs = tf.placeholder(tf.float32, [None, n_features], name="observations")
            self.tf_acts = tf.placeholder(tf.int32, [None, ], name="actions_num")
            self.tf_vt = tf.placeholder(tf.float32, [None, ], name="actions_value")
        layer = tf.layers.dense(inputs=self.tf_obs, units=8, activation=tf.nn.tanh,
                                kernel_initializer=tf.random_normal_initializer(mean=0, stddev=0.3),
                                bias_initializer=tf.constant_initializer(0.1), name='fc1')
        all_act = tf.layers.dense(inputs=layer, units=n_actions, activation=None,
                                  kernel_initializer=tf.random_normal_initializer(mean=0, stddev=0.3),
                                  name='fc2')
        self.all_act_prob = tf.nn.softmax(all_act, name='act_prob')
        self.action = tf.squeeze(tf.multinomial(all_act, 1), axis=1)
        with tf.name_scope('loss'):
            neg_log_prob = tf.reduce_sum(
                -tf.log(self.all_act_prob) * tf.one_hot(self.tf_acts, n_actions), axis=1)
            self.loss = tf.reduce_mean(neg_log_prob * self.tf_vt)
        with tf.name_scope('train'):
            self.train_op = tf.train.AdamOptimizer(learning_rate).minimize(self.loss)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def choose_action(self, observation):
        return self.sess.run(self.action, {self.tf_obs: observation[np.newaxis, :]})[0]

    def learn(self):
        discounted, running = np.zeros_like(self.ep_rs), 0
        for t in reversed(range(len(self.ep_rs))):
            running = running * self.gamma + self.ep_rs[t]
            discounted[t] = running
        discounted = (discounted - np.mean(discounted)) / (np.std(discounted) + 1e-8)
        loss, _ = self.sess.run([self.loss, self.train_op], {
            self.tf_obs: np.vstack(self.ep_obs), self.tf_acts: np.array(self.ep_as),
            self.tf_vt: discounted})
        self.ep_obs, self.ep_as, self.ep_rs = [], [], []
        return loss


tf.set_random_seed(1)
env, agent = Corridor(), PolicyGradient(2, 5)
print(agent.action, agent.all_act_prob)
lengths = []
for episode in range(25):
    observation = env.reset()
    while True:
        action = agent.choose_action(observation)
        after, reward, done = env.step(action)
        agent.ep_obs.append(observation)
        agent.ep_as.append(action)
        agent.ep_rs.append(reward)
        observation = after
        if done:
            break
    lengths.append(env.steps)
    actions = list(map(int, agent.ep_as))
    loss = agent.learn()
    if episode < 5:
        print("episode %d: actions %s loss %.4f" % (episode, actions, loss))
print("steps of the last five episodes:", np.mean(lengths[-5:]) <= np.mean(lengths[:5]))
