import json

import numpy as np
import torch


def load_pairs(folder):
    feats = torch.from_numpy(np.load(folder / "wines.npy"))
    feats = (feats - feats.mean(0)) / feats.std(0)
    with open(folder / "pairs.json") as fh:
        listing = json.load(fh)
    out = {}
    for part, triples in listing.items():
        t = torch.tensor(triples)
        out[part] = (feats[t[:, 0]], feats[t[:, 1]], t[:, 2].float())
    return out
