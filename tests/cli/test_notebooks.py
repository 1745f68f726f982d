"""`twinflow run notebook.ipynb`: cells in order, magics left out, plots kept."""

import json

import pytest

from tests.cli.test_run import start, twinflow
from twinflow.cli import check
from twinflow.cli.notebooks import cells, magics, showing

CELLS = [
    "%matplotlib inline\nimport sys\nfrom IPython.display import display, Image\n"
    "import IPython\n!touch made",
    "%%time\nx = 3\ntext = '''\n%not a magic\n'''\nx, len(text)",
    "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()\n"
    "plt.figure(); plt.imshow([[1]])\nx;",
    "%%bash\ntouch made",
    "display({'a': x}, sys.argv[1:])\nIPython.get_ipython().system('touch made')",
    "import tensorflow as tf\ndef f(y):\n    return tf.Session().run(tf.ones(2)) / y\n"
    "f(2)",
    "f(None)",
]
PNG = b"\x89PNG\r\n\x1a\n"


def notebook(texts, version=4):
    """The file of a notebook with these cells."""
    made = [{"cell_type": "markdown", "source": "# a title"}]
    for text in texts:
        key = "source" if version == 4 else "input"
        made.append({"cell_type": "code", key: text.splitlines(True)})
    whole = {"nbformat": version, "metadata": {"language_info": {"version": "3.6.1"}}}
    sheets = {"cells": made} if version == 4 else {"worksheets": [{"cells": made}]}
    return json.dumps({**whole, **sheets}).encode()


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A folder, and the finished process of a notebook in it."""
    folder = tmp_path_factory.mktemp("notebooks")
    (folder / "a.ipynb").write_bytes(notebook(CELLS))
    return folder, twinflow(folder, "--plots=kept", "a.ipynb", "b", "-c")


def test_cells_show_their_last_value(done):
    assert done[1].stdout == (
        "(3, 14)\n{'a': 3}\n['b', '-c']\narray([0.5, 0.5], dtype=float32)\n"
    )


def test_magics_are_named_and_never_run(done):
    folder, run = done
    said = [line for line in run.stderr.splitlines() if "left out: " in line]
    assert said == [
        "twinflow: a.ipynb, cell 1: left out: %matplotlib inline",
        "twinflow: a.ipynb, cell 1: left out: !touch made",
        "twinflow: a.ipynb, cell 2: left out: %%time",
        "twinflow: a.ipynb, cell 4: left out: %%bash and the rest of the cell",
        "twinflow: left out: !touch made",
    ]
    assert not (folder / "made").exists()


def test_plots_are_kept_by_cell(done):
    folder, run = done
    kept = sorted(path.name for path in (folder / "kept").iterdir())
    assert kept == ["cell_03_1.png", "cell_03_2.png"]
    assert all((folder / "kept" / n).read_bytes().startswith(PNG) for n in kept)
    assert run.stderr.count("twinflow: a plot is in kept/cell_03_") == 2


def test_tracebacks_name_cells_and_show_their_lines(done):
    assert done[1].returncode == 1
    lines = done[1].stderr.splitlines()
    begin = lines.index("Traceback (most recent call last):")
    assert lines[begin + 1 : begin + 3] == [
        '  File "a.ipynb, cell 7", line 1, in <module>', "    f(None)"
    ]  # fmt: skip
    assert '  File "a.ipynb, cell 6", line 3, in f' in lines
    assert lines[-1].startswith("TypeError: unsupported operand")


def test_python_2_and_other_files(tmp_path):
    old = notebook(["print 'a', 7 / 2", "map(str, [1])"], version=3)
    (tmp_path / "old.ipynb").write_bytes(old)
    program = (
        "from twinflow.cli import main\n"
        "print(main.main(['run', 'old.ipynb']), main.main(['run', 'no.ipynb']))\n"
        "main.main(['run', '--py2', 'old.ipynb'])"
    )
    (tmp_path / "no.ipynb").write_text("[]")
    run = start(tmp_path, "-c", program)
    assert run.stdout == "1 2\na 3\n['1']\n"
    assert "old.ipynb, cell 1:1: print 'a', 7 / 2\n" in run.stderr
    assert "twinflow run --py2 old.ipynb" in run.stderr
    assert "no.ipynb is no notebook: " in run.stderr


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a = (1\n% 2)", "a = (1\n% 2)"),
        ("if x:\n    %load_ext a\nb?", "if x:\n    pass\npass"),
        ("%time y = 3", "y = 3"),
        ("files = !ls\nx = %env A", "pass\npass"),
        ("s = '''\n!ls\n''' % \\\n3", "s = '''\n!ls\n''' % \\\n3"),
        ("\n%%html\n<b>\n", "\n\n\n"),
        ("%%capture out\nx = 1", "\nx = 1"),
        ("%%writefile -a a.py\nx = 1", "\n"),
        ("x = y % z\nx != 3", "x = y % z\nx != 3"),
    ],
)
def test_what_is_left_of_a_cell(text, kept):
    assert magics.removed(text)[0] == kept


def test_files_in_cells_are_written(tmp_path):
    cells = ["\n%%writefile part.py\nNAME = 'part'\n%not = 1\n", "%%file b.txt\n"]
    (tmp_path / "a.ipynb").write_bytes(notebook([*cells, "open('part.py').read()"]))
    run = start(tmp_path, "-m", "twinflow", "run", "a.ipynb")
    assert run.stdout == repr("NAME = 'part'\n%not = 1\n\n") + "\n"
    assert run.stderr == "" and (tmp_path / "b.txt").read_text() == "\n"


def test_check_names_cells(tmp_path, capsys):
    path = tmp_path / "a.ipynb"
    path.write_bytes(notebook(["import tensorflow as tf\n!ls", "\ntf.nope()"]))
    assert check.main([str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert out == f"{path}, cell 2:2: twinflow does not have tensorflow.nope\n"


@pytest.mark.parametrize("data", [b"[]", b"{", b'{"cells": [1]}', b'{"cells": 3}'])
def test_damaged_files_are_named(data):
    with pytest.raises(cells.Unreadable, match=r"x\.ipynb is no notebook: "):
        cells.read(data, "x.ipynb")


def test_objects_to_show(tmp_path, capsys):
    path = tmp_path / "a.png"
    path.write_bytes(PNG)
    assert showing.Image(filename=str(path))._repr_png_() == PNG
    assert showing.Image(data=PNG)._repr_png_() == PNG
    showing.display(showing.NAMES["Markdown"]("*a*"), 3)
    assert capsys.readouterr().out == "*a*\n3\n"
