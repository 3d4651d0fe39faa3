import json
import random

import torch

ATOMS = "CNOSF"


class Molecule:
    def __init__(self, rec):
        self.name = rec["id"]
        self.x = torch.tensor(rec["atoms"])
        b = torch.tensor(rec["bonds"])
        # every bond in both directions
        self.src = torch.cat([b[:, 0], b[:, 1]])
        self.dst = torch.cat([b[:, 1], b[:, 0]])
        self.y = torch.tensor(float(rec["logp"]))

    def __len__(self):
        return len(self.x)


def load(path, n_val, n_test, seed):
    with open(path) as f:
        mols = [Molecule(r) for r in json.load(f)]
    random.Random(seed).shuffle(mols)
    return mols[n_val + n_test:], mols[:n_val], mols[n_val:n_val + n_test]
