"""A graph, a run and lines of a program made up for profiles, and options for them.

Runs in TensorFlow 1.12 too, where it makes golden.json:
`TF112_PYTHON tests/profiler/made.py > tests/profiler/golden.json`.
"""

import json
import os
import random
import sys
import tempfile

CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
GPU = "/job:localhost/replica:0/task:0/device:GPU:0"
_OPS = ("Conv2D", "MatMul", "Mul", "VariableV2", "Identity", "Placeholder", "AddN")
_FUNCTIONS = (
    "main",
    "build_the_whole_network",
    "dense_layer_of_ten",
    "_call",
    "<lambda>",
)
TWO = ("train", "layers")
_SHOWN = (
    "bytes", "micros", "params", "float_ops", "device", "op_types", "occurrence",
    "input_shapes", "accelerator_micros", "cpu_micros", "peak_bytes", "residual_bytes",
    "output_bytes",
)  # fmt: skip
_LEAST = {
    "min_bytes": 200, "min_peak_bytes": 100, "min_residual_bytes": 50,
    "min_output_bytes": 100, "min_micros": 20, "min_cpu_micros": 5,
    "min_accelerator_micros": 5, "min_params": 4, "min_float_ops": 30,
    "min_occurrence": 2,
}  # fmt: skip
_REGEXES = {
    "account_type_regexes": (["_trainable_variables"], ["Conv2D|MatMul"], [".*gpu.*"]),
    "start_name_regexes": (["a/.*"], ["Mul", "Conv2D"], ["layers.py:.*"], ["none"]),
    "show_name_regexes": ([".*1.*"], [".*layers.*", ".*Add.*"], ["none"]),
    "hide_name_regexes": ([".*2.*"], [".*Identity.*"]),
    "trim_name_regexes": (["b/.*"], ["MatMul"], [".*main"]),
}  # fmt: skip


def _dims(draw):
    return [draw.randint(1, 6) for _ in range(draw.randint(0, 3))]


def _name(draw, i):
    scopes = [draw.choice("abc") for _ in range(draw.randint(0, 3))]
    return "/".join([*scopes, f"n{i}"])


def messages(seed, kinds):
    """A GraphDef, a RunMetadata and an OpLogProto, as bytes.

    Args:
        seed: of what is drawn. kinds: the classes of these three.
    """
    draw = random.Random(seed)
    graph, run, log = (kind() for kind in kinds)
    devices = [run.step_stats.dev_stats.add(device=CPU)]
    if draw.random() < 0.5:
        devices += [
            run.step_stats.dev_stats.add(device=d) for d in (GPU, GPU + "/stream:all")
        ]
    log.id_to_string[0] = "none"
    names = []
    for i in range(draw.randint(5, 40)):
        name = _name(draw, i)
        if names and draw.random() < 0.2:
            name = f"gradients/{draw.choice(names)}_grad/n{i}"
        _add_node(draw, graph, name, names)
        _add_log(draw, log, name)
        names.append(name)
    for i, name in enumerate([*names, "_retval_x", "_SOURCE", "edge_RecvTensor"]):
        if draw.random() < 0.7:
            _add_runs(draw, draw.choice(devices), name, 1000 + 100 * i)
    return [m.SerializeToString() for m in (graph, run, log)]


def _add_node(draw, graph, name, names):
    node = graph.node.add(name=name, op=draw.choice(_OPS))
    for _ in range(draw.randint(0, 3)):
        if names:
            source = draw.choice(names)
            node.input.append(draw.choice([source, source + ":1", "^" + source]))
    if node.op in ("VariableV2", "Placeholder"):
        shape = node.attr["shape"].shape
        for size in _dims(draw):
            shape.dim.add(size=size)
    shapes = node.attr["_output_shapes"].list
    for _ in range(draw.randint(0, 2)):
        shape = shapes.shape.add()
        for size in _dims(draw):
            shape.dim.add(size=size)
        shape.unknown_rank = not shape.dim and draw.random() < 0.5


def _add_log(draw, log, name):
    entry = log.log_entries.add(name=name)
    if draw.random() < 0.4:
        entry.float_ops = draw.randint(1, 2000000)
    if draw.random() < 0.3:
        entry.types.append("_trainable_variables")
    for _ in range(draw.randint(1, 4)):
        entry.code_def.traces.add(
            file=f"/home/me/{draw.choice(TWO)}.py",
            lineno=draw.randint(1, 3), function=draw.choice(_FUNCTIONS),
            line="x = f(y)", func_start_line=1,
        )  # fmt: skip


def _add_runs(draw, device, name, start):
    for _ in range(draw.choice([1, 1, 1, 3])):
        taken = draw.choice([0, 3, 25, 700, 1500, 2500000])
        stats = device.node_stats.add(
            node_name=name, all_start_micros=start, op_end_rel_micros=taken,
            all_end_rel_micros=taken + 1, timeline_label=name + " = Op()",
        )  # fmt: skip
        size = draw.choice([4, 128, 4096, 5000000])
        if draw.random() < 0.5:
            stats.memory.add(
                allocator_name="cpu", total_bytes=size, peak_bytes=size,
                live_bytes=size // 2,
            )  # fmt: skip
        if draw.random() < 0.5:
            about = stats.output.add(slot=0).tensor_description.allocation_description
            about.requested_bytes, about.allocator_name = size, "cpu"
        if draw.random() < 0.3:
            stats.memory_stats.persistent_memory_size = size
            stats.memory_stats.temp_memory_size = 16
        start += taken + 1


def options(draw):
    """(a view, its options) drawn at random."""
    found = {
        "max_depth": draw.choice([10000, 10000, 1, 2, 4]), "step": draw.choice([-1, 0]),
        "order_by": draw.choice(["name", "occurrence", *_SHOWN]),
        "select": draw.sample(_SHOWN, draw.choice([1, 3, 13])),
        "account_type_regexes": [".*"], "start_name_regexes": [".*"],
        "show_name_regexes": [".*"],
        "account_displayed_op_only": draw.random() < 0.4,
    }  # fmt: skip
    for name, least in sorted(_LEAST.items()):
        if draw.random() < 0.06:
            found[name] = least
    for name, choices in sorted(_REGEXES.items()):
        if draw.random() < 0.2:
            found[name] = draw.choice(choices)
    return draw.choice(["scope", "graph", "op", "code"]), found


def profiled(seed, run):
    """What `run(cmd, options, messages)` writes for a seed, as [[cmd, text], ...]."""
    draw, found = random.Random(seed), []
    for _ in range(4):
        cmd, chosen = options(draw)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report")
            run(cmd, dict(chosen, output="file:outfile=" + path), seed)
            with open(path) as file:
                text = file.read().partition("Profile:\n")[2]
        found.append([cmd, text])
    return found


def _run_there(cmd, chosen, seed):
    from tensorflow.core.framework import graph_pb2
    from tensorflow.core.profiler import tfprof_log_pb2
    from tensorflow.core.protobuf import config_pb2
    from tensorflow.python import pywrap_tensorflow
    from tensorflow.python.profiler import model_analyzer

    kinds = graph_pb2.GraphDef, config_pb2.RunMetadata, tfprof_log_pb2.OpLogProto
    graph, run, log = messages(seed, kinds)
    built = model_analyzer._build_options(chosen).SerializeToString()
    pywrap_tensorflow.PrintModelAnalysis(graph, run, log, cmd.encode(), built)


if __name__ == "__main__":
    stdout = os.dup(1)
    os.dup2(2, 1)  # what it prints itself is not part of the file
    seeds = [int(text) for text in sys.argv[1:]] or range(24)
    made = {seed: profiled(seed, _run_there) for seed in seeds}
    with os.fdopen(stdout, "w") as file:
        json.dump(made, file, indent=0, sort_keys=True)
        file.write("\n")
