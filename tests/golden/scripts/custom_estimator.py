"""A custom Estimator: three modes, hooks, train_and_evaluate, export and warm start."""
import os
import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)


def my_model_fn(features, labels, mode, params):
    net = tf.feature_column.input_layer(features, params['feature_columns'])
    for units in params['hidden_units']:
        net = tf.layers.dense(net, units=units, activation=tf.nn.relu)
    logits = tf.layers.dense(net, params['n_classes'], activation=None, name='logits')
    predicted_classes = tf.argmax(logits, 1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        predictions = {'class_ids': predicted_classes[:, tf.newaxis],
                       'probabilities': tf.nn.softmax(logits), 'logits': logits}
        outputs = {'classes': tf.estimator.export.PredictOutput(predictions),
                   tf.saved_model.signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY:
                       tf.estimator.export.ClassificationOutput(scores=predictions['probabilities'])}
        return tf.estimator.EstimatorSpec(mode, predictions=predictions, export_outputs=outputs)
    loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
    accuracy = tf.metrics.accuracy(labels=labels, predictions=predicted_classes, name='acc_op')
    metrics = {'accuracy': accuracy,
               'recall': tf.metrics.recall(labels, predicted_classes),
               'per_class': tf.metrics.mean_per_class_accuracy(labels, predicted_classes, 2)}
    tf.summary.scalar('accuracy', accuracy[1])
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    assert mode == tf.estimator.ModeKeys.TRAIN
    optimizer = tf.train.AdagradOptimizer(learning_rate=params.get('rate', 0.1))
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    hook = tf.train.StopAtStepHook(num_steps=params.get('stop', 1000))
    scaffold = tf.train.Scaffold(local_init_op=tf.group(
        tf.local_variables_initializer(), tf.tables_initializer()))
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, scaffold=scaffold,
                                      training_chief_hooks=[hook])


def data(n, seed):
    rng = np.random.RandomState(seed)
    x, city = rng.randn(n).astype(np.float32), np.array(['rome', 'oslo'])[rng.randint(2, size=n)]
    return {'x': x, 'city': city}, (x > 0).astype(np.int64) ^ (city == 'oslo')


class Printer(tf.train.SessionRunHook):
    def after_create_session(self, session, coord):
        print('session with', len(tf.trainable_variables()), 'variables; stop:', coord.should_stop())

    def before_run(self, run_context):
        fetches = run_context.original_args.fetches
        assert fetches is not None
        return tf.train.SessionRunArgs({'step': tf.train.get_global_step(),
                                        'loss': 'sparse_softmax_cross_entropy_loss/value:0'})

    def after_run(self, run_context, run_values):
        if run_values.results['step'] in (1, 2, 20):
            print('step %(step)d loss %(loss).4f' % run_values.results)

    def end(self, session):
        print('end at', session.run(tf.train.get_global_step()))


def numpy_input(seed, n, epochs, shuffle=False):
    x, y = data(n, seed)
    return tf.estimator.inputs.numpy_input_fn(x, y, batch_size=16, num_epochs=epochs, shuffle=shuffle)


columns = [tf.feature_column.numeric_column('x'),
           tf.feature_column.indicator_column(tf.feature_column.categorical_column_with_vocabulary_list(
               'city', ['rome', 'oslo']))]
params = {'feature_columns': columns, 'hidden_units': [8, 6], 'n_classes': 2}
config = tf.estimator.RunConfig(model_dir='custom', tf_random_seed=5, save_checkpoints_steps=10,
                                keep_checkpoint_max=2, log_step_count_steps=None)
estimator = tf.estimator.Estimator(my_model_fn, params=params, config=config)
print(sorted(estimator.params), estimator.config.tf_random_seed, estimator.latest_checkpoint())
estimator.train(numpy_input(0, 64, None), steps=20, hooks=[Printer()])


def serving_input_receiver_fn():
    inputs = {'x': tf.placeholder(tf.float32, [None]), 'city': tf.placeholder(tf.string, [None])}
    return tf.estimator.export.ServingInputReceiver(inputs, inputs)


exporter = tf.estimator.LatestExporter('latest', serving_input_receiver_fn)
train_spec = tf.estimator.TrainSpec(numpy_input(0, 64, None), max_steps=40)
eval_spec = tf.estimator.EvalSpec(numpy_input(1, 48, 1), steps=None, exporters=exporter, throttle_secs=0)
result = tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)
metrics = result[0]
print('trained to', metrics['global_step'], 'accuracy %.3f' % metrics['accuracy'],
      'recall %.3f' % metrics['recall'], metrics['per_class'].round(3))
print(os.path.basename(estimator.latest_checkpoint()))
exported = os.path.join('custom', 'export', 'latest')
folder = os.path.join(exported, sorted(os.listdir(exported))[-1])
predictor = tf.contrib.predictor.from_saved_model(folder, signature_def_key='classes')
print(sorted(predictor({'x': [1.5, -1.0], 'city': ['rome', 'oslo']})))
with tf.Session(graph=tf.Graph()) as sess:
    meta = tf.saved_model.loader.load(sess, [tf.saved_model.tag_constants.SERVING], folder)
    for key in sorted(meta.signature_def):
        signature = meta.signature_def[key]
        print(key, signature.method_name, sorted(signature.inputs), sorted(signature.outputs))

warm = tf.estimator.Estimator(
    my_model_fn, 'warm', params=dict(params, rate=0.0, stop=1),
    warm_start_from=tf.estimator.WarmStartSettings('custom', vars_to_warm_start='.*dense.*'))
warm.train(numpy_input(0, 16, 1), steps=5)
same = [np.array_equal(warm.get_variable_value(n), estimator.get_variable_value(n))
        for n in ('dense/kernel', 'dense_1/bias', 'logits/kernel')]
print('warm started:', same, warm.get_variable_value('global_step'))
