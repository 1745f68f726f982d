"""print, exec, raise, except and parameters, which Python 3 reads otherwise."""

from twinflow.compat.python2.edits import Edits
from twinflow.compat.python2.tokens import CLOSING, Token, parted

PRINT, PRINT_TO = "_twinflow_print", "_twinflow_print_to"
EXEC, RAISED = "_twinflow_exec", "_twinflow_raised"


def mend_statement(edits: Edits, tokens: list[Token], future: set[str]) -> None:
    """Note the changes of one simple statement, or of the head of a compound one."""
    first, rest = tokens[0], tokens[1:]
    if first.text == "print" and "print_function" not in future:
        if not rest or rest[0].text not in ("=", "."):
            _print(edits, first, rest)
    elif first.text == "exec" and rest and not _is_call(rest):
        _exec(edits, first, rest)
    elif first.text == "raise" and len(parted(rest)):
        _raise(edits, first, rest)
    elif first.text == "except":
        _except(edits, rest)
    if any(t.text in ("def", "lambda") for t in tokens):
        _parameters(edits, tokens)


def _is_call(tokens):
    """Whether brackets are around all of it."""
    first, last = tokens[0], tokens[-1]
    closes = first.text == "(" and last.text == ")" and last.depth == first.depth
    return closes and sum(t.depth == first.depth for t in tokens) == 2


def _print(edits, first, rest):
    if not rest:
        edits.replace(first.start, first.end, f"{PRINT}()", "print()")
        return
    last, end = rest[-1], rest[-1].end
    more = last.text == "," and last.depth == first.depth
    if rest[0].text == ">>":
        _print_to(edits, first, rest, more)
        return
    plain = _is_call(rest) and len(rest) > 2 and not parted(rest[1:-1])
    shown = "print" if plain else "print("
    edits.replace(first.start, rest[0].start, f"{PRINT}(", shown)
    if more:
        edits.replace(last.start, end, ", more=True)", ', end=" ")')
    else:
        edits.replace(end, end, ")", "" if plain else ")")


def _print_to(edits, first, rest, more):
    """`print >>file, x` calls a function with the file in front."""
    commas = parted(rest)
    stop = commas[0] if commas else len(rest)
    file = edits.source[rest[1].start : rest[stop - 1].end]
    edits.replace(first.start, rest[1].start, f"{PRINT_TO}(", "print(")
    values = rest[stop + 1 :]
    last, end = rest[-1], rest[-1].end
    covered = values[0].start if values else end
    edits.show(rest[1].start, covered, "" if values else f"file={file})")
    if more and values:
        edits.replace(last.start, end, ", more=True)", f', end=" ", file={file})')
    elif values:
        edits.replace(end, end, ")", f", file={file})")
    else:
        edits.replace(end, end, ")", "")


def _exec(edits, first, rest):
    edits.replace(first.start, rest[0].start, f"{EXEC}(", "exec(")
    places = parted(rest, "in")
    if places:
        word = rest[places[0]]
        before = rest[places[0] - 1].end
        edits.replace(before, word.end, ",")
    else:
        here = ", globals(), locals())"
        edits.replace(rest[-1].end, rest[-1].end, here, ")")
        return
    edits.replace(rest[-1].end, rest[-1].end, ")")


def _raise(edits, first, rest):
    commas = parted(rest)
    edits.replace(first.end, rest[0].start, f" {RAISED}(", " ")
    comma, end = rest[commas[0]], rest[-1].end
    bracketed = len(commas) == 1 and _is_call(rest[commas[0] + 1 :])
    edits.show(comma.start, rest[commas[0] + 1].start, "" if bracketed else "(")
    if len(commas) > 1:
        second, after = rest[commas[1]], rest[commas[1] + 1]
        edits.show(second.start, after.start, ").with_traceback(")
    edits.replace(end, end, ")", "" if bracketed else ")")


def _except(edits, rest):
    commas = parted(rest)
    if not commas:
        return
    comma, target = rest[commas[0]], rest[commas[0] + 1 : -1]
    if len(target) == 1:
        edits.replace(comma.start, target[0].start, " as ")
        return
    text = edits.source[target[0].start : target[-1].end]
    name = edits.part(text)
    edits.replace(comma.start, target[-1].end, f" as {name}", " as error")


def _parameters(edits, tokens):
    """Tuples among the parameters of functions and lambdas."""
    for i, token in enumerate(tokens):
        if token.text == "def" and tokens[i + 2 : i + 3]:
            _tuples(edits, tokens, i + 3, token.depth + 1)
        elif token.text == "lambda":
            _tuples(edits, tokens, i + 1, token.depth)


def _tuples(edits, tokens, i, depth):
    expected = True  # a parameter begins here
    while i < len(tokens) and tokens[i].depth >= depth:
        token = tokens[i]
        if token.depth == depth and token.text == ":":
            return
        if expected and token.text == "(" and token.depth == depth:
            end = next(
                j for j in range(i + 1, len(tokens))
                if tokens[j].text == CLOSING["("] and tokens[j].depth == depth
            )  # fmt: skip
            text = edits.source[token.start : tokens[end].end]
            shown = "_".join(t.text for t in tokens[i:end] if t.kind == "name")
            edits.replace(token.start, tokens[end].end, edits.part(text), shown)
            i = end
        expected = token.depth == depth and token.text == ","
        i += 1
