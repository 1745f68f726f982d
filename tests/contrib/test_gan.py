"""tf.contrib.gan: numbers and names of TensorFlow 1.12, and small GANs that learn."""

import itertools

import numpy as np
import pytest

import twinflow as tf

gan = tf.contrib.gan
wargs = gan.losses.wargs
REAL = np.array([[0.5], [-1.2], [2.0]], np.float32)
FAKE = np.array([[-0.3], [1.5], [0.2]], np.float32)
REAL_LOGITS = np.array([[0.1, 0.5], [0.3, -0.7], [2.0, 1.0]], np.float32)
FAKE_LOGITS = np.array([[1.1, 0.5], [-0.3, -0.7], [0.2, 1.0]], np.float32)
LABELS = np.eye(2, dtype=np.float32)[[0, 1, 1]]
DATA = np.array([[0.5, 1.0], [-1.2, 0.3], [2.0, -1.0]], np.float32)
NOISE = np.array([[-0.3, 0.1], [1.5, 0.2], [0.2, 0.3]], np.float32)
LOSSES = {
    "wasserstein_generator_loss": (
        [FAKE], -0.4666667, "generator_wasserstein_loss/value"),
    "wasserstein_discriminator_loss": (
        [REAL, FAKE], 0.0333334, "discriminator_wasserstein_loss/sub"),
    "minimax_generator_loss": ([FAKE], -1.3312309, "generator_minimax_loss/Neg"),
    "minimax_discriminator_loss": (
        [REAL, FAKE], 1.7602317, "discriminator_minimax_loss/add_1"),
    "modified_generator_loss": ([FAKE], 0.5513025, "generator_modified_loss/value"),
    "modified_discriminator_loss": (
        [REAL, FAKE], 1.7602317, "discriminator_modified_loss/add_1"),
    "least_squares_generator_loss": ([FAKE], 0.43, "lsq_generator_loss/value"),
    "least_squares_discriminator_loss": (
        [REAL, FAKE], 1.4116666, "lsq_discriminator_loss/add"),
    "acgan_discriminator_loss": (
        [REAL_LOGITS, FAKE_LOGITS, LABELS], 1.7537141, "acgan_discriminator_loss/add"),
    "acgan_generator_loss": (
        [FAKE_LOGITS, LABELS], 0.573868, "acgan_generator_loss/value"),
    "cycle_consistency_loss": (
        [REAL, FAKE, REAL_LOGITS, FAKE_LOGITS], 1.1666667,
        "cycle_consistency_loss/truediv"),
}  # fmt: skip


def ones_dense(x, units):
    return tf.layers.dense(x, units, kernel_initializer=tf.ones_initializer())


def generator(x):
    return ones_dense(tf.concat(x, 1) if isinstance(x, list) else x, 2)


def discriminator(x, _):
    return ones_dense(x, 1)


def classifier(x, _):
    return ones_dense(x, 1), ones_dense(x, 3)


def guesser(x, _):
    return ones_dense(x, 1), [tf.distributions.Normal(ones_dense(x, 1), 1.0)]


@pytest.mark.parametrize("name", LOSSES)
def test_losses_are_those_of_tensorflow(name):
    arguments, value, node = LOSSES[name]
    with tf.Graph().as_default(), tf.Session() as sess:
        loss = getattr(wargs, name)(*map(tf.constant, arguments), add_summaries=True)
        assert loss.op.name == node
        assert sess.run(loss) == pytest.approx(value, rel=1e-5)
        assert tf.get_collection(tf.GraphKeys.LOSSES)
        assert tf.get_collection(tf.GraphKeys.SUMMARIES)


def test_losses_need_no_graph(eager):
    assert float(wargs.modified_generator_loss(FAKE)) == pytest.approx(0.5513025)
    with tf.GradientTape() as tape:
        x = tf.constant(FAKE)
        tape.watch(x)
        loss = wargs.least_squares_generator_loss(x)
    np.testing.assert_allclose(tape.gradient(loss, x), (FAKE - 1) / 3, rtol=1e-6)


@pytest.mark.parametrize(
    ("settings", "value", "slope"),
    [({"weight_factor": 2.0}, 23.0, [8.0, 10.0]),
     ({"gradient_ratio": 0.5}, 23.973663, [8.324554, 10.324554])],
)  # fmt: skip
def test_second_losses_are_weighed(settings, value, slope):
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.get_variable("v", initializer=[1.0, 2.0])
        total = wargs.combine_adversarial_loss(
            tf.reduce_sum(v * v), tf.reduce_sum(3 * v), variables=[v], **settings
        )
        sess.run(tf.global_variables_initializer())
        found = sess.run([total, tf.gradients(total, v)[0]])
    assert found[0] == pytest.approx(value, rel=1e-6)
    np.testing.assert_allclose(found[1], slope, rtol=1e-5)


def models():
    yield (gan.gan_model(generator, discriminator, DATA, NOISE), gan.gan_loss, {},
           [-1.1333333, 0.9000001])  # fmt: skip
    yield (gan.gan_model(generator, discriminator, DATA, NOISE, "A", "B"), gan.gan_loss,
           {"gradient_penalty_weight": 2.0}, [-1.1333333, 1.2431458])  # fmt: skip
    yield (gan.acgan_model(generator, classifier, DATA, NOISE, np.eye(3), "K", "L"),
           gan.gan_loss, {"aux_cond_generator_weight": 1.5,
                          "aux_cond_discriminator_weight": 2.0},
           [0.5145851, 5.5944495])  # fmt: skip
    info = gan.infogan_model(
        generator, guesser, DATA, [NOISE], [NOISE[:, :1]], "E", "F"
    )
    yield (info, gan.gan_loss, {"mutual_information_penalty_weight": 1.5},
           [5.8967414, 9.7967415])  # fmt: skip
    yield (gan.cyclegan_model(generator, discriminator, DATA, NOISE), gan.cyclegan_loss,
           {}, [16.84, 3.17, 15.9866667, 2.8633335])  # fmt: skip


def test_models_lose_what_they_lose_in_tensorflow():
    with tf.Graph().as_default(), tf.Session() as sess:
        shared = tf.contrib.layers.l2_regularizer(0.1)
        with tf.variable_scope("reg", regularizer=shared):
            cases = list(models())
        losses = [loss_fn(m, **options) for m, loss_fn, options, _ in cases]
        sess.run(tf.global_variables_initializer())
        found = sess.run(losses)
    for value, (_, _, _, wanted) in zip(found, cases, strict=True):
        flat = np.concatenate([np.ravel(part) for part in value])
        np.testing.assert_allclose(flat, wanted, rtol=1e-5)


def test_pools_stand_in_for_generated_data():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [2])
        y = gan.features.tensor_pool(x, pool_size=3, pooling_probability=1.0)
        found = [sess.run(y, {x: [i, i]})[0] for i in range(9)]
        seen = []
        gan.gan_loss(
            gan.infogan_model(generator, guesser, DATA, [NOISE], [NOISE[:, :1]]),
            tensor_pool_fn=lambda values: seen.append(len(values)) or values,
        )
    assert found[:3] == [0, 1, 2]
    assert all(a > b for a, b in zip(range(3, 9), found[3:], strict=True))
    assert seen == [3]


def test_update_ops_belong_to_a_side():
    with tf.Graph().as_default():
        model = gan.gan_model(generator, discriminator, DATA, NOISE)
        tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, tf.no_op())
        optimizer = tf.train.GradientDescentOptimizer(0.1)
        with pytest.raises(ValueError, match="unused update ops"):
            gan.gan_train_ops(model, gan.gan_loss(model), optimizer, optimizer)


def toy_generator(z):
    return tf.layers.dense(tf.layers.dense(z, 16, tf.nn.relu), 1)


def toy_discriminator(x, _):
    return tf.layers.dense(tf.layers.dense(x, 16, tf.nn.relu), 1)


def toy_data():
    noise = tf.random_normal([64, 2], seed=1)
    return noise, 3.0 + 0.5 * tf.random_normal([64, 1], seed=2)


def test_a_small_gan_learns_where_the_data_is(tmp_path):
    with tf.Graph().as_default():
        tf.set_random_seed(3)
        noise, data = toy_data()
        model = gan.gan_model(toy_generator, toy_discriminator, data, noise)
        loss = gan.gan_loss(
            model, gan.losses.modified_generator_loss,
            gan.losses.modified_discriminator_loss,
        )  # fmt: skip
        ops = gan.gan_train_ops(
            model, loss, tf.train.AdamOptimizer(0.01), tf.train.AdamOptimizer(0.01)
        )
        steps = gan.get_sequential_train_hooks(gan.GANTrainSteps(1, 2))
        hooks = [tf.train.StopAtStepHook(num_steps=150)]
        last = gan.gan_train(ops, str(tmp_path), steps, hooks=hooks)
        with tf.Session() as sess:
            tf.train.Saver().restore(sess, tf.train.latest_checkpoint(str(tmp_path)))
            made = sess.run(model.generated_data)
    assert last == 150
    assert abs(made.mean() - 3.0) < 1.0


def test_estimators_learn_where_the_data_is(tmp_path):
    estimator = gan.estimator.GANEstimator(
        str(tmp_path), toy_generator, toy_discriminator,
        gan.losses.modified_generator_loss, gan.losses.modified_discriminator_loss,
        tf.train.AdamOptimizer(0.01), lambda: tf.train.AdamOptimizer(0.01),
        get_eval_metric_ops_fn=lambda m: {"mean": tf.metrics.mean(m.generated_data)},
        add_summaries=gan.estimator.SummaryType.VARIABLES,
        config=tf.estimator.RunConfig(tf_random_seed=3),
    )  # fmt: skip
    estimator.train(toy_data, steps=150)
    found = estimator.evaluate(toy_data, steps=1)
    assert found["global_step"] == 150
    assert abs(found["mean"] - 3.0) < 1.0
    assert found["loss"] == pytest.approx(
        found["generator_loss"] + found["discriminator_loss"], rel=1e-5
    )
    made = estimator.predict(lambda: toy_data()[0])
    assert len(list(itertools.islice(made, 3))) == 3


def test_heads_and_estimators_check_their_settings():
    with pytest.raises(ValueError, match="generator_loss_fn must be callable"):
        gan.estimator.GANEstimator()
    with pytest.raises(TypeError, match="generator_loss_fn must be callable"):
        gan.estimator.gan_head(None, None, None, None)
    losses = gan.losses
    sgd = tf.train.GradientDescentOptimizer(0.01)
    head = gan.estimator.gan_head(
        losses.wasserstein_generator_loss, losses.wasserstein_discriminator_loss, sgd,
        sgd, name="head",
    )  # fmt: skip
    with tf.Graph().as_default():
        model = gan.gan_model(generator, discriminator, DATA, NOISE)
        tf.train.get_or_create_global_step()
        spec = head.create_estimator_spec(None, "eval", model)
        assert set(spec.eval_metric_ops) == {
            "generator_loss/head", "discriminator_loss/head"
        }  # fmt: skip
        assert len(head.create_estimator_spec(None, "train", model).training_hooks) == 2
        with pytest.raises(ValueError, match="must be an instnace of"):
            head.create_estimator_spec(None, "train", 3)


def star_generator(x, domains):
    return tf.layers.dense(tf.concat([x, domains], 1), 2)


def star_discriminator(x, domains):
    return tf.layers.dense(x, 1), tf.layers.dense(x, domains)


def test_stargans_train_and_predict(tmp_path):
    estimator = gan.estimator.StarGANEstimator(
        str(tmp_path), star_generator, star_discriminator, gan.stargan_loss,
        tf.train.AdamOptimizer(0.01), tf.train.AdamOptimizer(0.01),
    )  # fmt: skip
    data = lambda: (tf.constant(DATA), tf.eye(3))
    estimator.train(data, steps=2)
    assert np.isfinite(estimator.evaluate(data, steps=1)["loss"])
    made = estimator.predict(lambda: (data(), None))
    assert next(made).shape == (2,)


def test_conditions_are_added(eager):
    x = tf.ones([4, 3, 2])
    assert gan.features.condition_tensor(x, tf.ones([4, 5])).shape == [4, 3, 2]
    y = gan.features.condition_tensor_from_onehot(x, tf.one_hot([0, 1, 2, 1], 10), 7)
    assert y.shape == [4, 3, 2]


def test_virtual_batches_leave_others_out():
    r = np.random.RandomState(0)
    reference, x = (r.randn(n, 3, 2).astype("f") for n in (4, 5))
    with tf.Graph().as_default(), tf.Session() as sess:
        normalize = gan.features.VBN(tf.constant(reference))
        own, all_, one = (
            normalize.reference_batch_normalization(), normalize(tf.constant(x)),
            normalize(tf.constant(x[:1])),
        )  # fmt: skip
        sess.run(tf.global_variables_initializer())
        own, all_, one = sess.run([own, all_, one])
    np.testing.assert_allclose(
        own.ravel()[:4], [1.0659796, 0.19591983, 0.36072546, 2.240104], rtol=1e-5
    )
    np.testing.assert_allclose(
        all_.ravel()[:4], [1.3916819, -1.6656293, -0.6031571, -0.36426222], rtol=1e-5
    )
    np.testing.assert_allclose(all_[:1], one, rtol=1e-5, atol=1e-6)


def test_weights_are_clipped():
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.get_variable("v", initializer=[[3.0, -4.0], [0.1, 0.2]])
        sgd = tf.train.GradientDescentOptimizer(0.0)
        step = gan.features.clip_variables(sgd, [v], 1.0).minimize(tf.reduce_sum(v))
        sess.run(tf.global_variables_initializer())
        sess.run(step)
        np.testing.assert_allclose(sess.run(v), [[1, -1], [0.1, 0.2]], rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "value"),
    [("frechet_classifier_distance_from_activations", 3.594),
     ("mean_only_frechet_classifier_distance_from_activations", 2.401),
     ("diagonal_only_frechet_classifier_distance_from_activations", 3.438)],
)  # fmt: skip
def test_distances_of_activations(name, value):
    r = np.random.RandomState(0)
    a, b = r.randn(20, 4).astype("f"), (r.randn(20, 4) * 1.5 + 0.3).astype("f")
    with tf.Graph().as_default(), tf.Session() as sess:
        found = sess.run(getattr(gan.eval, name)(a, b))
    assert found == pytest.approx(value, abs=1e-3)


def test_classifiers_come_from_files(tmp_path):
    path = str(tmp_path / "graph.pb")
    with tf.Graph().as_default() as g:
        x = tf.placeholder(tf.float32, [None, 5, 5, 3], "images")
        tf.identity(tf.reduce_mean(x, [1, 2]), "logits")
        tf.gfile.GFile(path, "wb").write(g.as_graph_def().SerializeToString())
    with tf.Graph().as_default(), tf.Session() as sess:
        run = lambda x: gan.eval.run_inception(
            x, gan.eval.get_graph_def_from_disk(path), image_size=5,
            input_tensor="images:0",
        )  # fmt: skip
        images = tf.random_uniform([4, 5, 5, 3], seed=1)
        assert 1.0 <= sess.run(gan.eval.classifier_score(images, run, 2)) < 3.0
        with pytest.raises(tf.errors.NotFoundError, match="fetches nothing"):
            gan.eval.run_inception(tf.zeros([1, 299, 299, 3]))


def test_images_of_other_scales_are_compared():
    r = np.random.RandomState(0)
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(1)
        x = tf.constant(r.rand(4, 32, 32, 3).astype("f"))
        flat = tf.ones([4, 32, 32, 3]) * tf.linspace(0.0, 1.0, 32)[:, None]
        pairs = gan.eval.sliced_wasserstein_distance(x, flat, patches_per_image=8)
        by_svd = gan.eval.sliced_wasserstein_distance(
            x, flat, patches_per_image=8, use_svd=True
        )
        assert len(pairs) == 2
        for same, other in sess.run(pairs + by_svd[1:]):
            assert same < other


def test_images_are_joined(eager):
    x = tf.reshape(tf.range(4.0), [4, 1, 1, 1]) * tf.ones([4, 2, 2, 1])
    found = gan.eval.image_grid(x, (2, 2), (2, 2), 1).numpy()
    np.testing.assert_array_equal(found[0, ::2, ::2, 0], [[0, 1], [2, 3]])
    with pytest.raises(ValueError, match="incompatible with minibatch size 4"):
        gan.eval.image_grid(x, (2, 3), (2, 2), 1)
