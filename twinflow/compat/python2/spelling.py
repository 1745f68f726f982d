"""What Python 3 spells otherwise, token by token.

Each change has two forms: one that is run, which calls the functions of `runtime`, and
one that is shown, as a person or 2to3 would write it.
"""

import re

from twinflow.compat.python2.edits import Edits
from twinflow.compat.python2.statements import mend_statement
from twinflow.compat.python2.tokens import Token, logical_lines, statements

_FUTURE = re.compile(r"^from[ \t]+__future__[ \t]+import[ \t(]+(.*)$", re.M)
_OLD_OCTAL = re.compile(r"0[0-7]+")
_ESCAPE = re.compile(r"\\(?:\\|[uUN]|\n|.)", re.DOTALL)
_RESERVED = {"async", "await", "nonlocal"}
_INDENT = re.compile(r"^[ \f]*\t[ \t\f]*", re.M)
# Names and what is written today; `twinflow run` knows some of them anyway.
SHOWN = {
    "xrange": "range", "raw_input": "input", "unichr": "chr", "unicode": "str",
    "basestring": "str", "long": "int", "izip": "zip", "imap": "map",
    "ifilter": "filter", "izip_longest": "zip_longest", "cPickle": "pickle",
    "urllib2": "urllib.request", "cStringIO": "io", "ConfigParser": "configparser",
    "Queue": "queue", "iteritems": "items", "itervalues": "values",
    "iterkeys": "keys", "viewitems": "items", "maxint": "maxsize",
    "StringIO": "io", "__nonzero__": "__bool__", "urlparse": "urllib.parse",
    "getcwdu": "getcwd",
}  # fmt: skip
_BELOW = {"iteritems", "itervalues", "iterkeys", "viewitems", "maxint", "getcwdu"}
_MODULES = {
    "StringIO",
    "Queue",
    "ConfigParser",
    "urlparse",
    "cStringIO",
    "urllib2",
    "cPickle",
}


def futures(source: str) -> set[str]:
    """The names that a program imports from __future__."""
    lines = _FUTURE.findall(source)
    return {name for line in lines for name in re.findall(r"\w+", line)}


def mended(source: str) -> Edits:
    """The changes after which Python 3 can read a program.

    Raises:
        Unreadable: it has characters that are in no program.
    """
    edits, future = Edits(source), futures(source)
    for line in logical_lines(source):
        for statement in statements(line):
            mend_statement(edits, statement, future)
        _tokens(edits, line, "unicode_literals" in future)
    _indents(edits)
    return edits


def _indents(edits):
    """Tabs at the beginning of lines reach to the next multiple of eight."""
    inside = _strings_of_lines(edits.source)
    for match in _INDENT.finditer(edits.source):
        if match.start() not in inside:
            edits.replace(*match.span(), match.group().expandtabs(8))


def _strings_of_lines(source):
    """The places of lines that begin inside of a string."""
    found = set()
    for line in logical_lines(source):
        for token in line:
            if token.kind == "string" and "\n" in token.text:
                breaks = re.finditer("\n", token.text)
                found.update(token.start + m.end() for m in breaks)
    return found


def _tokens(edits: Edits, line: list[Token], unicode_literals: bool) -> None:
    ticks: list[int] = []
    for i, token in enumerate(line):
        before = line[i - 1].text if i else ""
        if token.text == "<>":
            edits.replace(token.start, token.end, "!=")
        elif token.text == "`":
            closes = bool(ticks) and ticks[-1] == token.depth
            ticks = ticks[:-1] if closes else [*ticks, token.depth]
            edits.replace(token.start, token.end, ")" if closes else "repr(")
        elif token.kind == "number":
            _number(edits, token)
        elif token.kind == "string":
            _string(edits, token, unicode_literals)
        elif token.kind == "name":
            listed = line[0].text == "import" and before == ","
            _name(edits, token, "import" if listed else before, line[i + 1 : i + 2])
            if token.text == "has_key" and before == ".":
                _has_key(edits, line, i)


def _number(edits, token):
    text = token.text.rstrip("lL")
    octal = _OLD_OCTAL.fullmatch(text)
    if octal:
        text = f"0o{text[1:]}" if text.strip("0") else "0"
    if text != token.text:
        dotted = edits.source.startswith(".", token.end)
        edits.replace(token.start, token.end, f"{text} " if dotted else text)


def _string(edits, token, unicode_literals):
    """``ur''`` as ``r''``; backslashes that mean something in unicode strings only."""
    prefix = re.match("[a-zA-Z]*", token.text).group()
    low, size = prefix.lower(), len(prefix)
    if low == "ur":
        edits.replace(token.start, token.start + size, "r")
    elif not {"u", "r", "b"} & set(low) and not unicode_literals:
        for match in _ESCAPE.finditer(token.text, size):
            if match.group()[1] in "uUN":
                at = token.start + match.start()
                edits.replace(at, at + 1, "\\\\")


def _name(edits, token, before, after):
    text, follows = token.text, after[0].text if after else ""
    if text in _RESERVED and not (
        follows in ("def", "with", "for") or (after and after[0].kind == "name")
    ):
        edits.replace(token.start, token.end, text + "_")
    elif text in SHOWN and (before == ".") == (text in _BELOW) and follows != "=":
        imported = before in ("import", "from")[text == "StringIO" :]
        if text not in _MODULES or imported or follows == ".":
            edits.show(token.start, token.end, SHOWN[text])


def _has_key(edits, line, i):
    """`a.b.has_key(k)` is to be written `k in a.b`."""
    first, opened = i - 1, line[i + 1 : i + 2]
    while first >= 1 and line[first].text == "." and line[first - 1].kind == "name":
        first -= 2
    ends = (t for t in line[i + 2 :] if t.text == ")" and t.depth == line[i].depth)
    last = next(ends, None)
    if opened and opened[0].text == "(" and last and first < i - 2:
        start = line[first + 1].start
        owner = edits.source[start : line[i - 1].start]
        key = edits.source[opened[0].end : last.start]
        edits.show(start, last.end, f"{key} in {owner}")
