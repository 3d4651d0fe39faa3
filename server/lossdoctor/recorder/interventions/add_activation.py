"""A rectifier after every linear or convolution layer but the last one of each model that the script calls.

The last one is the last that is registered. Reaches layers that are torch modules; not weights that a model applies
by itself.
"""

from __future__ import annotations

import torch

from ..session import Session
from ._common import between_layers


def apply(session: Session) -> None:
    between_layers(session, torch.relu)
