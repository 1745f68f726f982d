# Hooks of a MonitoredTrainingSession: own ones, LoggingTensorHook, early stopping, a Scaffold, restarts.
from __future__ import print_function

import os
import tempfile

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
FOLDER = tempfile.mkdtemp()
rng = np.random.RandomState(23)
features = rng.randn(20, 3).astype(np.float32)
targets = features.dot([[1.], [-1.], [2.]]).astype(np.float32)


class LearningRateHook(tf.train.SessionRunHook):
    """Halves the rate every few steps, by feeding it."""

    def __init__(self, rate, every):
        self.rate, self.every, self.value, self.step = rate, every, 0.2, 0

    def before_run(self, run_context):
        if self.step and self.step % self.every == 0:
            self.value *= 0.5
        self.step += 1
        return tf.train.SessionRunArgs(None, feed_dict={self.rate: self.value})


class RecordHook(tf.train.SessionRunHook):
    def __init__(self, tensors, patience=3):
        self.tensors, self.seen, self.events = tensors, [], []
        self.patience, self.best = patience, np.inf

    def begin(self):
        self.events.append('begin')
        self.step = tf.train.get_global_step()

    def after_create_session(self, session, coord):
        self.events.append('created at %d' % session.run(self.step))

    def before_run(self, run_context):
        original = run_context.original_args
        if not self.seen:
            self.events.append(type(original).__name__ + ' ' + str(original.fetches is not None))
        return tf.train.SessionRunArgs({'step': self.step, 'values': self.tensors})

    def after_run(self, run_context, run_values):
        found = run_values.results
        self.seen.append((int(found['step']), float(found['values'][0])))
        if self.seen[-1][1] < self.best - 1e-3:
            self.best, self.wait = self.seen[-1][1], 0
        else:
            self.wait += 1
            if self.wait >= self.patience:
                run_context.request_stop()
                self.events.append('stopped early %s' % run_context.stop_requested)

    def end(self, session):
        self.events.append('end %d' % session.run(self.step))


class Listener(tf.train.CheckpointSaverListener):
    def __init__(self):
        self.calls = []

    def begin(self):
        self.calls.append('begin')

    def before_save(self, session, step):
        self.calls.append('before %d' % step)

    def after_save(self, session, step):
        self.calls.append('after %d' % step)

    def end(self, session, step):
        self.calls.append('end %d' % step)


def build():
    step = tf.train.get_or_create_global_step()
    rate = tf.placeholder_with_default(0.1, [], name='rate')
    w = tf.get_variable('w', [3, 1], initializer=tf.zeros_initializer())
    predictions = tf.matmul(features, w)
    loss = tf.losses.mean_squared_error(targets, predictions)
    train = tf.train.GradientDescentOptimizer(rate).minimize(loss, step, name='train')
    tf.summary.scalar('loss', loss)
    return step, rate, w, loss, train


def run(last, start):
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        step, rate, w, loss, train = build()
        record, listener = RecordHook([loss, rate]), Listener()
        lines = []
        hooks = [
            tf.train.StopAtStepHook(last_step=last), LearningRateHook(rate, 3), record,
            tf.train.NanTensorHook(loss),
            tf.train.CheckpointSaverHook(FOLDER, save_steps=4, listeners=[listener]),
            tf.train.LoggingTensorHook({'l': loss, 's': step}, every_n_iter=2, at_end=True,
                                       formatter=lambda v: lines.append('%d %.4f' % (v['s'], v['l']))),
            tf.train.SummarySaverHook(save_steps=5, output_dir=FOLDER, summary_op=tf.summary.merge_all()),
            tf.train.FeedFnHook(lambda: {}), tf.train.StepCounterHook(every_n_steps=100),
            tf.train.FinalOpsHook([w, step])]
        scaffold = tf.train.Scaffold(
            init_op=tf.global_variables_initializer(), local_init_op=tf.no_op(),
            ready_op=tf.report_uninitialized_variables(), summary_op=tf.no_op())
        with tf.train.MonitoredTrainingSession(
                checkpoint_dir=FOLDER, hooks=hooks, scaffold=scaffold, save_checkpoint_secs=None,
                save_summaries_steps=None, log_step_count_steps=None,
                config=tf.ConfigProto(allow_soft_placement=True)) as sess:
            while not sess.should_stop():
                sess.run(train)
            print(type(sess).__name__, sess.graph.finalized)
        print([(s, round(l, 4)) for s, l in record.seen])
        print(record.events, listener.calls)
        print(lines, [np.round(v, 3).tolist() for v in hooks[-1].final_ops_values])
        print(sorted(f for f in os.listdir(FOLDER) if f.endswith('.index')))


def partial():
    with tf.Graph().as_default():
        step, rate, w, loss, train = build()
        bump = tf.assign_add(step, 1)

        def step_fn(step_context):
            value = step_context.session.run(loss)
            found = step_context.run_with_hooks([bump, loss], {rate: 0.3})
            if found[0] >= 3:
                step_context.request_stop()
            return round(float(value - found[1]), 6)

        hook = RecordHook([loss, rate])
        with tf.train.SingularMonitoredSession(hooks=[hook]) as sess:
            while not sess.should_stop():
                print(sess.run_step_fn(step_fn))
            print(sess.raw_session().run(step))
        print(hook.events)
        with tf.train.MonitoredSession(tf.train.ChiefSessionCreator()) as sess:
            print(sess.run([step, loss])[0], sess.should_stop())


def failing():
    with tf.Graph().as_default():
        step, _, _, loss, train = build()
        bad = tf.log(-loss)
        for fail in (True, False):
            hook = tf.train.NanTensorHook(bad, fail_on_nan_loss=fail)
            try:
                with tf.train.MonitoredTrainingSession(hooks=[hook], log_step_count_steps=None) as sess:
                    sess.run(train)
                    print('stop', sess.should_stop())
            except tf.train.NanLossDuringTrainingError as error:
                print(error)
        try:
            with tf.train.MonitoredTrainingSession(log_step_count_steps=None) as sess:
                raise KeyError('mine')
        except KeyError as error:
            print('KeyError', error)
        try:
            tf.train.StopAtStepHook()
        except ValueError as error:
            print(error)


run(7, 0)
run(40, 7)
partial()
failing()
