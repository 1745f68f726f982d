"""Commands of a person: their words, history, settings and two interfaces."""
