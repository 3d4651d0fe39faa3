"""Digit reader, trained in very small batches (same loop runs on the device,
four images at a time). All diagnostics are written once per epoch to report.jsonl."""
import json
import time
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import train_test_split

REPORT = Path(__file__).parent / "report.jsonl"
BATCH = 4
EPOCHS = 8


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 16, 3, padding=1)
        self.c2 = nn.Conv2d(16, 32, 3, padding=1)
        self.n1, self.n2 = nn.GroupNorm(4, 16), nn.GroupNorm(4, 32)
        self.fc = nn.Linear(32 * 4, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.n1(self.c1(x))), 2)
        x = F.max_pool2d(F.relu(self.n2(self.c2(x))), 2)
        return self.fc(x.flatten(1))


def arrays(seed=0):
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16 - 0.3
    y = torch.tensor(d.target)
    tr, va = train_test_split(range(len(y)), test_size=0.25, stratify=d.target, random_state=seed)
    return x[tr], y[tr], x[va], y[va]


def diagnostics(model, xv, yv, xt, yt):
    model.eval()
    with torch.no_grad():
        logits = model(xv)
        train_acc = (model(xt).argmax(1) == yt).float().mean().item()
    pred = logits.argmax(1)
    cm = confusion_matrix(yv, pred, labels=list(range(10)))
    out = {
        "train_acc": train_acc,
        "val_acc": (pred == yv).float().mean().item(),
        "val_loss": F.cross_entropy(logits, yv).item(),
        "recall": {str(k): cm[k, k] / cm[k].sum() for k in range(10)},
        "confusion": cm.tolist(),
        "confidence_quantiles": logits.softmax(1).amax(1).quantile(torch.tensor([0.05, 0.25, 0.5])).tolist(),
    }
    for name, p in model.named_parameters():
        out[f"norm/{name}"] = p.norm().item()
        out[f"hist/{name}"] = torch.histc(p.detach(), bins=20).int().tolist()
    return out


def main():
    torch.manual_seed(0)
    xt, yt, xv, yv = arrays()
    model = Reader()
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.5, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
    with REPORT.open("w") as log:
        for epoch in range(EPOCHS):
            t0 = time.perf_counter()
            model.train()
            total = torch.zeros(())
            for idx in torch.randperm(len(xt)).split(BATCH):
                loss = F.cross_entropy(model(xt[idx]), yt[idx])
                opt.zero_grad()
                loss.backward()
                opt.step()
                total += loss.detach() * len(idx)
            sched.step()
            d = diagnostics(model, xv, yv, xt, yt)
            d.update(epoch=epoch, train_loss=(total / len(xt)).item(), seconds=time.perf_counter() - t0)
            log.write(json.dumps(d) + "\n")
            print(f"epoch {epoch} train loss {d['train_loss']:.4f} acc {d['train_acc']:.3f} "
                  f"| val loss {d['val_loss']:.4f} acc {d['val_acc']:.3f} | {d['seconds']:.1f}s")
            worst = min(d["recall"], key=d["recall"].get)
            print(f"        lowest recall: digit {worst} at {d['recall'][worst]:.3f}")


if __name__ == "__main__":
    main()
