"""The exit statuses, which mean the same for every command."""

FINE, FOUND, NOT_DONE, INTERRUPTED = 0, 1, 2, 130

TABLE = (
    (str(FINE), "fine, and nothing was found"),
    (str(FOUND), "something was found (a difference, a missing name), or the program "
     "failed"),
    (str(NOT_DONE), "the command line is wrong, or a file cannot be read or written"),
    (str(INTERRUPTED), "interrupted by Ctrl-C"),
    ("N", "what the program itself ended with; 128 + N after signal N"),
)  # fmt: skip
