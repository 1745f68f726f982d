# Deep Q-learning: a replay memory, a target network that is copied now and then.
import collections
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(2)
tf.set_random_seed(2)
N_STATES, N_ACTIONS, MEMORY, BATCH, GAMMA, REPLACE = 4, 3, 60, 16, 0.9, 10


class DeepQNetwork:
    def __init__(self, double_q=True):
        self.double_q, self.counter = double_q, 0
        self.memory = collections.deque(maxlen=MEMORY)
        self.s = tf.placeholder(tf.float32, [None, N_STATES], name='s')
        self.s_ = tf.placeholder(tf.float32, [None, N_STATES], name='s_')
        self.r = tf.placeholder(tf.float32, [None], name='r')
        self.a = tf.placeholder(tf.int32, [None], name='a')
        self.q_eval = self._net(self.s, 'eval_net', ['eval_net_params', tf.GraphKeys.GLOBAL_VARIABLES])
        self.q_next = self._net(self.s_, 'target_net', ['target_net_params', tf.GraphKeys.GLOBAL_VARIABLES])
        with tf.variable_scope('q_target'):
            best = tf.reduce_max(self.q_next, axis=1, name='Qmax_s_')
            self.q_target = tf.stop_gradient(self.r + GAMMA * best)
        a_indices = tf.stack([tf.range(tf.shape(self.a)[0], dtype=tf.int32), self.a], axis=1)
        self.q_eval_wrt_a = tf.gather_nd(params=self.q_eval, indices=a_indices)
        with tf.variable_scope('loss'):
            self.loss = tf.reduce_mean(tf.squared_difference(self.q_target, self.q_eval_wrt_a, name='TD_error'))
        with tf.variable_scope('train'):
            self._train_op = tf.train.RMSPropOptimizer(0.01).minimize(
                self.loss, var_list=tf.get_collection('eval_net_params'))
        t_params, e_params = tf.get_collection('target_net_params'), tf.get_collection('eval_net_params')
        with tf.variable_scope('hard_replacement'):
            self.target_replace_op = [tf.assign(t, e) for t, e in zip(t_params, e_params)]

    def _net(self, x, scope, c_names):
        init, bias = tf.random_normal_initializer(0., 0.3), tf.constant_initializer(0.1)
        with tf.variable_scope(scope):
            for i, (n, m) in enumerate([(N_STATES, 10), (10, N_ACTIONS)]):
                with tf.variable_scope('l%d' % (i + 1)):
                    w = tf.get_variable('w', [n, m], initializer=init, collections=c_names)
                    b = tf.get_variable('b', [1, m], initializer=bias, collections=c_names)
                    x = tf.matmul(x, w) + b
                    x = tf.nn.relu(x) if i == 0 else x
        return x

    def learn(self, sess):
        replaced = self.counter % REPLACE == 0
        if replaced:
            sess.run(self.target_replace_op)
        batch = [self.memory[rng.randint(len(self.memory))] for _ in range(BATCH)]
        s, a, r, s_ = map(np.array, zip(*batch))
        self.counter += 1
        return sess.run([self._train_op, self.loss], {self.s: s, self.a: a, self.r: r, self.s_: s_})[1]


net = DeepQNetwork()
print([v.name for v in tf.get_collection('target_net_params')])
print(net.q_eval_wrt_a)
print(sorted(k for k in tf.get_default_graph().get_all_collection_keys() if not k.startswith('_')))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    state = rng.rand(N_STATES)
    for step in range(80):
        epsilon = max(0.1, 1 - step / 40.0)
        if rng.rand() < epsilon:
            action = rng.randint(N_ACTIONS)
        else:
            action = int(np.argmax(sess.run(net.q_eval, {net.s: state[None]})))
        reward = 1.0 if action == int(state[0] * N_ACTIONS) else 0.0
        after = rng.rand(N_STATES)
        net.memory.append((state, action, reward, after))
        state = after
        if step >= 20:
            loss = net.learn(sess)
            if net.counter <= 4:
                print("learn step %d: loss %.5f" % (net.counter, loss))
    t, e = sess.run([tf.get_collection('target_net_params')[0], tf.get_collection('eval_net_params')[0]])
    print("updates", net.counter, "memory", len(net.memory), "networks differ:", bool((t != e).any()))
