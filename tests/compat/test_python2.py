"""Programs of Python 2: mended in memory, they print what Python 2.7 printed."""

import builtins
import contextlib
import io
import os
import sys
import traceback

import pytest

from twinflow.compat.python2 import mending, runtime

# What stands behind each program was printed by Python 2.7.18.
PROGRAMS = {
    "print": ("""
print "hello", 1
print "a",
print "b"
print
print >>sys.stdout, "to", "out"
print ("a", 1), ("one")
print ("two")
if 1: print "x"; print "y"
print "%d" % (7/2), "C:\\Users\\new"
print "end",
""", "hello 1\na b\n\nto out\n('a', 1) one\ntwo\nx\ny\n3 C:\\Users\new\nend\n"),
    "operators": ("""
print 7 / 2, 7.0 / 2, -7 / 2, `1`, 1 <> 2, 0777, 10L, 0xFFL, 00
i = 9; i /= 2
class O: pass
o = O(); o.v = 9; o.v /= 2; m = [9]; m[0] /= 2
print i, o.v, m, ur'\\d', round(2.5), round(-0.5), round(1.234, 2)
""", "3 3.5 -4 1 True 511 10 255 0\n4 4 [4] \\d 3.0 -1.0 1.23\n"),
    "dicts and lists": ("""
d = {'a': 1}
for k, v in d.iteritems(): print k, v, d.has_key('a'), d.keys()[0]
print map(lambda x: x*2, range(3)), filter(None, [0, 1]), zip([1], [2])
print map(None, [1, 2], [3]), filter(None, "ab")
l = [3, 1, 2]; l.sort(lambda a, b: cmp(b, a)); print l
print sorted([3, 1], cmp=lambda a, b: a - b), max(d.values() + [5])
print sorted({'q': 1, 'r': 0}.items(), key=lambda (k, v): v)
""", "a 1 True a\n[0, 2, 4] [1] [(1, 2)]\n[(1, 3), (2, None)] ab\n[3, 2, 1]\n"
     "[1, 3] 5\n[('r', 0), ('q', 1)]\n"),
    "errors": ("""
try:
    raise ValueError, "bad"
except (ValueError, KeyError), e:
    print e.message
print e
try:
    raise IOError, (2, "none")
except IOError, (no, text):
    print no, text
""", "bad\nbad\n2 none\n"),
    "exec": ("""
exec "y = 5"
ns = {}
exec "z = 5 / 2" in ns
exec("w = 3/2; print w,")
print y, ns['z'], eval("5/2")
""", "1 5 2 2\n"),
    "functions and classes": ("""
def f(a, (b, c), d=2):
    "doc"
    return a + b + c + d
print f(1, (2, 3)), (lambda (a, (b, c)), d: a + b + c + d)((1, (2, 3)), 4)
class It:
    n = 0
    def __iter__(self): return self
    def next(self):
        self.n += 1
        if self.n > 3: raise StopIteration
        return self.n
class M(type):
    def __new__(c, n, b, d):
        return type.__new__(c, n, b, dict(d, tag=n))
class A(object):
    __metaclass__ = M
    def __cmp__(self, o): return 0
    def __nonzero__(self): return False
def g():
    yield 1
    raise StopIteration
print list(It()), It().next(), A.tag, A() == A(), bool(A()), list(g())
""", "8 10\n[1, 2, 3] 1 A True False [1]\n"),
    "tabs": ("if True:\n\tprint 1\n        print 2\n", "1\n2\n"),
    "texts": ("""
print isinstance(u"x", unicode), isinstance("x", basestring), unicode("x", "utf-8")
print "x".decode("utf-8"), "616".__len__(), (lambda async: async)(1)
""", "True True x\nx 3 1\n"),
    "futures": ("""
from __future__ import division, print_function
print("a", 3 / 2, end="!")
""", "a 1.5!"),
}  # fmt: skip


def printed(source):
    """What a program prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        text = source if source.startswith("\nfrom") else f"import sys\n{source}"
        exec(mending.code_of(text.encode(), "old.py"), {"__name__": "__main__"})
        runtime.end_line()
    return out.getvalue()


@pytest.fixture(autouse=True)
def steps(monkeypatch):
    for name, function in runtime.STEPS.items():
        monkeypatch.setattr(builtins, name, function, raising=False)


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_prints_what_python_2_printed(name):
    source, output = PROGRAMS[name]
    assert printed(source) == output


def test_tracebacks_have_the_lines_and_columns_of_the_file(tmp_path):
    path = tmp_path / "old.py"
    path.write_text('def f(x):\n    print "é", [1][x / 3]\n\nprint\nf(7)\n')
    with pytest.raises(IndexError) as caught:
        exec(mending.code_of(path.read_bytes(), str(path)), {})
    lines = "".join(traceback.format_exception(caught.value)).splitlines()
    assert lines[-3:-1] == [
        '    print "é", [1][x / 3]', "               ~~~^^^^^^^"
    ]  # fmt: skip


def test_modules_of_a_package_import_from_beside_them(tmp_path):
    package = tmp_path / "pack"
    package.mkdir()
    for name in ("__init__", "here", "there"):
        (package / f"{name}.py").write_text(f"name = '{name}'\n")
    source = b"import here, os\nimport here as h\nfrom there import name\n"
    code = mending.code_of(source, str(package / "a.py"), folder=str(package))
    names = {"__name__": "pack.a", "__package__": "pack"}
    sys.path.insert(0, str(tmp_path))
    try:
        exec(code, names)
        assert names["h"].__name__ == names["here"].__name__ == "pack.here"
        assert names["name"] == "there" and names["os"] is os
    finally:
        sys.path.remove(str(tmp_path))
        for name in ("pack", "pack.here", "pack.there"):
            sys.modules.pop(name, None)


def test_what_is_to_be_written():
    source = (
        "import cPickle as pickle, Queue\nprint >>f, a, `b`,\n"
        "if a.b.has_key(k): raise E, 'x'\ndef f((a, b)): return 017\n"
        "for k in xrange(3): d.iteritems()\n"
    )
    found = [(s.line, s.write) for s in mending.spellings(source)]
    assert found == [
        (1, "import pickle as pickle, queue"),
        (2, 'print(a, repr(b), end=" ", file=f)'),
        (3, "if k in a.b: raise E('x')"),
        (4, "def f(a_b): return 0o17"),
        (5, "for k in range(3): d.items()"),
    ]
    assert mending.is_old(source) and not mending.is_old("print('a')")
    assert mending.spellings("x = = 1") == [] and not mending.is_old("x = = 1")


@pytest.mark.parametrize("source", ["print 'a", "x = = 2", "a ? b", "print 1\nx y z"])
def test_what_no_python_can_read_is_a_syntax_error_with_its_line(source):
    with pytest.raises(SyntaxError) as caught:
        mending.code_of(source, "old.py")
    assert caught.value.filename == "old.py"
    assert caught.value.text in source.split("\n")
