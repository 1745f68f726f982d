"""`print_tensor` and `eval`: values."""

from typing import Any

from twinflow.tfdbg.analysis.menus import _add_main_menu
from twinflow.tfdbg.dumps import names
from twinflow.tfdbg.shell import parsing
from twinflow.tfdbg.text import readable
from twinflow.tfdbg.text.menu import MenuItem
from twinflow.tfdbg.text.rich_text import RichLine, RichTextLines

RL = RichLine


class ValueViews:
    """The part of the analyzer that shows values."""

    _debug_dump: Any
    _arg_parsers: dict
    _evaluator: Any

    def print_tensor(
        self, args: list[str], screen_info: dict | None = None
    ) -> RichTextLines:
        """Answer `print_tensor`."""
        parsed = self._arg_parsers["print_tensor"].parse_args(args)
        options = readable.numpy_printoptions_from_screen_info(screen_info)
        marks = readable.parse_ranges_highlight(parsed.ranges)
        name, slicing = parsing.parse_tensor_name_with_slicing(parsed.tensor_name)
        node, slot = names.parse_node_or_tensor_name(name)
        dump = self._debug_dump
        if dump.loaded_partition_graphs() and not dump.node_exists(node):
            whole = readable.error(f'Node "{node}" does not exist in partition graphs')
            _add_main_menu(whole, node_name=None, enable_list_tensors=True,
                           enable_print_tensor=False)  # fmt: skip
            return whole
        found = [
            datum for key in dump.debug_watch_keys(node)
            for datum in dump.watch_key_to_data(key)
        ]  # fmt: skip
        many = self._some_slot(node, found) if slot is None else None
        if many is None:
            if slot is None:
                slot = found[0].output_slot
                name = names.tensor_name(node, slot)
            matching = [d for d in found if d.output_slot == slot]
            whole = self._value_of(name, slicing, matching, parsed, options, marks)
        else:
            whole = many
        _add_main_menu(whole, node_name=node, enable_print_tensor=False)
        return whole

    def _some_slot(self, node: str, found: list) -> RichTextLines | None:
        """What to say where no slot was given; None where there is one only."""
        slots = sorted({d.output_slot for d in found})
        if not slots:
            return readable.error(f'Node "{node}" did not generate any dumps.')
        if len(slots) == 1:
            return None
        whole = RichTextLines([
            f'Node "{node}" generated debug dumps from {len(slots)} output slots:',
            f"Please specify the output slot: {node}:x.",
        ])  # fmt: skip
        for slot in slots:
            whole.append(f"  {node}:{slot}")
        return whole

    def _value_of(
        self, name: str, slicing: str, found: list, parsed: Any, options: dict,
        marks: Any,
    ) -> RichTextLines:  # fmt: skip
        number = parsed.number
        if not found:
            return readable.error(f'Tensor "{name}" did not generate any dumps.')
        if len(found) == 1 and number > 0:
            return readable.error(
                f"Invalid number ({number}) for tensor {name}, which generated one "
                "dump."
            )
        if len(found) > 1 and number < 0:
            return self._which(name, found)
        if number >= len(found):
            return readable.error(
                f"Specified number ({number}) exceeds the number of available dumps "
                f"({len(found)}) for tensor {name}"
            )
        datum = found[max(number, 0)]
        label = datum.watch_key + (f" (dump #{number})" if len(found) > 1 else "")
        return readable.format_tensor(
            datum.get_tensor(), label, options, print_all=parsed.print_all,
            tensor_slicing=slicing, highlight_options=marks,
            include_numeric_summary=parsed.numeric_summary,
            write_path=parsed.write_path,
        )  # fmt: skip

    def _which(self, name: str, found: list) -> RichTextLines:
        """The dumps of a tensor that has several."""
        whole = RichTextLines([f'Tensor "{name}" generated {len(found)} dumps:'])
        for i, datum in enumerate(found):
            ms = (datum.timestamp - self._debug_dump.t0) / 1000.0
            link = MenuItem("", f"print_tensor {name} -n {i}")
            text = f"#{i} [{ms:.3f} ms] {datum.watch_key}"
            whole.append_rich_line(RL(text, link))
        for line in (
            "", "You can use the -n (--number) flag to specify which dump to print.",
            "For example:", f"  print_tensor {name} -n 0",
        ):  # fmt: skip
            whole.append(line)
        return whole

    def evaluate_expression(
        self, args: list[str], screen_info: dict | None = None
    ) -> RichTextLines:
        """Answer `eval`."""
        parsed = self._arg_parsers["eval"].parse_args(args)
        value = self._evaluator.evaluate(parsed.expression)
        options = readable.numpy_printoptions_from_screen_info(screen_info)
        return readable.format_tensor(
            value, f"from eval of expression '{parsed.expression}'", options,
            print_all=parsed.print_all, include_numeric_summary=True,
            write_path=parsed.write_path,
        )  # fmt: skip
