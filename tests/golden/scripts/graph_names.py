# What a graph is called: scopes of names and of variables, reuse, collections, operations.
from __future__ import print_function

import numpy as np
import tensorflow as tf


def dense(x, units, activation=None, scope='dense'):
    with tf.variable_scope(scope):
        w = tf.get_variable('w', [x.shape[-1].value, units],
                            initializer=tf.constant_initializer(0.1))
        b = tf.get_variable('b', [units], initializer=tf.zeros_initializer())
        y = tf.nn.xw_plus_b(x, w, b, name='out')
        return activation(y) if activation else y


def scopes():
    with tf.name_scope('outer') as outer:
        a = tf.constant(1., name='a')
        with tf.name_scope('inner'):
            b = tf.add(a, 2., name='b')
            v = tf.get_variable('v', [])
            u = tf.Variable(1., name='u')
        with tf.name_scope('inner'):
            c = a * b
        with tf.name_scope(outer):
            again = tf.identity(c, 'again')
        with tf.name_scope(None):
            top = tf.identity(c, 'top')
    print(outer, a.name, b.name, v.name, u.name, c.name, again.name, top.name)
    with tf.variable_scope('vs') as vs:
        with tf.name_scope('ns'):
            w = tf.get_variable('w', [2])
            d = w + 1
        print(vs.name, vs.original_name_scope, w.op.name, d.op.name)
    with tf.variable_scope('vs', reuse=True):
        w2 = tf.get_variable('w', [2])
        e = w2 * 2
    print(w2 is w, e.op.name, tf.get_variable_scope().name == '')
    with tf.variable_scope(vs, auxiliary_name_scope=False):
        print(tf.constant(0).name, tf.get_variable('z', []).name)
    with tf.variable_scope(vs, reuse=tf.AUTO_REUSE) as again:
        with tf.variable_scope('deeper', initializer=tf.ones_initializer()) as deeper:
            y = tf.get_variable('y', [3])
        print(y.name, again.name_scope if hasattr(again, 'name_scope') else '', deeper.reuse)
    for _ in range(2):
        with tf.variable_scope(None, default_name='layer'):
            print(tf.get_variable('k', []).name, end=' ')
    print(tf.get_default_graph().unique_name('vs/ns'), tf.get_default_graph().get_name_scope() == '')


def refused():
    for name, reuse in [('w', None), ('missing', True)]:
        try:
            with tf.variable_scope('vs', reuse=reuse):
                tf.get_variable(name, [2])
        except ValueError as error:
            print(str(error).split('.')[0])
    try:
        with tf.variable_scope('vs', reuse=True):
            tf.get_variable('w', [3])
    except ValueError as error:
        print(error)
    try:
        tf.get_default_graph().get_tensor_by_name('nowhere:0')
    except KeyError as error:
        print(error)


def template():
    shared = tf.make_template('shared', dense, units=2, scope='fc')
    one, two = shared(tf.ones([1, 3])), shared(tf.zeros([4, 3]))
    print(one.name, two.name, [v.name for v in shared.trainable_variables], shared.name)


def model():
    x = tf.placeholder(tf.float32, [None, 3], name='x')
    y = tf.placeholder(tf.float32, [None, 1], name='y')
    hidden = dense(x, 4, tf.nn.tanh, 'first')
    tf.add_to_collection('activations', hidden)
    out = dense(hidden, 1, scope='second')
    loss = tf.reduce_mean(tf.square(out - y), name='loss')
    before = len(tf.get_default_graph().get_operations())
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, name='train')
    print(before < len(tf.get_default_graph().get_operations()), train.name, train.type)
    print([t.name for t in tf.get_collection('activations', scope='first')])
    for v in tf.trainable_variables():
        print(v.name, v.op.type, v.initializer.name, v.value().name, v.initial_value.name)
    print([v.op.name for v in tf.global_variables() if 'Momentum' in v.name])
    for t in (hidden, out, loss):
        print(t.op.name, t.op.type, [i.name for i in t.op.inputs], t.op.node_def.device == '')
    print([op.name for op in x.consumers()], hidden.graph is tf.get_default_graph())
    return x, y, loss, train


with tf.Graph().as_default() as graph:
    scopes()
    refused()
with tf.Graph().as_default() as graph:
    template()
    x, y, loss, train = model()
    names = [op.name for op in graph.get_operations()]
    print([n for n in names if n.startswith('first') and n.count('/') == 1])
    print([n for n in names if n.startswith('second/b')])
    types = [op.type for op in graph.get_operations() if 'gradients' not in op.name]
    print([(t, types.count(t)) for t in ('Placeholder', 'VariableV2', 'ApplyMomentum')])
    print(sorted(graph.get_all_collection_keys()))
    with tf.Session(graph=graph) as sess:
        sess.run(tf.global_variables_initializer())
        rng = np.random.RandomState(0)
        feed = {'x:0': rng.randn(5, 3), y: rng.randn(5, 1)}
        for _ in range(3):
            sess.run('train', feed)
        print('%.4f' % sess.run('loss:0', feed), sess.run('second/b:0').round(4))
    graph.finalize()
    try:
        tf.constant(1)
    except RuntimeError as error:
        print(error)
