"""Reading of the jsonl molecules and dense batching."""
import json

import torch
from torch.utils.data import Dataset

ELEMENTS = ("C", "N", "O", "F", "S", "Cl")
INDEX = {symbol: k + 1 for k, symbol in enumerate(ELEMENTS)}


class MoleculeFile(Dataset):
    def __init__(self, path):
        self.records = []
        with open(path) as handle:
            for line in handle:
                m = json.loads(line)
                atoms = torch.tensor([INDEX[a] for a in m["atoms"]])
                adj = torch.eye(len(atoms))
                for a, b in m["bonds"]:
                    adj[a, b] = adj[b, a] = 1.0
                self.records.append((atoms, adj, float(m["logp"])))

    def __len__(self):
        return len(self.records)

    def __getitem__(self, k):
        return self.records[k]

    def target_stats(self):
        y = torch.tensor([r[2] for r in self.records])
        return y.mean().item(), y.std().item()


def collate_dense(batch):
    size = max(len(atoms) for atoms, _, _ in batch)
    atoms = torch.zeros(len(batch), size, dtype=torch.long)
    adj = torch.zeros(len(batch), size, size)
    for k, (z, a, _) in enumerate(batch):
        atoms[k, :len(z)] = z
        adj[k, :len(z), :len(z)] = a
    degree = adj.sum(-1, keepdim=True).clamp(min=1)
    logp = torch.tensor([b[2] for b in batch])
    return atoms, adj / degree, degree.squeeze(-1), logp
