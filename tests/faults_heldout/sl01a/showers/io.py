import numpy as np
import torch
from torch.utils.data import TensorDataset


def load_events(path):
    """hits: (events, hits, 3) with eta, phi and energy on the unit range; kind: 0 electron, 1 pion, 2 two-prong tau."""
    with np.load(path) as z:
        hits = torch.from_numpy(z["hits"]).float()
        kind = torch.from_numpy(z["kind"]).long()
        fold = torch.from_numpy(z["fold"])
    fit, held = fold == 0, fold == 1
    mean = hits[fit].mean((0, 1))
    std = hits[fit].std((0, 1)).clamp_min(1e-3)
    hits = (hits - mean) / std
    return TensorDataset(hits[fit], kind[fit]), TensorDataset(hits[held], kind[held])
