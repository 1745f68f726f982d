"""Every place that could run code of a file's, or reach outside, and why it may.

The places are found in the syntax trees: calls that load code, unpickle, look names up
in modules by variables, unpack archives, start processes. A new one needs a row here,
and a look at where its argument comes from; docs/files.md says what files may do.
"""

import ast
import collections

from tests.source_tree import ROOT, python_files

# What is looked for: names of builtins, and attributes of modules ("*" = any).
BUILTINS = {"eval", "exec", "compile", "__import__", "input", "breakpoint"}
MODULES = {
    "pickle": "*", "marshal": "*", "importlib": "*", "pkgutil": "*", "runpy": "*",
    "subprocess": "*", "tarfile": "*", "zipfile": "*", "ctypes": "*", "shelve": "*",
    "dill": "*", "joblib": "*", "cloudpickle": "*", "yaml": "*", "code": "*",
    "codeop": "*", "imp": "*", "multiprocessing": "*", "socket": {"socket"},
    "urllib": "*", "requests": "*", "http": "*", "ftplib": "*",
    "os": {"system", "popen", "fork", "execv", "execve", "spawnv", "posix_spawn"},
    "sys": {"modules"}, "shutil": {"unpack_archive", "rmtree"},
    "np": {"load", "fromfile", "memmap", "loads"}, "numpy": {"load", "fromfile"},
    "types": {"FunctionType", "CodeType"},
}  # fmt: skip

_OWN = "names and files of this package alone, written in its own tables"
_WORKERS = "between a process and its workers: pipes of their own, never a file"
_SCRIPT = "the user's own script, and what it imports"
_WRITES = "writes look-alikes of data sets, and reads none"
_TEMPLATES = "templates of this package, op by op"
_SYSTEM = "the C library and Python itself; nothing is looked up by a name from outside"
_CONVERTED = "the program's own functions, converted in memory: nothing else runs"
REASONS = {
    "autograph/calls.py": ({"types.CodeType", "types.FunctionType"}, _CONVERTED),
    "autograph/compiled.py": (
        {"compile", "exec", "types.CodeType", "types.FunctionType"}, _CONVERTED
    ),
    "autograph/convert.py": ({"types.CodeType", "types.FunctionType"}, _CONVERTED),
    "autograph/rewrites.py": ({"types.CodeType"}, _CONVERTED),
    "autograph/source.py": ({"types.CodeType"}, _CONVERTED),
    "contrib/compiler/xla.py": ({"compile"}, "the name of xla.compile"),
    "compat/door/constants.py": ({"importlib.util"}, "looks whether there is pandas"),
    "contrib/cluster_resolver/google.py": (
        {"urllib.request"},
        "`TPUClusterResolver` asks Google's machine where it is, as in TensorFlow",
    ),
    "contrib/specs/composing.py": (
        {"exec", "pkgutil.resolve_name"},
        "`Import` and `External` in a spec, which is Python of the user's own",
    ),
    "contrib/losses/metric_learning/clusters.py": (
        {"pkgutil.resolve_name"},
        "`cluster_loss` compares groupings by scikit-learn, where it is installed",
    ),
    "contrib/specs/nets.py": ({"exec"}, "a spec is Python of the user's own"),
    "contrib/autograph/static/source_code.py": (
        {"importlib.util", "sys.modules"},
        "`compiler.ast_to_object` makes a module of a tree that the program has made",
    ),
    "compat/door/autograph_testing.py": ({"pkgutil.resolve_name"}, _OWN),
    "contrib/autograph/api.py": ({"types.FunctionType"}, _CONVERTED),
    "contrib/autograph/static/converters/call_trees.py": (
        {"types.FunctionType"}, "asks whether what is called is a Python function"
    ),
    "contrib/autograph/static/converters/decorators.py": (
        {"sys.modules"}, "looks whether a decorator is a name of its module"
    ),
    "execute/rpc.py": ({"importlib.util"}, "asks whether grpc is installed"),
    "execute/function.py": ({"importlib.import_module"}, _OWN),
    "base/compile_cache.py": ({"shutil.rmtree"}, "`twinflow cache clear` says so"),
    "base/devices.py": ({"importlib.util"}, _OWN),
    "base/factory.py": ({"compile", "exec", "types.CodeType"}, _TEMPLATES),
    "base/frames.py": ({"importlib.__file__", "types.CodeType"}, _SYSTEM),
    "base/accelerator_options.py": ({"sys.modules"}, _SYSTEM),
    "base/heap.py": (
        {"ctypes.CDLL", "ctypes.Structure", "ctypes.c_size_t"}, _SYSTEM
    ),
    "base/native.py": (
        {"importlib.import_module", "importlib.machinery", "importlib.util"},
        "the C module, or the build of it that TWINFLOW_NATIVE names",
    ),
    "base/op_defs.py": ({"importlib.resources"}, _OWN),
    "base/op_lookup.py": (
        {"pkgutil.resolve_name", "pkgutil.walk_packages"},
        "loads all ops; the types that a GraphDef names are looked up in a dict",
    ),
    "base/known_files.py": ({"importlib.resources"}, _OWN),
    "base/openblas.py": ({"sys.modules"}, _SYSTEM),
    "base/public_index.py": ({"importlib.import_module", "sys.modules"}, _OWN),
    "base/products.py": (
        {"ctypes.CDLL", "ctypes.c_void_p", "ctypes.cast", "sys.modules"}, _SYSTEM
    ),
    "base/tracebacks.py": ({"sys.modules"}, _SYSTEM),
    "base/stores.py": ({"shutil.rmtree"}, "tf.gfile.DeleteRecursively does as it says"),
    "base/unfinished.py": ({"shutil.rmtree"}, "what a killed writer of its own left"),
    "base/unsupported.py": ({"importlib.resources"}, _OWN),
    "base/vjp.py": ({"compile", "eval", "types.CodeType"}, _TEMPLATES),
    "base/written.py": ({"compile", "exec"}, "one template of this package"),
    "capsules/archive.py": (
        {"allow_pickle", "zipfile.ZIP_DEFLATED", "zipfile.ZipFile"},
        "members are read by their names into memory; arrays are written without pickle"
    ),
    "capsules/contents.py": ({"importlib.metadata"}, "the version of twinflow"),
    "capsules/lines.py": (
        {"compile", "types.CodeType"}, "the text `0` as code that has a file and a line"
    ),
    "cli/hints.py": ({"zipfile.BadZipFile"}, "the class of an error"),
    "cli/doctor.py": ({"pkgutil.resolve_name"}, _OWN),
    "formats/google_services.py": (
        {"pkgutil.resolve_name"}, "an extra's packages, by names of its own",
    ),
    "cli/drawing.py": ({"pkgutil.resolve_name"}, _OWN),
    "cli/health/installed.py": (
        {"importlib.metadata"}, "which packages are installed, and how they are called"
    ),
    "cli/numpy_habits.py": (
        {"getattr(numpy)"}, "looks whether NumPy has what a script names; calls nothing"
    ),
    "cli/notebooks/plots.py": (
        {"pkgutil.resolve_name", "sys.modules"}, "its own backend of matplotlib"
    ),
    "cli/notebooks/running.py": (
        {"compile", "eval", "exec"}, "the cells of the notebook that the user runs"
    ),
    "cli/notebooks/showing.py": (
        {"importlib.abc", "importlib.util", "sys.modules"}, _SCRIPT
    ),
    "cli/launching/guard.py": (
        {"subprocess.DEVNULL", "subprocess.PIPE", "subprocess.Popen"},
        "a shell with a text of this package, which ends what `launch` started",
    ),
    "cli/launching/places.py": ({"socket.socket"}, "asks for free ports"),
    "cli/launching/running.py": (
        {"ctypes.CDLL", "subprocess.DEVNULL", "subprocess.PIPE", "subprocess.Popen"},
        "starts the user's own script, by Python and `twinflow run`",
    ),
    "cli/run.py": (
        {
            "compile", "exec", "importlib.machinery", "pkgutil.resolve_name",
            "runpy.__file__", "runpy.run_module", "runpy.run_path", "sys.modules",
        }, _SCRIPT,
    ),
    "cli/saved_models.py": (
        {"allow_pickle", "np.load"}, "arrays that the user names, without pickles"
    ),
    "cli/samples/making.py": (
        {"urllib.request"}, "its urlretrieve gives look-alikes; nothing is fetched"
    ),
    "cli/samples/pictures.py": ({"pickle.dumps"}, _WRITES),
    "cli/samples/tables.py": (
        {"zipfile.ZIP_DEFLATED", "zipfile.ZipFile", "zipfile.ZipInfo"}, _WRITES
    ),
    "cli/samples/texts.py": (
        {
            "tarfile.TarInfo", "tarfile.open", "zipfile.ZIP_DEFLATED",
            "zipfile.ZipFile", "zipfile.ZipInfo",
        }, _WRITES,
    ),
    "compat/app.py": ({"sys.modules"}, _SCRIPT),
    "compat/door/absent.py": (
        {
            "importlib.abc", "importlib.machinery", "importlib.reload",
            "importlib.util", "pkgutil.resolve_name", "shutil.rmtree", "sys.modules",
        }, _SCRIPT,
    ),
    "compat/door/keras_alias.py": (
        {"importlib.abc", "importlib.util", "pkgutil.resolve_name"}, _SCRIPT,
    ),
    "compat/horovod/finder.py": (
        {"importlib.abc", "importlib.util", "pkgutil.resolve_name"}, _OWN
    ),
    "compat/door/finder.py": (
        {"importlib.abc", "importlib.util", "pkgutil.resolve_name", "sys.modules"},
        _SCRIPT,
    ),
    "compat/door/habits.py": (
        {"ctypes.py_object", "ctypes.pythonapi", "importlib.reload"}, _SCRIPT
    ),
    "contrib/checkpoint/python_state.py": (
        {"allow_pickle", "np.load"}, "arrays alone, allow_pickle is False"
    ),
    "contrib/gan/eval/scores.py": (
        {"tarfile.open"}, "one member of the user's archive, read into memory"
    ),
    "contrib/estimator/dnn_with_layer_annotations.py": (
        {"pickle.dumps"}, "columns as bytes in the collections of a graph",
    ),
    "compat/door/old_numpy.py": ({"pickle.loads"}, "np.loads, called by a script"),
    "compat/door/exports.py": ({"sys.modules"}, "notes names, as TensorFlow does"),
    "compat/door/hidden_names.py": ({"sys.modules"}, "called by a script"),
    "compat/door/python_util.py": ({"pkgutil.resolve_name"}, _OWN),
    "compat/door/resolve.py": ({"pkgutil.resolve_name"}, _OWN),
    "compat/door/table.py": ({"importlib.resources"}, _OWN),
    "compat/door/testing.py": ({"pkgutil.resolve_name"}, _OWN),
    "compat/old_libraries/changing.py": (
        {"importlib.abc", "importlib.machinery", "pkgutil.resolve_name", "sys.modules"},
        _SCRIPT,
    ),
    "compat/old_libraries/protos.py": (
        {
            "compile", "exec", "importlib.abc", "importlib.machinery",
            "pkgutil.resolve_name",
        }, "the imports of a module of a script; its messages are data",
    ),
    "compat/old_libraries/science.py": ({"getattr(numpy)"}, _OWN),
    "compat/old_libraries/learning.py": ({"pkgutil.resolve_name"}, _SCRIPT),
    "debugger/breakpoints.py": (
        {"compile", "eval"}, "the conditions that the user types at the prompt"
    ),
    "debugger/line_frames.py": (
        {"compile", "exec", "sys.modules", "types.CodeType"}, "one call, as its tree"
    ),
    "debugger/plots.py": (
        {"importlib.util", "pkgutil.resolve_name"}, "matplotlib, where it is"
    ),
    "compat/python2/importing.py": ({"importlib.abc", "importlib.machinery"}, _SCRIPT),
    "compat/python2/mending.py": ({"compile", "types.CodeType"}, _SCRIPT),
    "compat/python2/modules.py": (
        {
            "importlib.abc", "importlib.util", "pickle.dump", "pickle.load",
            "pickle.loads", "pkgutil.resolve_name", "subprocess.getoutput",
            "sys.modules",
        }, "cPickle and other modules of Python 2, which a script calls",
    ),
    "compat/python2/runtime.py": (
        {"exec", "importlib.reload", "input"},
        "exec, execfile and input of Python 2, which a script calls",
    ),
    "compat/tensorflow.py": ({"sys.modules"}, _SCRIPT),
    "contrib/learn/datasets/text_datasets.py": (
        {"tarfile.open"}, "unpacked with tarfile's filter for data"
    ),
    "contrib/learn/preprocessing/text.py": (
        {"pickle.dumps", "pickle.loads"}, "read where safe mode is switched off"
    ),
    "contrib/learn/preprocessing/saved.py": (
        {"pickle.Unpickler", "pickle.UnpicklingError"}, "with names of its own only",
    ),
    "data/processes/crew.py": (
        {
            "pickle.dumps", "pickle.loads", "subprocess.DEVNULL", "subprocess.Popen",
            "subprocess.TimeoutExpired", "subprocess._args_from_interpreter_flags",
        }, _WORKERS,
    ),
    "data/processes/messages.py": ({"pickle.dumps", "pickle.loads"}, _WORKERS),
    "data/processes/shipping.py": (
        {"cloudpickle.CloudPickler", "importlib.import_module", "pickle.loads"},
        _WORKERS,
    ),
    "data/processes/task.py": ({"pickle.dumps"}, _WORKERS),
    "data/processes/worker.py": ({"pickle.dumps", "pickle.loads"}, _WORKERS),
    "verification/events.py": ({"types.CodeType"}, _SCRIPT),
    "verification/python_state.py": ({"types.CodeType", "types.FunctionType"}, _SCRIPT),
    "verification/recorder.py": ({"types.CodeType"}, _SCRIPT),
    "verification/steady.py": ({"getattr(time)"}, "four names of its own"),
    "verification/never_run.py": ({"sys.modules", "types.CodeType"}, _SCRIPT),
    "verification/rebound.py": ({"types.CodeType"}, _SCRIPT),
    "verification/observer.py": (
        {"importlib.import_module", "runpy.run_path", "sys.modules"},
        "the framework, under the name that a script gives it",
    ),
    "verification/against.py": (
        {
            "allow_pickle", "np.load", "subprocess.DEVNULL", "subprocess.PIPE",
            "subprocess.run",
        },
        "the script with the interpreter that the user names",
    ),
    "cli/verify.py": ({"pickle.dumps", "pkgutil.resolve_name"}, _WORKERS),
    "verification/scripts.py": (
        {
            "pickle.loads", "shutil.rmtree", "subprocess.DEVNULL", "subprocess.Popen",
            "subprocess.TimeoutExpired",
        },
        "the script in processes of its own, whose courses it reads from a folder that "
        "it has just made",
    ),
    "serving/server.py": ({"socket.socket"}, "the port of REST, where it listens"),
    "serving/ports.py": (
        {"ctypes.addressof", "ctypes.create_string_buffer", "socket.socket"},
        "the system's own filter of packets; the program is written here",
    ),
    "execute/servers.py": (
        {"importlib.util", "socket.socket"},
        "keeps a port from others until gRPC, where it is installed, listens there",
    ),
    "base/dlpack.py": (
        {
            "ctypes.PYFUNCTYPE", "ctypes.Structure", "ctypes.c_char_p",
            "ctypes.c_int32", "ctypes.c_uint16", "ctypes.c_uint32", "ctypes.c_uint64",
            "ctypes.c_uint8", "ctypes.c_void_p", "ctypes.py_object",
            "ctypes.pythonapi",
        }, "capsules that the program's own libraries hand over",
    ),
    "graph/graph_def/newer.py": ({"importlib.resources"}, _OWN),
    "interchange/stablehlo.py": ({"importlib.util"}, "whether flatbuffers is there"),
    "interchange/arrays.py": (
        {"sys.modules"}, "looks whether jax has been loaded, and loads nothing"
    ),
    "keras/saving/keras3_files.py": (
        {"zipfile.ZipFile", "zipfile.is_zipfile"},
        "members are read into memory, none is unpacked",
    ),
    "execute/background.py": (
        {
            "ctypes.CDLL", "ctypes.c_char_p", "ctypes.c_int", "ctypes.c_void_p",
            "importlib.util",
        }, _SYSTEM,
    ),
    "execute/exit.py": (
        {
            "ctypes.PYFUNCTYPE", "ctypes.PyDLL", "ctypes.c_int", "ctypes.c_void_p",
            "ctypes.cast", "ctypes.py_object", "ctypes.pythonapi", "sys.modules",
        }, _SYSTEM,
    ),
    "lower/processes.py": (
        {"subprocess.DEVNULL", "subprocess.Popen"},
        "starts its own keeper.py, which keeps the list of processes",
    ),
    "execute/worker.py": ({"importlib.import_module"}, _OWN),
    "execute/swaps.py": ({"sys.modules"}, "the version of this package"),
    "formats/decision_protos.py": ({"importlib.import_module"}, _OWN),
    "formats/profile_protos.py": ({"importlib.import_module"}, _OWN),
    "formats/protos.py": ({"importlib.import_module"}, _OWN),
    "formats/tree_protos.py": ({"importlib.import_module"}, _OWN),
    "graph/picture/picture.py": (
        {"subprocess.run"}, "`dot` of Graphviz, where it is installed; it reads stdin"
    ),
    "keras/datasets/npz.py": (
        {"zipfile.ZipFile"}, "members are read into memory, none is unpacked"
    ),
    "keras/datasets/pickled.py": (
        {"pickle.Unpickler", "pickle.UnpicklingError"}, "Note [Plain pickles]"
    ),
    "keras/layers/lambda_layer.py": (
        {
            "marshal.dumps", "marshal.loads", "pkgutil.resolve_name", "sys.modules",
            "types.FunctionType",
        }, "Note [Safe mode]",
    ),
    "keras/saving/model_saving.py": ({"input"}, "asks before it replaces a file"),
    "keras/saving/pickling.py": (
        {"pkgutil.resolve_name", "sys.modules"},
        "copies of layers within pickles that the user himself loads",
    ),
    "cli/ckpt.py": (
        {"zipfile.ZipFile", "allow_pickle"}, "writes arrays, never pickled"
    ),
    "keras/utils/data_files.py": (
        {
            "tarfile.is_tarfile", "tarfile.open", "zipfile.ZipFile",
            "zipfile.is_zipfile",
        }, "members that would leave the folder are refused",
    ),
    "drawing/screens.py": ({"sys.modules"}, _SYSTEM),
    "execute/debug_places.py": ({"importlib.util"}, "asks whether grpc is installed"),
    "testing/debugged_sessions.py": ({"shutil.rmtree"}, "the folder of its own dumps"),
    "tfdbg/servers/service.py": ({"getattr(grpc)"}, _OWN),
    "tfdbg/sessions/remote.py": ({"input"}, "asks a person, after Ctrl-C"),
    "tfdbg/analysis/evaluator.py": (
        {"eval"}, "an expression that a person types at the debugger"
    ),
    "tfdbg/sessions/local_cli.py": (
        {"shutil.rmtree"}, "the folder of dumps that it has made itself"
    ),
    "tfdbg/shell/readline_ui.py": ({"input"}, "the commands of a person"),
    "ops/audio/ffmpeg.py": (
        {"subprocess.run"}, "the program ffmpeg, with arguments of this package"
    ),
    "ops/files/immutable.py": (
        {"np.memmap"}, "the numbers of the file that ImmutableConst names"
    ),
    "ops/arrays/passing.py": ({"getattr(numpy)"}, _OWN),
    "ops/core/compare.py": ({"getattr(numpy)"}, _OWN),
    "ops/debugging/print.py": ({"getattr(sys)"}, "stdout or stderr, nothing else"),
    "ops/sparse/math.py": ({"getattr(numpy)"}, _OWN),
}  # fmt: skip


def uses(path):
    """What a file of the package uses of the above."""
    tree = ast.parse((ROOT / path).read_text())
    modules = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for a in node.names:
                modules[a.asname or a.name.split(".")[0]] = a.name.split(".")[0]
        if isinstance(node, ast.ImportFrom) and node.module in MODULES:
            for a in node.names:
                if MODULES[node.module] == "*" or a.name in MODULES[node.module]:
                    yield f"{node.module}.{a.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _called(node, modules)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = node.value.id
            module = "np" if name == "np" else modules.get(name)
            wanted = MODULES.get(module, ())
            if module and (wanted == "*" or node.attr in wanted):
                yield f"{module}.{node.attr}"


def _called(node, modules):
    if isinstance(node.func, ast.Name):
        if node.func.id in BUILTINS:
            yield node.func.id
        by_variable = len(node.args) > 1 and not isinstance(node.args[1], ast.Constant)
        if node.func.id == "getattr" and by_variable:
            first = node.args[0]
            if isinstance(first, ast.Name) and first.id in modules:
                yield f"getattr({modules[first.id]})"
    for keyword in node.keywords:
        if keyword.arg == "allow_pickle":
            yield "allow_pickle"


def test_every_place_has_its_reason():
    found = collections.defaultdict(set)
    for path in python_files("twinflow"):
        for use in uses(path):
            found[str(path.relative_to("twinflow"))].add(use)
    listed = {path: set(uses_of) for path, (uses_of, _) in REASONS.items()}
    assert dict(found) == listed
