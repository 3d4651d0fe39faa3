import resource
import time

import torch
import torch.nn.functional as F

from gcn.data import planted_partition
from gcn.model import GCN


def train_step(model, opt, a, x, y, idx):
    model.train()
    opt.zero_grad()
    loss = F.cross_entropy(model(a, x)[idx], y[idx])
    loss.backward()
    opt.step()
    return loss.item()


def evaluate(model, a, x, y, idx):
    model.eval()
    logits = model(a, x)[idx]
    loss = F.cross_entropy(logits, y[idx])
    acc = (logits.argmax(-1) == y[idx]).float().mean()
    return loss, acc.item()


def main(epochs=300, hidden=128):
    torch.manual_seed(0)
    a, x, y, tr, va, te = planted_partition()
    model = GCN(x.shape[1], hidden, int(y.max()) + 1)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)
    curve = {"train": [], "val_loss": [], "val_acc": []}
    t0 = time.time()
    for epoch in range(epochs):
        curve["train"].append(train_step(model, opt, a, x, y, tr))
        vl, vacc = evaluate(model, a, x, y, va)
        curve["val_loss"].append(vl)
        curve["val_acc"].append(vacc)
        if epoch % 30 == 29:
            rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"{epoch + 1:4d}  train {curve['train'][-1]:.3f}  val {float(vl):.3f} / {vacc:.3f}  "
                  f"[{time.time() - t0:5.1f}s, {rss:.0f} MB]")
    best = min(range(epochs), key=lambda e: float(curve["val_loss"][e]))
    _, tacc = evaluate(model, a, x, y, te)
    print(f"best val loss {float(curve['val_loss'][best]):.3f} at epoch {best + 1}; test acc {tacc:.3f}")


if __name__ == "__main__":
    main()
