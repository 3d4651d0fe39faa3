import csv
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ROOT = Path(__file__).resolve().parent / "chunks"


def read_spectra(root):
    files = sorted(root.glob("spectra_*.npy"))
    return np.concatenate([np.load(f) for f in files])


def read_states(root):
    with open(root / "labels.csv") as fh:
        return np.array([int(r["state"]) for r in csv.DictReader(fh)])


def prepare(seed=0, held=0.25):
    x, y = np.log(read_spectra(ROOT)), read_states(ROOT)
    assert len(x) == len(y)
    perm = np.random.default_rng(seed).permutation(len(x))
    cut = int(len(x) * (1 - held))
    tr, te = perm[:cut], perm[cut:]
    mean, std = x[tr].mean(0), x[tr].std(0)
    pack = lambda i: TensorDataset(torch.tensor((x[i] - mean) / std, dtype=torch.float32), torch.tensor(y[i]))
    return pack(tr), pack(te)


def build(d, k):
    return nn.Sequential(nn.Linear(d, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Dropout(0.2), nn.Linear(48, k))


def main():
    torch.manual_seed(14)
    train, test = prepare()
    net = build(32, 5)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    crit = nn.CrossEntropyLoss()
    loader = DataLoader(train, batch_size=32, shuffle=True, drop_last=True)
    xt, yt = test.tensors
    for ep in range(30):
        net.train()
        s = 0.0
        for x, y in loader:
            opt.zero_grad()
            loss = crit(net(x), y)
            loss.backward()
            opt.step()
            s += loss.item()
        if ep % 3 == 2:
            net.eval()
            with torch.no_grad():
                out = net(xt)
            print("ep %02d | train %.4f | test %.4f | test acc %.3f"
                  % (ep + 1, s / len(loader), crit(out, yt).item(), (out.argmax(1) == yt).float().mean().item()))


if __name__ == "__main__":
    main()
