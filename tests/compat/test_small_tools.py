"""The small Python tools of tensorflow.python.util; texts recorded from 1.12."""

import functools
import sys
import types
import unittest

import pytest

import twinflow as tf
from twinflow.base import logging
from twinflow.compat.door import (
    decorators,
    deprecation,
    event_file_writer,
    experimental,
    exports,
    hidden_names,
    inspecting,
    machine,
    plugins,
    proto_compare,
    tensorboard_logging,
)
from twinflow.formats.protos import NodeDef

DOC = """fn doc. (deprecated)

THIS FUNCTION IS DEPRECATED. It will be removed after 2016-07-04.
Instructions for updating:
Use g.

Args:
  a: x."""


@pytest.fixture
def said(monkeypatch):
    found = []
    monkeypatch.setattr(logging, "warning", lambda *args: found.append(args))
    return found


def test_a_deprecated_function_says_so_in_its_docstring_and_once_in_the_log(said):
    @deprecation.deprecated("2016-07-04", "Use g.")
    def f(a):
        """fn doc.

        Args:
          a: x.
        """
        return a

    assert f(1) == f(1) == 1 and f.__doc__ == DOC
    ((text, _, name, module, when, instead),) = said
    assert text.startswith("From %s: %s (from %s) is deprecated and will be removed")
    assert name.endswith("f") and module == __name__
    assert (when, instead) == ("after 2016-07-04", "Use g.")


def test_a_deprecated_argument_is_fine_with_some_value(said):
    @deprecation.deprecated_args(None, "Do not.", ("b", 3), warn_once=False)
    def f(a, b=1, *more, **others):
        return a

    f(1), f(1, 3), f(1, b=3)
    assert not said
    f(1, 2), f(1, b=2)
    assert [args[4] for args in said] == ["b", "b"]
    assert f.__doc__.startswith("DEPRECATED FUNCTION ARGUMENTS\n\nSOME ARGUMENTS ARE")
    with pytest.raises(ValueError, match=r"\['zz'\]. Found next arguments: \['a'"):
        deprecation.deprecated_args(None, "Do not.", "zz")(lambda a: a)


def test_an_old_name_of_a_class_makes_objects_of_it(said):
    old = deprecation.deprecated_alias("old", "new", types.SimpleNamespace)
    assert isinstance(old(a=1), types.SimpleNamespace)
    assert said[0][2:] == ("old", "new")


def test_the_arguments_of_a_function_are_seen_through_decorators():
    def f(a, b=1, *c, **d):
        return a

    made = decorators.make_decorator(f, lambda *args, **kwargs: 0, "mine", "doc")
    assert inspecting.getargspec(made) == (["a", "b"], "c", "d", (1,))
    assert inspecting.getcallargs(made, 3) == {"a": 3, "b": 1}
    assert inspecting.getargspec(functools.partial(f, 7))[0] == ["b"]
    assert made.__doc__ == "doc" and made._tf_decorator.decorator_name == "mine"
    with pytest.raises(ValueError, match=r"Some arguments \['n'\] do not have default"):
        inspecting.getargspec(functools.partial(lambda m, n: m, m=7))


def test_names_that_are_noted_once(monkeypatch):
    @exports.tf_export("a.b", "c", v1=["old"])
    def f():
        pass

    assert f._tf_api_names == ("a.b", "c") and f._tf_api_names_v1 == ["old"]
    with pytest.raises(exports.SymbolAlreadyExposedError, match="f is already exposed"):
        exports.tf_export("d")(f)
    exports.tf_export("e", overrides=[f])(lambda: 0)
    assert not hasattr(f, "_tf_api_names")


def test_names_that_are_not_spoken_of_go_and_come_back(monkeypatch):
    module = types.ModuleType("small_tools", "@@kept")
    module.kept, module.other = 1, 2
    monkeypatch.setitem(sys.modules, "small_tools", module)
    hidden_names.remove_undocumented("small_tools")
    assert module.kept == 1 and not hasattr(module, "other")
    hidden_names.reveal_undocumented("small_tools.other")
    assert module.other == 2


def test_messages_that_differ_fail_a_test():
    class Case(unittest.TestCase, proto_compare.ProtoAssertions):
        pass

    Case().assertProtoEqual('name: "a"', NodeDef(name="a"))
    with pytest.raises(AssertionError, match='name: "b"'):
        Case().assertProtoEqual(NodeDef(name="a"), NodeDef(name="b"))


def test_an_experimental_function_says_so(said):
    f = experimental.experimental(lambda: 1)
    assert f() == 1 and "is experimental and may change" in said[0][0]
    assert f.__doc__.startswith(
        "EXPERIMENTAL FUNCTION\n\nTHIS FUNCTION IS EXPERIMENTAL"
    )


def test_every_op_has_a_kernel():
    assert machine.get_registered_kernels_for_op("MatMul").kernel[0].op == "MatMul"
    assert not machine.get_registered_kernels_for_op("NoSuchOp").kernel
    assert len(machine.get_all_registered_kernels().kernel) > 1000


def test_messages_go_into_event_files(tmp_path):
    with pytest.raises(RuntimeError, match="Must call set_summary_writer"):
        tensorboard_logging.info("lost")
    writer = event_file_writer.EventFileWriter(str(tmp_path))
    tensorboard_logging.set_summary_writer(writer)
    tensorboard_logging.info("too quiet")
    tensorboard_logging.error("loud %d", 3)
    tensorboard_logging.clear_summary_writer()
    writer.close()
    events = list(tf.train.summary_iterator(str(next(tmp_path.iterdir()))))
    assert [e.log_message.message for e in events] == ["", "loud 3"]


def test_the_assets_of_plugins_lie_beside_the_events_of_a_graph(tmp_path):
    class Asset(plugins.PluginAsset):
        plugin_name = "mine"

        def assets(self):
            return {"a.txt": "hello"}

    with tf.Graph().as_default() as graph:
        plugins.get_plugin_asset(Asset)
        tf.summary.FileWriter(str(tmp_path), graph).close()
    assert (tmp_path / "plugins" / "mine" / "a.txt").read_text() == "hello"
