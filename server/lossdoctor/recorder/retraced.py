"""What a node of a loss's graph holds, worked out from what the model returned: slices, activations, scalings.

The graph keeps what derivatives need, not results. From the model's outputs on the few operations that usually stand
between an answer and its loss are done once more; where another one stands there, nothing is told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .graph import operation
from .stats import tensors

RESHAPES = frozenset(
    {"View", "UnsafeView", "Squeeze", "Unsqueeze", "Alias", "ReshapeAlias", "Expand", "Clone"}
)
KEPT = frozenset(
    {"Sigmoid", "Tanh", "Exp", "Relu", "Softmax", "LogSoftmax", "Sqrt"}
)  # the graph keeps the result
OFFSETS = frozenset({"Add", "Sub"})  # of a constant that the graph does not keep
LONGEST = 12  # operations between the output and what is looked for
WRAPPED = 2**63  # the graph shows negative numbers unsigned

Made = dict[tuple[Any, int], torch.Tensor]
Undo = Callable[[Any, int, torch.Tensor], torch.Tensor]


def made_by(outputs: Any) -> Made:
    """Node and number -> output, of everything that the model returned."""
    return {(t.grad_fn, t.output_nr): t.detach() for _, t in tensors(outputs) if t.grad_fn is not None}


def retraced(node: Any, number: int, made: Made, left: int = LONGEST) -> torch.Tensor | None:
    """What the ``number``-th result of a node is, up to its shape and to constants that were added; None where that
    does not follow from the model's outputs.
    """
    if (node, number) in made:
        return made[node, number]
    if node is None or not left:
        return None
    children = [(child, k) for child, k in node.next_functions if child is not None]
    if len(children) != 1:
        return None
    held = retraced(children[0][0], children[0][1], made, left - 1)
    if held is None:
        return None
    kind = operation(node)
    if kind in KEPT:
        return node._saved_result.detach()  # type: ignore[no-any-return]
    if kind in RESHAPES or kind in OFFSETS:
        return held
    again = AGAIN.get(kind)
    return None if again is None else again(node, number, held)


def signed(value: Any) -> int:
    """A number as the graph shows it, which may be negative."""
    return int(value) - 2 * WRAPPED if int(value) >= WRAPPED else int(value)


def _shaped(node: Any, held: torch.Tensor) -> torch.Tensor:
    return held.reshape(node._saved_self_sym_sizes)


def _scaled(node: Any, held: torch.Tensor) -> torch.Tensor | None:
    saved = node._saved_other if node._saved_other is not None else getattr(node, "_saved_self", None)
    if saved is None or (isinstance(saved, torch.Tensor) and (saved.numel() != 1 or saved.requires_grad)):
        return None
    scaled: torch.Tensor = held * saved if operation(node) == "Mul" else held / saved
    return scaled


def _cut(node: Any, held: torch.Tensor) -> torch.Tensor:
    dim, start, end = (signed(v) for v in (node._saved_dim, node._saved_start, node._saved_end))
    axis = _shaped(node, held).movedim(dim, 0)
    return axis[start : end : signed(node._saved_step)].movedim(0, dim)


AGAIN: dict[str, Callable[[Any, int, torch.Tensor], torch.Tensor | None]] = {
    "Neg": lambda node, number, held: -held,
    "Mul": lambda node, number, held: _scaled(node, held),
    "Div": lambda node, number, held: _scaled(node, held),
    "Softplus": lambda node, number, held: torch.nn.functional.softplus(
        node._saved_self.detach(), float(node._saved_beta), float(node._saved_threshold)
    ),
    "ClampMin": lambda node, number, held: held.clamp_min(node._saved_min),
    "Permute": lambda node, number, held: held.permute([signed(d) for d in node._saved_dims]),
    "Clamp": lambda node, number, held: held.clamp(node._saved_min, node._saved_max),
    "Select": lambda node, number, held: _shaped(node, held).select(
        signed(node._saved_dim), signed(node._saved_index)
    ),
    "Slice": lambda node, number, held: _cut(node, held),
    "Index": lambda node, number, held: _shaped(node, held)[
        tuple(slice(None) if i is None else i for i in node._saved_indices)
    ],
    "IndexSelect": lambda node, number, held: _shaped(node, held).index_select(
        signed(node._saved_dim), node._saved_index
    ),
    "Split": lambda node, number, held: _shaped(node, held).split(
        signed(node._saved_split_size), signed(node._saved_dim)
    )[number],
    "Unbind": lambda node, number, held: held.unbind(signed(node._saved_dim))[number],
    "Transpose": lambda node, number, held: held.transpose(
        signed(node._saved_dim0), signed(node._saved_dim1)
    ),
    "T": lambda node, number, held: held.T,
}  # fmt: skip
