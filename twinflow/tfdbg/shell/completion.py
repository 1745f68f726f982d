"""Words that the tab key completes, by the word in front of them."""


class TabCompletionRegistry:
    """Completions by context word; "" is the context of the first word of a line."""

    def __init__(self) -> None:
        self._items: dict[str, list[str]] = {}  # synonyms share one list

    def register_tab_comp_context(
        self, context_words: list[str], comp_items: list[str]
    ) -> None:
        """Complete what follows any of these words with these items.

        Raises:
            TypeError: one of the two is no list.
        """
        if not isinstance(context_words, list):
            raise TypeError(
                "Incorrect type in context_list: Expected list, got "
                f"{type(context_words)}"
            )
        if not isinstance(comp_items, list):
            raise TypeError(
                f"Incorrect type in comp_items: Expected list, got {type(comp_items)}"
            )
        shared = sorted(comp_items)
        self._items.update(dict.fromkeys(context_words, shared))

    def deregister_context(self, context_words: list[str]) -> None:
        """Forget these context words.

        Raises:
            KeyError: one of them is not known; then none is forgotten.
        """
        for word in context_words:
            if word not in self._items:
                raise KeyError(f'Cannot deregister unregistered context word "{word}"')
        for word in context_words:
            del self._items[word]

    def extend_comp_items(self, context_word: str, new_comp_items: list[str]) -> None:
        """Add completions to the context of a word, and to its synonyms'.

        Raises:
            KeyError: the word is not known.
        """
        items = self._of(context_word)
        items.extend(new_comp_items)
        items.sort()

    def remove_comp_items(self, context_word: str, comp_items: list[str]) -> None:
        """Take completions from the context of a word, and from its synonyms'.

        Raises:
            KeyError: the word is not known.
        """
        items = self._of(context_word)
        for item in comp_items:
            items.remove(item)

    def get_completions(
        self, context_word: str, prefix: str
    ) -> tuple[list[str] | None, str | None]:
        """The items that begin with a prefix, and the longest prefix of them all."""
        if context_word not in self._items:
            return None, None
        found = [x for x in self._items[context_word] if x.startswith(prefix)]
        return found, self._common_prefix(found)

    def _common_prefix(self, m: list[str]) -> str:
        if not m:
            return ""
        first, last = min(m), max(m)
        pairs = enumerate(zip(first, last))
        end = next((i for i, (a, b) in pairs if a != b), min(len(first), len(last)))
        return first[:end]

    def _of(self, word: str) -> list[str]:
        if word not in self._items:
            raise KeyError(f'Context word "{word}" has not been registered')
        return self._items[word]
