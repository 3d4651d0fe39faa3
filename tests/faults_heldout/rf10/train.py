"""Predict the distribution of listener votes over moods from clip descriptors."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

MOODS = ["calm", "tense", "happy", "sad", "neutral"]


def load():
    z = np.load("clips.npz")
    x = torch.from_numpy(z["descriptor"].astype(np.float32))
    votes = torch.from_numpy(z["votes"].astype(np.float32))
    return TensorDataset(x, votes / votes.sum(1, keepdim=True))


class MoodNet(nn.Sequential):
    def __init__(self, d, k):
        super().__init__(nn.Linear(d, 64), nn.SiLU(), nn.Dropout(0.2), nn.Linear(64, 32), nn.SiLU(), nn.Linear(32, k))


def divergence(model, x, share):
    return nn.functional.kl_div(model(x).softmax(-1), share, reduction="batchmean")


@torch.no_grad()
def report(model, ds):
    model.eval()
    x, share = ds[:]
    p = model(x).softmax(-1)
    tv = 0.5 * (p - share).abs().sum(1).mean().item()
    ce = -(share * p.clamp_min(1e-8).log()).sum(1).mean().item()
    top = (p.argmax(1) == share.argmax(1)).float().mean().item()
    return f"cross-entropy {ce:.4f} total variation {tv:.4f} top mood {top:.3f}"


def main():
    torch.manual_seed(41)
    full = load()
    train, val = random_split(full, [2000, len(full) - 2000])
    model = MoodNet(full.tensors[0].shape[1], len(MOODS))
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)
    loader = DataLoader(train, batch_size=50, shuffle=True)
    val = TensorDataset(*(t[val.indices] for t in full.tensors))
    for epoch in range(1, 26):
        model.train()
        total = 0.0
        for x, share in loader:
            loss = divergence(model, x, share)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(x)
        if epoch % 5 == 0:
            print(f"epoch {epoch:2d} loss {total / len(train):.4f} | val {report(model, val)}")


if __name__ == "__main__":
    main()
