"""Names of converted functions and variables: core.naming."""


class Namer:
    """Names for converted functions and their variables, each once.

    Args:
        global_namespace: names that are taken. recursive: whether what is called is
            converted too. name_map: from functions to names that they have already.
    """

    def __init__(self, global_namespace, recursive, name_map, partial_types):
        self.global_namespace, self.recursive = global_namespace, recursive
        self.renamed_calls = dict(name_map or {})
        self.generated_names = set()
        self.partial_types = partial_types

    def compiled_class_name(self, original_fqn, live_entity=None):
        """The name of a converted class."""
        name = "Tf" + "_".join(_parts(original_fqn))
        return self._kept(name, live_entity)

    def compiled_function_name(self, original_fqn, live_entity=None, owner_type=None):
        """(the name of a converted function, whether it is another)."""
        if not self.recursive:
            return None, False
        if owner_type is not None and owner_type not in (self.partial_types or ()):
            return None, False
        parts = _parts(original_fqn)
        return self._kept("tf__" + "__".join(parts), live_entity), True

    def _kept(self, name, entity):
        found = self.renamed_calls.get(entity) if entity is not None else None
        if found is None:
            found = self._free(name, self.global_namespace)
            if entity is not None:
                self.renamed_calls[entity] = found
            self.generated_names.add(found)
        return found

    def _free(self, name, *taken):
        found, n = name, 0
        while any(found in t for t in taken):
            n += 1
            found = f"{name}_{n}"
        return found

    def new_symbol(self, name_root, reserved_locals):
        """A name that nothing has."""
        reserved = {str(s) for s in reserved_locals}
        name, _, last = name_root.rpartition("_")
        name = name if last.isdigit() and name else name_root
        found, n = name_root, 0
        taken = (self.global_namespace, reserved, self.generated_names)
        while any(found in t for t in taken):
            n += 1
            found = f"{name}_{n}"
        self.generated_names.add(found)
        return found


def _parts(name):
    return name if isinstance(name, tuple) else (name,)
