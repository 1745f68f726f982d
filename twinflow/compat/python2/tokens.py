"""The tokens and simple statements of a program in Python 2.

Python's own tokenizer refuses from 3.12 on what only Python 2 has (`0777`, `10L`).
"""

import re
from typing import NamedTuple

_STRING = (
    r"(?P<string>(?:[uU]|[bB])?[rRfF]?[bB]?"
    r"(?:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\""
    r"|'(?!'')(?:\\.|[^\\'\n])*'|\"(?!\"\")(?:\\.|[^\\\"\n])*\"))"
)
_NUMBER = (
    r"(?P<number>0[xX][0-9a-fA-F]+[lL]?|0[bBoO][0-7]+[lL]?"
    r"|(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][+-]?\d+)?[jJlL]?)"
)
_OP = (
    r"(?P<op>\*\*=|//=|>>=|<<=|<>|->|:=|[-+*/%&|^=<>!@]=|\*\*|//|<<|>>"
    r"|[-+*/%&|^~<>()\[\]{},:.;@=`])"
)
_TOKEN = re.compile(
    r"(?P<space>[ \t\f]+|\\\r?\n)|(?P<comment>\#[^\n]*)|(?P<newline>\r?\n)"
    rf"|{_STRING}|{_NUMBER}|(?P<name>[^\W\d]\w*)|{_OP}",
    re.DOTALL,
)
_COMPOUND = {
    "if", "elif", "else", "while", "for", "try", "except", "finally", "with", "def",
    "class",
}  # fmt: skip
CLOSING = {"(": ")", "[": "]", "{": "}"}


class Token(NamedTuple):
    """A token: name, number, string or op; its text, and where it stands.

    Args:
        start, end: its place in the text. depth: how many brackets are open around it;
            an opening bracket and the one that closes it have the same.
    """

    kind: str
    text: str
    start: int
    end: int
    depth: int


class Unreadable(ValueError):
    """A text that is no program: where in it that shows."""


def logical_lines(source: str) -> list[list[Token]]:
    """The tokens of each logical line, without comments.

    Raises:
        Unreadable: there is a character that no token begins with.
    """
    lines: list[list[Token]] = [[]]
    at, depth = 0, 0
    while at < len(source):
        match = _TOKEN.match(source, at)
        if match is None or match.end() == at:
            raise Unreadable(f"no token of Python begins with {source[at]!r}", at)
        kind, text = match.lastgroup or "", match.group()
        if kind == "newline" and not depth:
            lines.append([])
        elif kind in ("name", "number", "string", "op"):
            depth -= text in CLOSING.values() and depth > 0
            lines[-1].append(Token(kind, text, at, match.end(), depth))
            depth += text in CLOSING
        at = match.end()
    return [line for line in lines if line]


def statements(line: list[Token]) -> list[list[Token]]:
    """A logical line cut at its semicolons, and behind the colon of `if x:`."""
    found: list[list[Token]] = [[]]
    header, lambdas = line[0].text in _COMPOUND, 0
    for token in line:
        if token.depth == 0 and token.text == ";":
            found.append([])
            continue
        found[-1].append(token)
        lambdas += token.depth == 0 and token.text == "lambda"
        if token.depth == 0 and token.text == ":":
            if lambdas:
                lambdas -= 1
            elif header:
                header = False
                found.append([])
    return [statement for statement in found if statement]


def parted(tokens: list[Token], text: str = ",") -> list[int]:
    """The indices of the tokens of this text that stand in no bracket of their own."""
    outer = min((t.depth for t in tokens), default=0)
    return [i for i, t in enumerate(tokens) if t.depth == outer and t.text == text]
