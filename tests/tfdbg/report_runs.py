"""A program for TensorFlow 1.12: reports a run, or hears of one; argv: what, port."""

import sys

import tensorflow as tf
from tensorflow.core.debug import debug_service_pb2
from tensorflow.python import debug as tfdbg
from tensorflow.python.debug.lib import debug_data, grpc_debug_server


class Handler(grpc_debug_server.EventListenerBaseStreamHandler):
    def __init__(self):
        pass

    def on_core_metadata_event(self, event):
        print("facts", "z:0" in event.log_message.message)

    def on_graph_def(self, graph_def, device_name, wall_time):
        print("graph", sum(n.name.startswith("__dbg_") for n in graph_def.node))

    def on_value_event(self, event):
        name = event.summary.value[0].node_name
        print(name, debug_data.load_tensor_from_event(event).sum())
        if "y:0" in name:
            return debug_service_pb2.EventReply()


class Servicer(grpc_debug_server.EventListenerBaseServicer):
    def __init__(self, port):
        super().__init__(port, Handler)

    def SendTracebacks(self, request, context):
        print("stack of", request.graph_traceback.log_entries[-1].name)
        return debug_service_pb2.EventReply()

    def SendSourceFiles(self, request, context):
        print("lines", len(request.source_files[0].lines) > 9)
        return debug_service_pb2.EventReply()


what, port = sys.argv[1:]
if what == "hear":
    server = Servicer(int(port))
    server.request_watch("y", 0, "DebugIdentity", breakpoint=True)
    server.run_server(blocking=False)
    print("ready", flush=True)
    sys.stdin.readline()
    server.stop_server().wait()
else:
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.fill([1 << 20], x, name="y")
    z = tf.reduce_sum(y, name="z")
    with tf.Session() as sess:
        sess = tfdbg.TensorBoardDebugWrapperSession(sess, "localhost:" + port)
        print(sess.run(z, {x: 2.0}))
