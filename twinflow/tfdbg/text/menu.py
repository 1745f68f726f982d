"""Menus of one line, whose items stand for commands."""

from typing import Any

from twinflow.tfdbg.text.rich_text import RichLine, RichTextLines


class MenuItem:
    """An item of a menu.

    Args:
        caption: what is shown. content: the command that it stands for.
        enabled: whether it can be chosen.
    """

    def __init__(self, caption: str, content: Any, enabled: bool = True) -> None:
        self._caption = caption
        self._content = content
        self._enabled = enabled

    @property
    def caption(self) -> str:
        return self._caption

    @property
    def type(self) -> str:
        return "command"

    @property
    def content(self) -> Any:
        return self._content

    def is_enabled(self) -> bool:
        return self._enabled

    def disable(self) -> None:
        self._enabled = False

    def enable(self) -> None:
        self._enabled = True


class Menu:
    """A row of MenuItems.

    Args:
        name: str or None.
    """

    def __init__(self, name: str | None = None) -> None:
        self._name = name
        self._items: list[MenuItem] = []

    def append(self, item: MenuItem) -> None:
        self._items.append(item)

    def insert(self, index: int, item: MenuItem) -> None:
        self._items.insert(index, item)

    def num_items(self) -> int:
        return len(self._items)

    def captions(self) -> list[str]:
        return [item.caption for item in self._items]

    def caption_to_item(self, caption: str) -> MenuItem:
        """The first item with this caption.

        Raises:
            LookupError: there is none.
        """
        for item in self._items:
            if item.caption == caption:
                return item
        raise LookupError(f'There is no menu item with the caption "{caption}"')

    def format_as_single_line(
        self,
        prefix: str | None = None,
        divider: str = " | ",
        enabled_item_attrs: Any = None,
        disabled_item_attrs: Any = None,
    ) -> RichTextLines:
        """The menu as one line; items that are enabled have their item as attribute."""
        line = RichLine(prefix or "")
        for item in self._items:
            if item.is_enabled():
                attributes = [item, *_as_list(enabled_item_attrs)]
            else:
                attributes = _as_list(disabled_item_attrs)
            line += RichLine(item.caption, attributes)
            line += divider
        return RichTextLines(line.text, {0: line.font_attr_segs})


def _as_list(attributes: Any) -> list:
    if not attributes:
        return []
    return attributes if isinstance(attributes, list) else [attributes]
