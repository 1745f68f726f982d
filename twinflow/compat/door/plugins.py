"""Assets that plugins of TensorBoard keep with a graph."""

from twinflow.graph.defaults import get_default_graph

_ALL = "__plugin_assets"


class PluginAsset:
    """What a plugin writes beside the events of a graph; to be derived from.

    Attributes:
        plugin_name: names the plugin, without slashes.
    """

    plugin_name = None

    def assets(self):
        """A dict from file names to what the files hold."""
        raise TypeError(f"{type(self).__name__} must define `assets`.")


def get_plugin_asset(plugin_asset_cls, graph=None):
    """The asset of a class in a graph (the default one), made where it is not there.

    Raises:
        ValueError: the class has no name. TypeError: another class has it already.
    """
    graph, name = graph or get_default_graph(), plugin_asset_cls.plugin_name
    if not name:
        raise ValueError(f"Class {plugin_asset_cls.__name__} has no plugin_name")
    held = graph.get_collection_ref(f"{_ALL}_{name}")
    if not held:
        held.append(plugin_asset_cls())
        graph.add_to_collection(_ALL, name)
    elif type(held[0]) is not plugin_asset_cls:
        raise TypeError(
            f"The plugin {name!r} has an asset of {type(held[0]).__name__} already; "
            f"{plugin_asset_cls.__name__} needs another plugin_name."
        )
    return held[0]


def get_all_plugin_assets(graph=None):
    """The assets of a graph, the default one if None."""
    graph = graph or get_default_graph()
    names = graph.get_collection(_ALL)
    return [graph.get_collection(f"{_ALL}_{name}")[0] for name in names]
