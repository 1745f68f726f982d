"""Servers that debugged runs report to, and what is sent to them."""
