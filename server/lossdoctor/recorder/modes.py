"""Whether a model that is called acts as in training: what counts is the mode of the layers that depend on it."""

from __future__ import annotations

from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.dropout import _DropoutNd


def acts_as_in_training(module: nn.Module) -> bool:
    """The mode of the outermost module, unless it is the training mode and every layer in it that depends on the mode
    is in eval mode: an encoder that is kept as it is inside a model that trains its head.
    """
    if not module.training:
        return False
    modes = [part.training for part in module.modules() if _depends_on_mode(part)]
    return any(modes) or not modes


def _depends_on_mode(part: nn.Module) -> bool:
    if issubclass(type(part), _BatchNorm):
        return bool(part.track_running_stats)
    if issubclass(type(part), _DropoutNd):
        return bool(part.p)
    if issubclass(type(part), (nn.RNNBase, nn.MultiheadAttention)):
        return bool(part.dropout)
    return False
