# A variational autoencoder with the reparameterisation trick, as a class.
import numpy as np
import tensorflow as tf

np.random.seed(0)
tf.set_random_seed(0)


def xavier_init(fan_in, fan_out, constant=1):
    """ Xavier initialization of network weights"""
    low = -constant * np.sqrt(6.0 / (fan_in + fan_out))
    high = constant * np.sqrt(6.0 / (fan_in + fan_out))
    return tf.random_uniform((fan_in, fan_out), minval=low, maxval=high,
                             dtype=tf.float32)


class VariationalAutoencoder(object):
    def __init__(self, network_architecture, transfer_fct=tf.nn.softplus,
                 learning_rate=0.001, batch_size=20):
        self.network_architecture = network_architecture
        self.transfer_fct = transfer_fct
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.x = tf.placeholder(tf.float32, [None, network_architecture["n_input"]])
        self._create_network()
        self._create_loss_optimizer()
        init = tf.global_variables_initializer()
        self.sess = tf.InteractiveSession()
        self.sess.run(init)

    def _create_network(self):
        network_weights = self._initialize_weights(**self.network_architecture)
        self.z_mean, self.z_log_sigma_sq = self._network(
            self.x, network_weights["weights_recog"], network_weights["biases_recog"])
        n_z = self.network_architecture["n_z"]
        eps = tf.random_normal((self.batch_size, n_z), 0, 1, dtype=tf.float32)
        self.z = tf.add(self.z_mean, tf.multiply(tf.sqrt(tf.exp(self.z_log_sigma_sq)), eps))
        self.x_reconstr_mean = tf.nn.sigmoid(self._network(
            self.z, network_weights["weights_gener"], network_weights["biases_gener"])[0])

    def _initialize_weights(self, n_hidden, n_input, n_z):
        def both(first, last):
            weights = {'h1': tf.Variable(xavier_init(first, n_hidden)),
                       'out_mean': tf.Variable(xavier_init(n_hidden, last)),
                       'out_log_sigma': tf.Variable(xavier_init(n_hidden, last))}
            biases = {'b1': tf.Variable(tf.zeros([n_hidden], dtype=tf.float32)),
                      'out_mean': tf.Variable(tf.zeros([last], dtype=tf.float32)),
                      'out_log_sigma': tf.Variable(tf.zeros([last], dtype=tf.float32))}
            return weights, biases
        recog, gener = both(n_input, n_z), both(n_z, n_input)
        return dict(weights_recog=recog[0], biases_recog=recog[1],
                    weights_gener=gener[0], biases_gener=gener[1])

    def _network(self, x, weights, biases):
        layer_1 = self.transfer_fct(tf.add(tf.matmul(x, weights['h1']), biases['b1']))
        mean = tf.add(tf.matmul(layer_1, weights['out_mean']), biases['out_mean'])
        log_sigma = tf.add(tf.matmul(layer_1, weights['out_log_sigma']),
                           biases['out_log_sigma'])
        return mean, log_sigma

    def _create_loss_optimizer(self):
        reconstr_loss = -tf.reduce_sum(
            self.x * tf.log(1e-10 + self.x_reconstr_mean)
            + (1 - self.x) * tf.log(1e-10 + 1 - self.x_reconstr_mean), 1)
        latent_loss = -0.5 * tf.reduce_sum(
            1 + self.z_log_sigma_sq - tf.square(self.z_mean)
            - tf.exp(self.z_log_sigma_sq), 1)
        self.cost = tf.reduce_mean(reconstr_loss + latent_loss)
        self.optimizer = tf.train.AdamOptimizer(
            learning_rate=self.learning_rate).minimize(self.cost)

    def partial_fit(self, X):
        opt, cost = self.sess.run((self.optimizer, self.cost), feed_dict={self.x: X})
        return cost

    def transform(self, X):
        return self.sess.run(self.z_mean, feed_dict={self.x: X})

    def generate(self, z_mu=None):
        if z_mu is None:
            z_mu = np.random.normal(size=self.network_architecture["n_z"])
        return self.sess.run(self.x_reconstr_mean, feed_dict={self.z: z_mu})


prototypes = np.random.rand(5, 36) > 0.5
data = np.abs(prototypes[np.random.randint(0, 5, 60)]
              - (np.random.rand(60, 36) > 0.95).astype(np.float32))
vae = VariationalAutoencoder(dict(n_hidden=16, n_input=36, n_z=2), learning_rate=0.01)
for epoch in range(6):
    avg_cost = 0.
    for i in range(3):
        avg_cost += vae.partial_fit(data[20 * i:20 * i + 20]) / 3
    print("Epoch:", '%04d' % (epoch + 1), "cost=", "{:.4f}".format(avg_cost))
print(np.round(vae.transform(data[:3]), 3))
print(np.round(vae.generate(np.array([[0.5, -0.5]] * 20))[0, :6], 3))
print(vae.z, vae.x_reconstr_mean)
