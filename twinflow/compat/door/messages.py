"""The names of *_pb2 modules: messages, enums and the values of enums."""

from twinflow.formats import decision_protos, profile_protos, protos, tree_protos

_RENAMED = {"Code": "ErrorCode"}  # too short a name for a package that has all
_OWN = {
    "boosted_trees": tree_protos, "profile": profile_protos,
    "tfprof_log": profile_protos, "tfprof_options": profile_protos,
    "tfprof_output": profile_protos,
}  # fmt: skip
_OF_TREES = {  # the parts of decision_protos
    "learner": "learner", "split_info": "learner", "tree_config": "ensembles",
    "quantiles": "quantiles", "generic_tree_model": "generic",
    "generic_tree_model_extensions": "generic",
}  # fmt: skip
_OPEN = ("DataType", "ErrorCode")  # enums of files, not of messages


def message(path, name):
    """What a *_pb2 module has under a name, or None.

    Args:
        path: of the module, as "core.framework.graph_pb2". name: as "GraphDef", or
            "DT_FLOAT" for the value of an enum.
    """
    if not path.endswith("_pb2") or name.startswith("_"):
        return None
    file = path.rpartition("_pb2")[0].rpartition(".")[2]
    of = _OWN.get(file, protos)
    if file in _OF_TREES:
        of = getattr(decision_protos, _OF_TREES[file])
    of = profile_protos if name == "CallTraceback" else of  # it holds an OpLogProto
    found = getattr(of, _RENAMED.get(name, name), None)
    if found is None and name.startswith("DO_NOT_USE_RESERVED"):
        return 20  # an error code that no program gets
    if found is None:
        values = (getattr(protos, enum).items() for enum in _OPEN)
        found = next((n for pairs in values for k, n in pairs if k == name), None)
    return found
