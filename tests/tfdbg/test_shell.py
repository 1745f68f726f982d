"""Texts and commands, apart from any session."""

import numpy as np
import pytest

from twinflow.tfdbg.shell import intervals, parsing
from twinflow.tfdbg.shell.completion import TabCompletionRegistry
from twinflow.tfdbg.shell.history import CommandHistory
from twinflow.tfdbg.shell.readline_ui import ReadlineUI
from twinflow.tfdbg.shell.registry import CommandHandlerRegistry, CommandLineExit
from twinflow.tfdbg.shell.settings import CLIConfig
from twinflow.tfdbg.text import layout, readable, tensors
from twinflow.tfdbg.text.rich_text import RichLine, RichTextLines


def test_lines_keep_what_belongs_to_them():
    lines = RichTextLines(["a", "bb"], {1: [(0, 2, "red")]}, {1: "note", "key": 1})
    lines.extend(RichTextLines(["c"], {0: [(0, 1, "blue")]}))
    lines.prepend("front", [(0, 5, "bold")])
    assert lines.lines == ["front", "a", "bb", "c"]
    assert sorted(lines.font_attr_segs) == [0, 2, 3]
    cut = lines.slice(2, 4)
    assert cut.lines == ["bb", "c"] and cut.annotations == {0: "note", "key": 1}
    with pytest.raises(ValueError, match="negative"):
        lines.slice(-1, 2)
    whole = RichLine("x", "red") + "yy" + RichLine("z", "bold")
    assert whole.font_attr_segs == [(0, 1, "red"), (3, 4, "bold")]


def test_lines_are_cut_and_searched():
    lines = RichTextLines(["abcdefg", "", "xb"], {0: [(2, 6, "red")]}, {2: "note"})
    cut, begins = layout.wrap_rich_text_lines(lines, 3)
    assert cut.lines == ["abc", "def", "g", "", "xb"] and begins == [0, 3, 4]
    assert cut.font_attr_segs == {0: [(2, 3, "red")], 1: [(0, 3, "red")]}
    assert cut.annotations == {4: "note"}
    found = layout.regex_find(lines, "b|g", "mark")
    assert found.annotations["regex_match_lines"] == [0, 2]
    assert found.font_attr_segs[0] == [(1, 2, "mark"), (2, 6, "red"), (6, 7, "mark")]
    assert lines.font_attr_segs == {0: [(2, 6, "red")]}  # as it was


@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 3, 40), (20, 30, 40), (1, 0, 2)])
@pytest.mark.parametrize("kind", [float, complex, "U9", object])
def test_elements_are_found_in_what_is_shown(shape, kind):
    array = np.arange(np.prod(shape)).reshape(shape).astype(kind)
    if kind == "U9":
        array = np.char.add("a, [", array)
    with np.printoptions(threshold=100, edgeitems=2, linewidth=60):
        lines = tensors.format_tensor(array, "x:0")
    for place in np.ndindex(*shape) if array.size < 300 else [(0,) * array.ndim]:
        hidden, row, start, end = tensors.locate_tensor_element(lines, list(place))
        if hidden or start is None:
            continue
        text = lines.lines[row][start:end]
        if kind == "U9":
            assert text == repr(str(array[place]))
        else:
            assert complex(text.replace(" ", "")) == array[place]


def test_words_slices_and_intervals():
    words = parsing.parse_command("pt a/b:0[1, :] 'x y' -r [[0, 1]]")
    assert words == ["pt", "a/b:0[1, :]", "x y", "-r", "[[0, 1]]"]
    array = np.arange(12).reshape(3, 4)
    assert parsing.evaluate_tensor_slice(array, "[1:, 2]").tolist() == [6, 10]
    for bad in ("[a]", "[1", "[__import__('os')]"):
        with pytest.raises(ValueError, match="slicing"):
            parsing.evaluate_tensor_slice(array, bad)
    assert intervals.parse_memory_interval("(1k, 2MB]").contains(2 << 20)
    assert not intervals.parse_memory_interval("(1k, 2MB]").contains(1024)
    with pytest.raises(ValueError, match=r"malformed|literal|node"):
        parsing.parse_ranges("[f(), 1]")


@pytest.mark.parametrize(
    ("words", "path"),
    [
        (["lt", ">", "f"], "f"),
        (["lt>f"], "f"),
        (["lt", ">f"], "f"),
        (["lp", "-e", ">1ms"], None),
        (["lp", ">1ms"], "1ms"),
        (["lt"], None),
    ],
)
def test_where_an_output_goes(words, path):
    assert parsing.extract_output_file_path(words)[1] == path


def test_handlers_and_their_errors():
    registry = CommandHandlerRegistry()
    answers = {
        "fine": lambda argv, screen_info=None: RichTextLines(argv),
        "wrong": lambda argv, screen_info=None: 1,
        "broken": lambda argv, screen_info=None: [][0],
    }
    for name, handler in answers.items():
        registry.register_command_handler(name, handler, "help", [name[0]])
    assert registry.dispatch_command("f", ["x"]).lines == ["x"]
    assert "IndexError" in registry.dispatch_command("b", []).lines[1]
    with pytest.raises(ValueError, match="not None or a RichTextLines"):
        registry.dispatch_command("w", [])
    with pytest.raises(ValueError, match="clashes"):
        registry.register_command_handler("other", print, "help", ["f"])
    with pytest.raises(ValueError, match="No handler"):
        registry.dispatch_command("nothing", [])
    assert "  Aliases: f" in registry.get_help().lines

    def leave(argv, screen_info=None):
        raise CommandLineExit("token")

    registry.register_command_handler("leave", leave, "")
    with pytest.raises(CommandLineExit) as left:
        registry.dispatch_command("leave", [])
    assert left.value.exit_token == "token"


def test_completions_and_history(tmp_path):
    words = TabCompletionRegistry()
    words.register_tab_comp_context(["pt", "print"], ["xy", "xa", "b"])
    words.extend_comp_items("pt", ["xyz"])
    assert words.get_completions("print", "xy") == (["xy", "xyz"], "xy")
    assert words.get_completions("other", "") == (None, None)
    words.deregister_context(["pt"])
    with pytest.raises(KeyError):
        words.extend_comp_items("pt", ["x"])
    path = str(tmp_path / "history")
    known = CommandHistory(limit=3, history_file_path=path)
    for command in ("a", "b", "b", "ba", "c"):
        known.add_command(command)
    assert known.most_recent_n(9) == ["b", "ba", "c"]
    again = CommandHistory(limit=2, history_file_path=path)
    assert again.most_recent_n(9) == ["ba", "c"] and again.lookup_prefix("b", 9) == [
        "ba"
    ]


def test_the_interface_of_lines(tmp_path, monkeypatch, capsys):
    typed = iter(["hello", "config set mouse_mode off > " + str(tmp_path / "o"), "wat"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed, "quit"))
    ui = ReadlineUI(config=CLIConfig(str(tmp_path / "settings")))
    answer = lambda argv, screen_info=None: RichTextLines("hi")
    ui.register_command_handler("hello", answer, "says hi")
    assert ui.run_ui(title="the title") == "explicit_user_exit"
    shown = capsys.readouterr().out
    assert "the title" in shown and "hi\n" in shown
    assert 'ERROR: Invalid command prefix "wat"' in shown
    assert "mouse_mode: False" in (tmp_path / "o").read_text()
    assert ui._readline_complete("hel", 0) == "hello"
    assert CLIConfig(str(tmp_path / "settings")).get("mouse_mode") is False


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0"), (1023, "1023"), (2500, "2.44k"), (3 << 30, "3.00G")]
)
def test_sizes(number, text):
    assert readable.bytes_to_readable_str(number) == text


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0"), (5, "5us"), (1500, "1.5ms"), (1234567, "1.23s")]
)
def test_times(number, text):
    assert readable.time_to_readable_str(number) == text
