# Predict how a panel of 20 readers splits its votes over the ten digits.
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from dataclasses import dataclass


@dataclass
class Options:
    epochs: int = 25
    batch: int = 64
    lr: float = 1e-3
    width: int = 24
    holdout: int = 400


class VoteNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.c1 = nn.Conv2d(1, width, 3, padding=1)
        self.c2 = nn.Conv2d(width, 2 * width, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(width)
        self.bn2 = nn.BatchNorm2d(2 * width)
        self.fc = nn.Linear(2 * width * 4, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.c1(x))), 2)
        x = F.max_pool2d(F.relu(self.bn2(self.c2(x))), 2)
        return F.softmax(self.fc(x.flatten(1)), dim=1)


def split(opt):
    z = np.load("votes.npz")
    x = torch.tensor(z["images"].astype("float32"))[:, None]
    v = torch.tensor(z["votes"].astype("float32"))
    share = v / v.sum(1, keepdim=True)
    k = len(x) - opt.holdout
    m, s = x[:k].mean(), x[:k].std()
    x = (x - m) / s
    return x[:k], share[:k], x[k:], share[k:]


def report(model, x, share):
    model.eval()
    with torch.no_grad():
        p = model(x).clamp_min(1e-6)
    cross = -(share * p.log()).sum(1).mean().item()
    top = (p.argmax(1) == share.argmax(1)).float().mean().item()
    gap = (p - share).abs().sum(1).mean().item() / 2
    return cross, gap, top


def main():
    opt = Options()
    torch.manual_seed(23)
    xa, sa, xb, sb = split(opt)
    model = VoteNet(opt.width)
    optim = torch.optim.Adam(model.parameters(), lr=opt.lr)
    criterion = nn.KLDivLoss(reduction="batchmean")
    for ep in range(opt.epochs):
        model.train()
        losses = []
        for idx in torch.randperm(len(xa)).split(opt.batch):
            loss = criterion(model(xa[idx]), sa[idx])
            optim.zero_grad()
            loss.backward()
            optim.step()
            losses.append(loss.item())
        if ep % 3 == 0 or ep == opt.epochs - 1:
            ce, gap, top = report(model, xb, sb)
            print(f"{ep:3d} train {np.mean(losses):+.4f} | held out: cross entropy {ce:.3f}  vote share off {gap:.3f}  top-1 {top:.3f}")


main()
