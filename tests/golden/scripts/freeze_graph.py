# Freezing: constants out of variables, optimize_for_inference, import and serve.
import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import graph_util
from tensorflow.python.tools import freeze_graph, optimize_for_inference_lib

folder = tempfile.mkdtemp()
tf.set_random_seed(3)


def cnn(images, training):
    net = tf.layers.conv2d(images, 4, 3, padding='same', name='conv')
    net = tf.layers.batch_normalization(net, training=training, name='bn', fused=False)
    net = tf.nn.relu(net, name='relu')
    net = tf.reduce_mean(net, [1, 2], name='pool')
    logits = tf.layers.dense(net, 3, name='logits')
    return tf.nn.softmax(logits, name='probabilities')


images = tf.placeholder(tf.float32, [None, 5, 5, 1], name='images')
probabilities = cnn(images, False)
classes = tf.argmax(probabilities, 1, name='classes')
data = np.random.RandomState(0).rand(2, 5, 5, 1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    wanted = sess.run(probabilities, {images: data})
    print(wanted.round(4))
    tf.train.write_graph(sess.graph_def, folder, 'graph.pbtxt')
    tf.train.write_graph(sess.graph.as_graph_def(), folder, 'graph.pb', as_text=False)
    checkpoint = tf.train.Saver().save(sess, os.path.join(folder, 'model.ckpt'))
    frozen = graph_util.convert_variables_to_constants(
        sess, sess.graph_def, ['probabilities', 'classes'])
print(sorted(n.name for n in frozen.node if n.op == 'Const' and 'conv' in n.name))
print(len([n for n in frozen.node if n.op in ('Variable', 'VariableV2')]))
print([n.name for n in frozen.node if not n.input and n.op != 'Const'])

output = os.path.join(folder, 'frozen.pb')
freeze_graph.freeze_graph(
    input_graph=os.path.join(folder, 'graph.pbtxt'), input_saver='', input_binary=False,
    input_checkpoint=checkpoint, output_node_names='probabilities',
    restore_op_name='save/restore_all', filename_tensor_name='save/Const:0',
    output_graph=output, clear_devices=True, initializer_nodes='')


def load_graph(filename):
    with tf.gfile.GFile(filename, 'rb') as f:
        graph_def = tf.GraphDef()
        graph_def.ParseFromString(f.read())
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name='prefix')
    return graph


graph = load_graph(output)
ops = graph.get_operations()
print(ops[0].name, ops[-1].name, ops[-1].type)
x = graph.get_tensor_by_name('prefix/images:0')
y = graph.get_tensor_by_name('prefix/probabilities:0')
with tf.Session(graph=graph) as sess:
    print(np.allclose(sess.run(y, feed_dict={x: data}), wanted), y)

small = optimize_for_inference_lib.optimize_for_inference(
    frozen, ['images'], ['probabilities'], tf.float32.as_datatype_enum)
print(len(small.node) < len(frozen.node))
part = graph_util.extract_sub_graph(frozen, ['relu'])
print([n.name for n in part.node if n.op == 'Relu'],
      graph_util.must_run_on_cpu(part.node[0]))
trimmed = graph_util.remove_training_nodes(frozen)
print(any(n.op == 'Identity' for n in trimmed.node))
with tf.Graph().as_default() as g:
    replacement = tf.ones([1, 5, 5, 1]) * 0.5
    out, op = tf.import_graph_def(small, input_map={'images': replacement},
                                  return_elements=['probabilities:0', 'relu'], name='')
    with tf.Session() as sess:
        print(sess.run(out).round(4), op.type)
    node = g.as_graph_def().node[0]
print(node.name, node.op, sorted(node.attr))
