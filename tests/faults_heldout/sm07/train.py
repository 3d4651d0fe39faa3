import copy

import torch
from torch import nn, optim

from clouds import KINDS, make
from pointnet import build

EPOCHS, BATCH, LR = 14, 32, 2e-3


class Snapshot:
    """Holds averaged weights and scores them on their own copy of the network."""

    def __init__(self, model, decay):
        self.decay = decay
        self.weights = copy.deepcopy(model.state_dict())

    def update(self, model):
        for k, v in model.state_dict().items():
            if v.dtype.is_floating_point:
                self.weights[k].mul_(self.decay).add_(v, alpha=1 - self.decay)
            else:
                self.weights[k].copy_(v)

    @torch.no_grad()
    def score(self, x, y, chunk):
        net = build(len(KINDS))
        net.load_state_dict(self.weights)
        logits = torch.cat([net(c) for c in x.split(chunk)])
        return nn.functional.cross_entropy(logits, y).item(), (logits.argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(17)
    xtr, ytr = make(110, seed=100)
    xva, yva = make(40, seed=200)
    model = build(len(KINDS))
    opt = optim.AdamW(model.parameters(), lr=LR, weight_decay=1e-3)
    sched = optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
    averaged = Snapshot(model, decay=0.95)
    best = 0.0
    for epoch in range(EPOCHS):
        model.train()
        run, hit = 0.0, 0
        for idx in torch.randperm(len(xtr)).split(BATCH):
            if len(idx) < BATCH // 2:
                continue
            logits = model(xtr[idx])
            loss = nn.functional.cross_entropy(logits, ytr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            averaged.update(model)
            run += loss.item() * len(idx)
            hit += (logits.argmax(1) == ytr[idx]).sum().item()
        sched.step()
        vloss, vacc = averaged.score(xva, yva, BATCH)
        best = max(best, vacc)
        print(f"epoch {epoch + 1:2d}: train {run / len(xtr):.4f} / {hit / len(xtr):.3f}   valid {vloss:.4f} / {vacc:.3f}")
    print(f"best valid accuracy {best:.3f}")


main()
