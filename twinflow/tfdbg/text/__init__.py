"""Text on a screen: lines with attributes, menus, and values as text."""
