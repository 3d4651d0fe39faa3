import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from losses import batch_hard_triplet
from sampler import SpeakerBatches


class Embedder(nn.Module):
    def __init__(self, n_in, hidden, n_out):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(n_in, hidden), nn.LayerNorm(hidden), nn.ReLU(),
                               nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, n_out))

    def forward(self, x):
        return self.f(x)


@torch.no_grad()
def retrieval(model, x, spk):
    """Share of recordings whose nearest neighbour has the same speaker."""
    model.eval()
    dist = torch.cdist(model(x), model(x))
    dist.fill_diagonal_(float("inf"))
    return (spk[dist.argmin(1)] == spk).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rounds", type=int, default=12)
    ap.add_argument("--batches", type=int, default=60)
    ap.add_argument("--speakers", type=int, default=8)
    ap.add_argument("--takes", type=int, default=4)
    ap.add_argument("--margin", type=float, default=0.5)
    ap.add_argument("--lr", type=float, default=5e-4)
    a = ap.parse_args()
    torch.manual_seed(2)

    pack = np.load("xvectors.npz")
    x = torch.from_numpy(pack["vec"].astype(np.float32) / 25)
    spk = torch.from_numpy(pack["spk"].astype(np.int64))
    unseen = spk >= 27
    xt, st, xv, sv = x[~unseen], spk[~unseen], x[unseen], spk[unseen]

    batches = SpeakerBatches(st.numpy(), a.speakers, a.takes, a.batches, seed=4)
    loader = DataLoader(TensorDataset(xt, st), batch_sampler=batches)
    model = Embedder(x.shape[1], 96, 16)
    optimizer = torch.optim.Adam(model.parameters(), lr=a.lr)

    print(f"raw nearest-neighbour hit rate on new speakers {retrieval(nn.Identity(), xv, sv):.3f}")
    for r in range(1, a.rounds + 1):
        model.train()
        total = 0.0
        for xb, sb in loader:
            loss = batch_hard_triplet(model(xb), sb, a.margin)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"round {r:2d}: triplet loss {total / len(loader):.4f}, hit rate on new speakers {retrieval(model, xv, sv):.3f}")


if __name__ == "__main__":
    main()
