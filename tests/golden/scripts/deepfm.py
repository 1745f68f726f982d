# DeepFM: first and second order terms, a deep part, batch normalisation and early stops.
import numpy as np
import tensorflow as tf


class DeepFM(object):
    def __init__(self, feature_size, field_size, embedding_size=4, dropout_fm=(1.0, 1.0),
                 deep_layers=(8, 8), dropout_deep=(0.9, 0.9, 0.9), epoch=3, batch_size=32,
                 learning_rate=0.02, optimizer_type="adam", batch_norm=1, l2_reg=0.01,
                 loss_type="logloss", random_seed=2018):
        for key, value in list(locals().items()):
            if key != "self":
                setattr(self, key, value)
        self._init_graph()

    def _init_graph(self):
        self.graph = tf.Graph()
        with self.graph.as_default():
            tf.set_random_seed(self.random_seed)
            self.feat_index = tf.placeholder(tf.int32, shape=[None, None], name="feat_index")
            self.feat_value = tf.placeholder(tf.float32, shape=[None, None], name="feat_value")
            self.label = tf.placeholder(tf.float32, shape=[None, 1], name="label")
            self.keep_fm = tf.placeholder(tf.float32, shape=[None], name="dropout_keep_fm")
            self.keep_deep = tf.placeholder(tf.float32, shape=[None], name="dropout_keep_deep")
            self.train_phase = tf.placeholder(tf.bool, name="train_phase")
            self.weights = self._initialize_weights()
            self.embeddings = tf.nn.embedding_lookup(self.weights["feature_embeddings"], self.feat_index)
            feat_value = tf.reshape(self.feat_value, shape=[-1, self.field_size, 1])
            self.embeddings = tf.multiply(self.embeddings, feat_value)
            first = tf.nn.embedding_lookup(self.weights["feature_bias"], self.feat_index)
            first = tf.reduce_sum(tf.multiply(first, feat_value), 2)
            first = tf.nn.dropout(first, self.keep_fm[0])
            summed_square = tf.square(tf.reduce_sum(self.embeddings, 1))
            squared_sum = tf.reduce_sum(tf.square(self.embeddings), 1)
            second = 0.5 * tf.subtract(summed_square, squared_sum)
            second = tf.nn.dropout(second, self.keep_fm[1])
            deep = tf.reshape(self.embeddings, shape=[-1, self.field_size * self.embedding_size])
            deep = tf.nn.dropout(deep, self.keep_deep[0])
            for i in range(len(self.deep_layers)):
                deep = tf.add(tf.matmul(deep, self.weights["layer_%d" % i]), self.weights["bias_%d" % i])
                if self.batch_norm:
                    deep = self.batch_norm_layer(deep, train_phase=self.train_phase, scope_bn="bn_%d" % i)
                deep = tf.nn.dropout(tf.nn.relu(deep), self.keep_deep[1 + i])
            concat = tf.concat([first, second, deep], axis=1)
            self.out = tf.nn.sigmoid(tf.add(tf.matmul(concat, self.weights["concat_projection"]),
                                            self.weights["concat_bias"]))
            self.loss = tf.losses.log_loss(self.label, self.out)
            self.loss += tf.contrib.layers.l2_regularizer(self.l2_reg)(self.weights["concat_projection"])
            for i in range(len(self.deep_layers)):
                self.loss += tf.contrib.layers.l2_regularizer(self.l2_reg)(self.weights["layer_%d" % i])
            update_ops = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
            with tf.control_dependencies(update_ops):
                self.optimizer = tf.train.AdamOptimizer(
                    learning_rate=self.learning_rate, beta1=0.9, beta2=0.999, epsilon=1e-8).minimize(self.loss)
            self.saver = tf.train.Saver()
            self.sess = tf.Session(config=tf.ConfigProto(device_count={"gpu": 0}))
            self.sess.run(tf.global_variables_initializer())
            total_parameters = 0
            for variable in self.weights.values():
                parameters = 1
                for dim in variable.get_shape():
                    parameters *= dim.value
                total_parameters += parameters
            print("#params: %d" % total_parameters)

    def _initialize_weights(self):
        weights = dict()
        weights["feature_embeddings"] = tf.Variable(
            tf.random_normal([self.feature_size, self.embedding_size], 0.0, 0.01), name="feature_embeddings")
        weights["feature_bias"] = tf.Variable(
            tf.random_uniform([self.feature_size, 1], 0.0, 1.0), name="feature_bias")
        input_size = self.field_size * self.embedding_size
        rng = np.random.RandomState(1)
        for i, size in enumerate(self.deep_layers):
            glorot = np.sqrt(2.0 / (input_size + size))
            weights["layer_%d" % i] = tf.Variable(glorot * rng.randn(input_size, size), dtype=np.float32)
            weights["bias_%d" % i] = tf.Variable(glorot * rng.randn(1, size), dtype=np.float32)
            input_size = size
        input_size = self.field_size + self.embedding_size + self.deep_layers[-1]
        weights["concat_projection"] = tf.Variable(
            np.sqrt(2.0 / (input_size + 1)) * rng.randn(input_size, 1), dtype=np.float32)
        weights["concat_bias"] = tf.Variable(tf.constant(0.01), dtype=np.float32)
        return weights

    def batch_norm_layer(self, x, train_phase, scope_bn):
        from tensorflow.contrib.layers.python.layers import batch_norm
        bn_train = batch_norm(x, decay=0.9, center=True, scale=True, updates_collections=None,
                              is_training=True, reuse=None, trainable=True, scope=scope_bn)
        bn_inference = batch_norm(x, decay=0.9, center=True, scale=True, updates_collections=None,
                                  is_training=False, reuse=True, trainable=True, scope=scope_bn)
        return tf.cond(train_phase, lambda: bn_train, lambda: bn_inference)

    def feed(self, Xi, Xv, y, training):
        return {self.feat_index: Xi, self.feat_value: Xv, self.label: y[:, None],
                self.keep_fm: self.dropout_fm if training else [1.0] * 2,
                self.keep_deep: self.dropout_deep if training else [1.0] * 3,
                self.train_phase: training}

    def fit(self, Xi, Xv, y, Xi_valid, Xv_valid, y_valid):
        rng = np.random.RandomState(self.random_seed)
        for epoch in range(self.epoch):
            order = np.arange(len(y))
            rng.shuffle(order)
            for i in range(0, len(y), self.batch_size):
                k = order[i:i + self.batch_size]
                loss, _ = self.sess.run([self.loss, self.optimizer], self.feed(Xi[k], Xv[k], y[k], True))
                if epoch == 0 and i < 3 * self.batch_size:
                    print("batch loss %.4f" % loss)
            y_pred = self.sess.run(self.out, self.feed(Xi_valid, Xv_valid, y_valid, False))[:, 0]
            order = np.argsort(y_pred)
            ranks = np.empty(len(order)); ranks[order] = np.arange(len(order))
            positive = y_valid > 0
            n1, n0 = positive.sum(), (~positive).sum()
            auc = (ranks[positive].sum() - n1 * (n1 - 1) / 2.0) / (n1 * n0)
            print("[%d] valid-result=%.2f" % (epoch + 1, auc))


rng = np.random.RandomState(0)
n = 192
Xi = np.stack([rng.randint(5, size=n), 5 + rng.randint(4, size=n), np.full(n, 9)], 1)
Xv = np.concatenate([np.ones((n, 2)), rng.rand(n, 1)], 1)
y = (((Xi[:, 0] + Xi[:, 1]) % 2 == 0) | (Xv[:, 2] > 0.8)).astype(np.float64)
model = DeepFM(feature_size=10, field_size=3)
print([v.name for v in model.graph.get_collection("trainable_variables")])
model.fit(Xi[:128], Xv[:128], y[:128], Xi[128:], Xv[128:], y[128:])
