# Workers as threads with a Coordinator: each has its own network and pushes gradients.
import threading
import numpy as np
import tensorflow as tf

tf.set_random_seed(6)
GLOBAL = 'Global_Net'
N_S, N_A = 2, 3


class ACNet(object):
    def __init__(self, scope, globalAC=None):
        with tf.variable_scope(scope):
            self.s = tf.placeholder(tf.float32, [None, N_S], 'S')
            self.a_prob, self.v, self.a_params, self.c_params = self._build_net(scope)
            if globalAC is None:
                return
            self.a_his = tf.placeholder(tf.int32, [None, ], 'A')
            self.v_target = tf.placeholder(tf.float32, [None, 1], 'Vtarget')
            td = tf.subtract(self.v_target, self.v, name='TD_error')
            with tf.name_scope('c_loss'):
                self.c_loss = tf.reduce_mean(tf.square(td))
            with tf.name_scope('a_loss'):
                log_prob = tf.reduce_sum(tf.log(self.a_prob + 1e-5) * tf.one_hot(
                    self.a_his, N_A, dtype=tf.float32), axis=1, keepdims=True)
                exp_v = log_prob * tf.stop_gradient(td)
                entropy = -tf.reduce_sum(self.a_prob * tf.log(self.a_prob + 1e-5), axis=1, keepdims=True)
                self.a_loss = tf.reduce_mean(-(0.001 * entropy + exp_v))
            with tf.name_scope('local_grad'):
                self.a_grads = tf.gradients(self.a_loss, self.a_params)
                self.c_grads = tf.gradients(self.c_loss, self.c_params)
            with tf.name_scope('sync'):
                with tf.name_scope('pull'):
                    self.pull = [l.assign(g) for l, g in zip(
                        self.a_params + self.c_params, globalAC.a_params + globalAC.c_params)]
                with tf.name_scope('push'):
                    self.push = [OPT_A.apply_gradients(zip(self.a_grads, globalAC.a_params)),
                                 OPT_C.apply_gradients(zip(self.c_grads, globalAC.c_params))]

    def _build_net(self, scope):
        w_init = tf.random_normal_initializer(0., .1)
        with tf.variable_scope('actor'):
            l_a = tf.layers.dense(self.s, 8, tf.nn.relu6, kernel_initializer=w_init, name='la')
            a_prob = tf.layers.dense(l_a, N_A, tf.nn.softmax, kernel_initializer=w_init, name='ap')
        with tf.variable_scope('critic'):
            l_c = tf.layers.dense(self.s, 6, tf.nn.relu6, kernel_initializer=w_init, name='lc')
            v = tf.layers.dense(l_c, 1, kernel_initializer=w_init, name='v')
        a_params = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope=scope + '/actor')
        c_params = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope=scope + '/critic')
        return a_prob, v, a_params, c_params


class Worker(object):
    def __init__(self, name, globalAC, seed):
        self.name, self.net, self.rng = name, ACNet(name, globalAC), np.random.RandomState(seed)

    def work(self, turn, following):
        for _ in range(3):  # the threads take turns, so that the output is always the same
            turn.wait()
            turn.clear()
            s = self.rng.rand(10, N_S)
            a = (s[:, 0] * N_A).astype(np.int32)
            feed = {self.net.s: s, self.net.a_his: a, self.net.v_target: s[:, 1:] * 2}
            SESS.run(self.net.pull)
            losses = SESS.run([self.net.a_loss, self.net.c_loss] + self.net.push, feed)[:2]
            LOG.append("%s: actor %.5f critic %.5f" % (self.name, losses[0], losses[1]))
            following.set()
        if len(LOG) == 6:
            COORD.request_stop()


SESS, LOG = tf.Session(), []
with tf.device("/cpu:0"):
    OPT_A = tf.train.RMSPropOptimizer(0.01, name='RMSPropA')
    OPT_C = tf.train.RMSPropOptimizer(0.01, name='RMSPropC')
    GLOBAL_AC = ACNet(GLOBAL)
    workers = [Worker('W_%i' % i, GLOBAL_AC, i) for i in range(2)]
COORD = tf.train.Coordinator()
SESS.run(tf.global_variables_initializer())
print([v.name for v in GLOBAL_AC.a_params])
print(workers[0].net.push[0].name, workers[1].net.push[1].name)
turns = [threading.Event(), threading.Event()]
threads = [threading.Thread(target=w.work, args=(turns[i], turns[1 - i])) for i, w in enumerate(workers)]
for t in threads:
    t.start()
turns[0].set()
COORD.join(threads)
print("\n".join(LOG))
print("should stop:", COORD.should_stop())
probabilities = SESS.run(GLOBAL_AC.a_prob, {GLOBAL_AC.s: [[0.1, 0.2], [0.9, 0.5]]})
print(probabilities.round(4))
