"""Assign sequencing reads to promoter families."""
import sys
from configparser import ConfigParser

import numpy as np
import torch
from torch import nn


def read_tsv(path):
    seqs, fams = [], []
    with open(path) as f:
        for line in f:
            s, fam = line.rstrip("\n").split("\t")
            seqs.append(["ACGT".index(b) for b in s])
            fams.append(fam)
    names = sorted(set(fams))
    onehot = np.eye(4, dtype=np.float32)[np.array(seqs)]
    return torch.from_numpy(onehot).permute(0, 2, 1).contiguous(), torch.tensor([names.index(f) for f in fams]), names


class ReadNet(nn.Module):
    def __init__(self, filters, width, hidden, families):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv1d(4, filters, width), nn.ReLU(),
            nn.AdaptiveMaxPool1d(1), nn.Flatten(),
        )
        self.head = nn.Sequential(nn.Linear(filters, hidden), nn.ReLU(), nn.Linear(hidden, families))

    def forward(self, x):
        return self.head(self.stem(x))


def build(cfg, families):
    m = cfg["model"]
    net = ReadNet(m.getint("filters"), m.getint("width"), m.getint("hidden"), families)
    if m.getboolean("freeze_stem"):
        for p in net.stem.parameters():
            p.requires_grad = False
    return net


def fit(net, cfg, train, test):
    opt = torch.optim.Adam([p for p in net.parameters() if p.requires_grad], lr=cfg.getfloat("fit", "lr"))
    ce = nn.CrossEntropyLoss()
    bs = cfg.getint("fit", "batch")
    for epoch in range(cfg.getint("fit", "epochs")):
        net.train()
        x, y = train
        loss_sum = 0.0
        for idx in torch.randperm(len(y)).split(bs):
            opt.zero_grad()
            loss = ce(net(x[idx]), y[idx])
            loss.backward()
            opt.step()
            loss_sum += loss.item() * len(idx)
        net.eval()
        with torch.no_grad():
            out = net(test[0])
            t_loss, t_acc = ce(out, test[1]).item(), (out.argmax(1) == test[1]).float().mean().item()
        print(f"epoch {epoch:2d} | {loss_sum / len(y):.3f} | {t_loss:.3f} | {t_acc:.3f}")


if __name__ == "__main__":
    cfg = ConfigParser()
    cfg.read(sys.argv[1] if len(sys.argv) > 1 else "reads.ini")
    torch.manual_seed(8)
    x, y, names = read_tsv(cfg["data"]["reads"])
    n = cfg.getint("data", "train")
    print("families:", ", ".join(names), "| reads:", len(y))
    print("epoch    | train | test  | acc")
    fit(build(cfg, len(names)), cfg, (x[:n], y[:n]), (x[n:], y[n:]))
