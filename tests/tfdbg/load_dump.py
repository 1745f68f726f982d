"""Prints what a real TensorFlow 1.12 reads from a dump: python load_dump.py FOLDER."""

import json
import sys

from tensorflow.python import debug as tf_debug

dump = tf_debug.DebugDumpDir(sys.argv[1])
values = [[d.watch_key, str(d.get_tensor())] for d in dump.dumped_tensor_data]
bad = [d.tensor_name for d in dump.find(tf_debug.has_inf_or_nan)]
print(json.dumps([sorted(values), bad, dump.core_metadata.output_names]))
