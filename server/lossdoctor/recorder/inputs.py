"""What of a model's arguments is one sample each: the tensor that is looked at, with what belongs to its rows."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch

from .stats import tensors, wide

FEATURES = 128
CATEGORIES = 32  # columns; more are a sequence
# columns that tell graphs of the same nodes apart; few, since likeness is looked for in all columns
EDGES = 8
WHOLE = (torch.int64, torch.int32)
MOST_OWNERS = 0.75  # graphs per node

_carried: set[str] = set()  # names in a batch of what it carries along: the targets of its samples


def model_input(args: Any) -> torch.Tensor | None:
    """The first tensor argument with a batch dimension and content; when it is a mere index (user, item), together
    with the other arguments of the same batch, side by side as float64; when it holds categories, with the measurements
    beside them. Bags of tokens (all in a row, with offsets, or a list of them) become one row of counts each, and so do
    graphs whose nodes stand in a row beside the number of their graph; nodes with measurements, one row of means.
    """
    documents = _documents(args)
    if documents:
        sizes = torch.tensor([0, *(len(d) for d in documents[:-1])], device=documents[0].device)
        return _bags(torch.cat(documents), sizes.cumsum(0))
    found = [t.detach() for t in parts_of(args) if has_content(t)]
    if not found:
        return None
    first, *more = found
    owner = next((t for t in more if _are_owners(t, first)), None)
    if owner is not None:
        return _of_graphs(first, owner, _ends(more, first))
    if first.dim() == 1 and more and _are_offsets(more[0], first):
        return _bags(first, more[0])
    parts = side_by_side(found)
    return first if len(parts) == 1 else torch.cat([wide(t.reshape(t.shape[0], -1)) for t in parts], 1)


def parts_of(args: Any) -> list[torch.Tensor]:
    """The tensors of a model's arguments but for those that are known to be the targets (``carry``)."""
    return [t for path, t in tensors(args) if path.rpartition(".")[2] not in _carried]


def carry(args: Any, targets: list[torch.Tensor]) -> bool:
    """Whether a batch that the model was given as a whole (by name) holds a number per sample that is its target, and
    other content: a loop may hand the same batch to the model and take the labels out of it for the loss. From now on
    that is no input.
    """
    named = [
        (name, t) for path, t in tensors(args) if (name := path.rpartition(".")[2]) and not name.isdigit()
    ]
    found = {name for name, t in named if any(_is_the_same(t, target) for target in targets)}
    others = [t for name, t in named if name not in found and has_content(t)]
    new = found - _carried if others else set()
    _carried.update(new)
    return bool(new)


def _is_the_same(tensor: torch.Tensor, target: torch.Tensor) -> bool:
    """Whether both hold the same number per sample."""
    alone = tensor.dim() >= 1 and tensor.shape[0] == tensor.numel() == target.numel() > 1
    if not alone or tensor.device != target.device:
        return False
    return torch.equal(wide(tensor.detach().reshape(-1)), wide(target.detach().reshape(-1)))


def side_by_side(found: list[torch.Tensor]) -> list[torch.Tensor]:
    """Of the arguments with content the first, and what belongs to its samples beside it."""
    first, *more = found
    beside = [t for t in more if t.shape[:1] == first.shape[:1] and t.dim() <= 2 and t.device == first.device]
    if first.dim() > 1:
        beside = [t for t in beside if _measures_beside(first, t)]
    return [first, *beside]


def _measures_beside(first: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether ``first`` holds a few categories per sample and ``other`` measurements; masks are as wide as tokens."""
    categories = not first.is_floating_point() and first.dim() == 2 and first.shape[1] <= CATEGORIES
    if not categories or not other.is_floating_point() or other.dim() != 2:
        return False
    return other.shape != first.shape or not bool(((other == 0) | (other == 1)).all())


def _documents(args: Any) -> list[torch.Tensor]:
    """The first argument that is a list of token sequences of different lengths; empty where there is none."""
    for value in args[0] if len(args) == 2 and isinstance(args[0], tuple) else args:
        several = isinstance(value, (list, tuple)) and len(value) > 1 and all(map(_are_tokens, value))
        if several and len({len(t) for t in value}) > 1:
            return [t.detach() for t in value]
    return []


def _are_tokens(value: Any) -> bool:
    return (
        issubclass(type(value), torch.Tensor) and value.dim() == 1 and value.dtype in WHOLE and len(value) > 0
    )


def _are_offsets(other: torch.Tensor, tokens: torch.Tensor) -> bool:
    """Whether ``other`` says where in ``tokens`` each bag begins (``torch.nn.EmbeddingBag``)."""
    whole = not other.is_floating_point() and not tokens.is_floating_point() and other.dim() == 1
    if not whole or not 1 < other.shape[0] < tokens.shape[0] or int(other[0]) != 0:
        return False
    return bool((other[1:] >= other[:-1]).all()) and int(other[-1]) <= tokens.shape[0]


def _bags(tokens: torch.Tensor, offsets: torch.Tensor) -> torch.Tensor:
    """(N, FEATURES): how often the tokens of each bag fall into each bin."""
    starts = torch.zeros(tokens.shape[0] + 1, dtype=torch.long, device=tokens.device)
    starts.scatter_add_(0, offsets.long(), torch.ones_like(offsets, dtype=torch.long))
    place = (starts[:-1].cumsum(0) - 1) * FEATURES + bins(tokens)
    counts = torch.zeros(offsets.shape[0] * FEATURES, device=tokens.device)
    return counts.scatter_add_(0, place, torch.ones_like(tokens, dtype=torch.float)).reshape(-1, FEATURES)


def _are_owners(other: torch.Tensor, nodes: torch.Tensor) -> bool:
    """Whether ``other`` says of each row of ``nodes`` which graph it belongs to: 0, 0, 1, 1, 1, 2, ..."""
    if (
        other.shape != nodes.shape[:1]
        or other.is_floating_point()
        or nodes.dim() > 2
        or other.dtype == torch.bool
    ):
        return False
    count = int(other[-1]) + 1
    steps = other[1:] - other[:-1]
    in_order = int(other[0]) == 0 and bool(((steps == 0) | (steps == 1)).all())
    return in_order and 1 < count <= MOST_OWNERS * nodes.shape[0]


def _ends(others: list[torch.Tensor], nodes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor] | None:
    """Both ends of every edge, as numbers of rows of ``nodes``: one (2, E) argument, or two of E elements."""
    whole = [
        t for t in others if not t.is_floating_point() and t.dtype != torch.bool and t.device == nodes.device
    ]
    pairs = [(t[0], t[1]) for t in whole if t.dim() == 2 and t.shape[0] == 2]
    flat = [t for t in whole if t.dim() == 1]
    pairs += [(a, b) for a, b in pairwise(flat) if a.shape == b.shape != nodes.shape[:1]]
    count = nodes.shape[0]
    return next(
        (p for p in pairs if p[0].numel() and all(0 <= int(t.min()) <= int(t.max()) < count for t in p)), None
    )


def _of_graphs(
    nodes: torch.Tensor, owner: torch.Tensor, ends: tuple[torch.Tensor, torch.Tensor] | None
) -> torch.Tensor:
    """(N, FEATURES) counts of node types per graph, or (N, F) means of the measurements of its nodes; and beside them
    EDGES counts of edges, told apart by the places of their ends, where the edges are known: few kinds of nodes make
    many graphs alike that are not.
    """
    sizes = torch.bincount(owner)
    starts = sizes.cumsum(0) - sizes
    if not nodes.is_floating_point() and nodes.dim() == 1:
        found = _bags(nodes, starts).double()
    else:
        values = nodes.reshape(nodes.shape[0], -1).double()
        sums = torch.zeros(len(sizes), values.shape[1], dtype=torch.float64, device=nodes.device)
        found = sums.index_add_(0, owner.long(), values) / sizes[:, None]
    if ends is None:
        return found
    graph = owner[ends[0].long()].long()
    near, far = (end.long() - starts[graph] for end in ends)
    place = graph * EDGES + bins(near * 4093 + far + 1) % EDGES
    counts = torch.zeros(len(sizes) * EDGES, dtype=torch.float64, device=nodes.device)
    counts.scatter_add_(0, place, torch.ones_like(place, dtype=torch.float64))
    return torch.cat([found, counts.reshape(-1, EDGES)], 1)


def has_content(tensor: torch.Tensor) -> bool:
    """Whether a tensor has rows that can be read: sparse ones (adjacency matrices) and nested ones have not."""
    plain = tensor.layout == torch.strided and not tensor.is_nested and not tensor.is_quantized
    held = plain and tensor.dim() >= 1 and tensor.numel() > 0
    return held and not tensor.is_complex() and tensor.device.type != "meta"


def bins(tokens: torch.Tensor) -> torch.Tensor:
    """One of FEATURES bins per token, spread by a multiplicative hash (Knuth, The Art of Computer Programming 6.4)."""
    return (tokens.long() * 2654435761 % 4294967296) % FEATURES
