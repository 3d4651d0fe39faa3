import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from augment import random_view

SEED, PRE_EPOCHS, PROBE_EPOCHS, BATCH, TEMP = 190, 15, 60, 128, 0.3


class Encoder(nn.Module):
    def __init__(self, out=96):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(),
            nn.Conv2d(24, 48, 3, padding=1, stride=2), nn.BatchNorm2d(48), nn.ReLU(),
        )
        self.fc = nn.Linear(48 * 16, out)
        self.project = nn.Sequential(nn.ReLU(), nn.Linear(out, 48))

    def forward(self, x):
        return self.fc(self.conv(x).flatten(1))


def nt_xent(a, b):
    z = F.normalize(torch.cat([a, b]), dim=1)
    sim = z @ z.T / TEMP
    sim.fill_diagonal_(float("-inf"))
    n = len(a)
    target = torch.cat([torch.arange(n) + n, torch.arange(n)])
    return F.cross_entropy(sim, target)


def pretrain(enc, x):
    opt = torch.optim.AdamW(enc.parameters(), lr=3e-3, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, PRE_EPOCHS)
    for ep in range(PRE_EPOCHS):
        enc.train()
        losses = []
        for idx in torch.randperm(len(x)).split(BATCH):
            if len(idx) < BATCH:
                continue
            a, b = (enc.project(enc(random_view(x[idx]))) for _ in range(2))
            loss = nt_xent(a, b)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        print(f"pretrain {ep + 1:2d} contrastive loss {sum(losses) / len(losses):.4f}")


def probe(enc, x, y, xt, yt):
    """Linear classifier on the fixed representation."""
    enc.eval()
    with torch.no_grad():
        f, ft = enc(x), enc(xt)
    mu, sd = f.mean(0), f.std(0) + 1e-6
    f, ft = (f - mu) / sd, (ft - mu) / sd
    lin = nn.Linear(f.shape[1], 10)
    opt = torch.optim.SGD(lin.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-3)
    for ep in range(PROBE_EPOCHS):
        for idx in torch.randperm(len(f)).split(64):
            loss = F.cross_entropy(lin(f[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
        if ep % 15 == 14:
            acc = (lin(ft).argmax(1) == yt).float().mean()
            print(f"probe {ep + 1:2d} loss {loss.item():.4f} test acc {acc:.4f}")


def main():
    torch.manual_seed(SEED)
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32)[:, None] / 16
    y = torch.tensor(d.target)
    tr, te = train_test_split(range(len(y)), test_size=0.25, random_state=SEED, stratify=d.target)
    enc = Encoder()
    pretrain(enc, x[tr])
    for p in enc.parameters():
        p.requires_grad_(False)
    probe(enc, x[tr], y[tr], x[te], y[te])


if __name__ == "__main__":
    main()
