r"""RE2's regular expressions, as TensorFlow takes them, on Python's engine.

What differs between the two is rewritten: classes are ASCII (``\d \w \s``), ``$`` is
the very end, ``[[:alpha:]]``, ``\pL``, ``\x{263a}``, ``\Q...\E``, ``\z``, flags in the
middle of a pattern. What RE2 refuses is refused: look-around and back references.
"""

import functools
import re
import sys
import unicodedata

from twinflow.ops.strings.arrays import as_text, invalid

_POSIX = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": "\\x00-\\x7f", "blank": "\\t ",
    "cntrl": "\\x00-\\x1f\\x7f", "digit": "0-9", "graph": "!-~", "lower": "a-z",
    "print": " -~", "punct": "!-/:-@\\[-`{-~", "space": "\\t\\n\\v\\f\\r ",
    "upper": "A-Z", "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f",
}  # fmt: skip
_PERL = {"d": "0-9", "w": "0-9A-Za-z_", "s": "\\t\\n\\f\\r "}
_KEPT = frozenset("afnrtv")  # escapes that mean the same in both
_REPEAT = re.compile(r"[*+?]|\{\d+(,\d*)?\}")


class _Bad(Exception):
    """RE2 does not take the pattern."""


@functools.lru_cache(maxsize=1024)
def compiled(pattern):
    """The compiled form of an RE2 pattern, given as bytes.

    Raises:
        InvalidArgumentError: RE2 would refuse it.
    """
    text = as_text(pattern)
    try:
        return re.compile(_Translator(text).run())
    except _Bad as bad:
        why = str(bad)
    except (re.error, OverflowError) as error:
        why = _REASONS.get(getattr(error, "msg", None), "") or f"{error}"
        if why.endswith(": "):
            why += text
    raise invalid(f"Invalid pattern: {text}, error: {why}")


_REASONS = {
    "missing ), unterminated subpattern": "missing ): ",
    "unbalanced parenthesis": "unexpected ): ",
    "unterminated character set": "missing closing ]: ",
}


class _Translator:
    """Walks through a pattern and writes Python's form of it."""

    def __init__(self, pattern):
        self.p, self.i = pattern, 0
        self.out = []
        self.closers = [""]  # what to add where a group ends, for flags in its middle
        self.multiline = [False]

    def run(self):
        while self.i < len(self.p):
            self._next()
        if len(self.closers) > 1:
            raise _Bad(f"missing ): {self.p}")
        return "".join(self.out) + self.closers[0]

    def _take(self, count=1):
        found = self.p[self.i : self.i + count]
        self.i += count
        return found

    def _next(self):
        c = self.p[self.i]
        repeat = _REPEAT.match(self.p, self.i)
        if repeat:
            self._repeat(repeat)
        elif c == "\\":
            self._escape()
        elif c == "[":
            self.out.append(self._set())
        elif c == "(":
            self._open()
        elif c == ")":
            self._close()
        elif c == "$":
            self.i += 1
            self.out.append("$" if self.multiline[-1] else "\\Z")
        else:
            self.out.append(self._take())

    def _repeat(self, match):
        if not self.out or self.out[-1] in ("(", "(?:", "|", "^"):
            raise _Bad(f"no argument for repetition operator: {match[0]}")
        self.i = match.end()
        if self.p[self.i : self.i + 1] == "?":
            self.i += 1
            self.out.append(match[0] + "?")
        else:
            self.out.append(match[0])
        again = _REPEAT.match(self.p, self.i)
        if again:
            raise _Bad(f"bad repetition operator: {match[0]}{again[0]}")

    # ------------------------------------------------------------------ groups
    def _open(self):
        p, i = self.p, self.i
        if not p.startswith("(?", i):
            self._begin("(", 1)
        elif p.startswith("(?P<", i):
            end = p.find(">", i)
            if end < 0 or not p[i + 4 : end].isidentifier():
                raise _Bad(f"invalid named capture group: {p[i:]}")
            self._begin(p[i : end + 1], end + 1 - i)
        else:
            self._flags()

    def _begin(self, text, count):
        self.out.append(text)
        self.i += count
        self.closers.append("")
        self.multiline.append(self.multiline[-1])

    def _flags(self):
        match = re.compile(r"\(\?([imsU]*)(-[imsU]+)?([:)])").match(self.p, self.i)
        if not match or "U" in match[0]:
            raise _Bad(f"invalid perl operator: {self.p[self.i : self.i + 3]}")
        on, off, end = match[1], (match[2] or "-")[1:], match[3]
        many = (self.multiline[-1] or "m" in on) and "m" not in off
        kept = "".join(f for f in on if f != "m"), "".join(f for f in off if f != "m")
        text = "(?" + kept[0] + ("m" if many else "") + ("-" + kept[1]) * bool(kept[1])
        if end == ":":
            self._begin(text + ":", len(match[0]))
        else:
            self.out.append(text + ":")
            self.closers[-1] += ")"
            self.i = match.end()
        self.multiline[-1] = many

    def _close(self):
        if len(self.closers) < 2:
            raise _Bad(f"unexpected ): {self.p}")
        self.i += 1
        self.out.append(self.closers.pop() + ")")
        self.multiline.pop()

    # ------------------------------------------------------------------ characters
    def _escape(self):
        if self.p.startswith("\\Q", self.i):
            end = self.p.find("\\E", self.i)
            end = len(self.p) if end < 0 else end
            self.out += [re.escape(c) for c in self.p[self.i + 2 : end]]
            self.i = end + 2
            return
        c = self.p[self.i + 1 : self.i + 2]
        simple = {"A": "\\A", "z": "\\Z", "b": "(?a:\\b)", "B": "(?a:\\B)"}.get(c)
        if simple:
            self.i += 2
            self.out.append(simple)
            return
        inside, negated = self._class_escape()
        if negated:
            self.out.append(f"[^{inside}]")
        else:
            self.out.append(f"[{inside}]" if len(inside) > 1 else re.escape(inside))

    def _class_escape(self):
        """One escape as what stands for it in a set, and whether it is negated."""
        start = self.i
        self.i += 1
        c = self._take()
        if not c:
            raise _Bad("trailing \\ at end of regexp: \\")
        if c.lower() in _PERL:
            return _PERL[c.lower()], c.isupper()
        if c in "pP":
            return self._category(start), (c == "P") != (
                self.p[start + 2 :][:2] == "{^"
            )
        if c in _KEPT:
            return "\\" + c, False
        if c == "x" or c in "01234567":
            return self._code(start, c), False
        if c.isalnum() or ord(c) > 127:
            raise _Bad(f"invalid escape sequence: {self.p[start : self.i]}")
        return "\\" + c, False

    def _code(self, start, c):
        """A character by its number."""
        forms = (
            r"\\x\{([0-9A-Fa-f]+)\}|\\x([0-9A-Fa-f]{2})|\\(0[0-7]{0,2}|[1-7][0-7]{2})"
        )
        match = re.compile(forms).match(self.p, start)
        if not match:
            raise _Bad(f"invalid escape sequence: {self.p[start : start + 2]}")
        self.i = match.end()
        number = int(match[3], 8) if match[3] else int(match[1] or match[2], 16)
        if number > sys.maxunicode:
            raise _Bad(f"invalid escape sequence: {match[0]}")
        return f"\\U{number:08x}"

    def _category(self, start):
        match = re.compile(r"\\[pP](\{\^?(\w+)\}|(\w))").match(self.p, start)
        found = _in_category(match[2] or match[3]) if match else None
        if not found:
            shown = match[0] if match else self.p[start:]
            raise _Bad(f"invalid character class range: {shown}")
        self.i = match.end()
        return found

    def _set(self):
        """A set in brackets."""
        start = self.i
        self.i += 1
        negated = self.p.startswith("^", self.i)
        self.i += negated
        parts, first = [], True
        while first or not self.p.startswith("]", self.i):
            if self.i >= len(self.p):
                raise _Bad(f"missing closing ]: {self.p[start:]}")
            parts.append(self._member())
            first = False
        self.i += 1
        return ("[^" if negated else "[") + "".join(parts) + "]"

    def _member(self):
        if self.p.startswith("[:", self.i):
            match = re.compile(r"\[:(\^?)(\w+):\]").match(self.p, self.i)
            if match and match[2] in _POSIX:
                self.i = match.end()
                inside = _POSIX[match[2]]
                return _complement(inside) if match[1] else inside
            if match:
                raise _Bad(f"invalid character class range: {match[0]}")
        if self.p[self.i] == "\\":
            inside, negated = self._class_escape()
            return _complement(inside) if negated else inside
        c = self._take()
        return "\\" + c if c in "[&|~-]^" and not self._is_range(c) else c

    def _is_range(self, c):
        """Whether a '-' stands between the two ends of a range."""
        before = self.p[self.i - 2]
        return c == "-" and before != "[" and self.p[self.i : self.i + 1] != "]"


@functools.cache
def _in_category(name):
    """The characters of a Unicode category as the inside of a set."""
    if name == "Any":
        return f"\\x00-\\U{sys.maxunicode:08x}"
    codes = [
        c for c in range(sys.maxunicode + 1)
        if unicodedata.category(chr(c)).startswith(name)
    ]  # fmt: skip
    return _ranges(codes)


@functools.cache
def _complement(inside):
    """What is not in a set, as the inside of a set."""
    member = re.compile(f"[{inside}]")
    codes = [c for c in range(sys.maxunicode + 1) if not member.match(chr(c))]
    return _ranges(codes)


def _ranges(codes):
    out, first = [], None
    for c, following in zip(codes, [*codes[1:], None]):
        first = c if first is None else first
        if following != c + 1:
            out.append(f"\\U{first:08x}-\\U{c:08x}")
            first = None
    return "".join(out)


# ---------------------------------------------------------------------- use
def full_match(pattern, value):
    """Whether all of `value` matches the compiled `pattern`."""
    return pattern.fullmatch(as_text(value)) is not None


def replace(pattern, value, rewrite, everywhere):
    """`value` with matches of the compiled `pattern` replaced.

    As in RE2 an empty match right after another match does not count.
    """
    text, out, last, end = as_text(value), [], 0, -1
    for match in pattern.finditer(text):
        if match.end() == end and match.start() == end:
            continue
        out += [text[last : match.start()], _expanded(rewrite, match)]
        last = end = match.end()
        if not everywhere:
            break
    return "".join([*out, text[last:]]).encode("utf-8", "surrogateescape")


@functools.lru_cache(maxsize=256)
def parsed_rewrite(rewrite):
    """A rewrite (`\\1` is a group) as a list of texts and group numbers; None = bad."""
    parts: list = []
    text = as_text(rewrite)
    i = 0
    while i < len(text):
        if text[i] != "\\":
            parts.append(text[i])
        elif text[i + 1 : i + 2].isdigit():
            parts.append(int(text[i + 1]))
            i += 1
        elif text[i + 1 : i + 2] == "\\":
            parts.append("\\")
            i += 1
        else:
            return None
        i += 1
    return parts


def _expanded(parts, match):
    return "".join(p if isinstance(p, str) else match[p] or "" for p in parts)
