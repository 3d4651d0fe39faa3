import argparse
import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.metrics import balanced_accuracy_score, f1_score, roc_auc_score
from sklearn.model_selection import train_test_split
from torch import nn

ROOT = Path(__file__).resolve().parent
NUM = ["tenure", "monthly_fee", "tickets", "late_payments", "usage_trend"]
CAT = ["contract", "payment"]


@dataclass
class Split:
    num: torch.Tensor
    cat: torch.Tensor
    y: torch.Tensor

    def __len__(self):
        return len(self.y)


def load(seed):
    rows = list(csv.DictReader(open(ROOT / "churn.csv")))
    num = np.array([[float(r[c]) for c in NUM] for r in rows], dtype=np.float32)
    vocab = {c: sorted({r[c] for r in rows}) for c in CAT}
    cat = np.array([[vocab[c].index(r[c]) for c in CAT] for r in rows])
    y = np.array([int(r["churned"]) for r in rows])
    tr, va = train_test_split(np.arange(len(y)), test_size=0.25, stratify=y, random_state=seed)
    mu, sd = num[tr].mean(0), num[tr].std(0)
    num = (num - mu) / sd

    def pack(idx):
        return Split(torch.tensor(num[idx]), torch.tensor(cat[idx]), torch.tensor(y[idx]))

    return pack(tr), pack(va), [len(vocab[c]) for c in CAT]


class ChurnNet(nn.Module):
    def __init__(self, n_num, cardinalities, hidden=48, emb=4, p=0.1):
        super().__init__()
        self.embs = nn.ModuleList(nn.Embedding(c, emb) for c in cardinalities)
        self.body = nn.Sequential(
            nn.Linear(n_num + emb * len(cardinalities), hidden),
            nn.BatchNorm1d(hidden), nn.ReLU(), nn.Dropout(p),
            nn.Linear(hidden, hidden), nn.ReLU(), nn.Dropout(p),
        )
        self.head = nn.Linear(hidden, 2)

    def forward(self, num, cat):
        e = [emb(cat[:, i]) for i, emb in enumerate(self.embs)]
        return self.head(self.body(torch.cat([num, *e], dim=1)))


def batches(split, size, gen):
    order = torch.randperm(len(split), generator=gen)
    for i in range(0, len(order) - size + 1, size):
        j = order[i:i + size]
        yield split.num[j], split.cat[j], split.y[j]


def report(model, split, weight):
    model.eval()
    with torch.no_grad():
        logits = model(split.num, split.cat)
        loss = F.cross_entropy(logits, split.y, weight=weight).item()
    prob = logits.softmax(1)[:, 1].numpy()
    pred = logits.argmax(1).numpy()
    y = split.y.numpy()
    return {"loss": loss, "auc": roc_auc_score(y, prob), "bal_acc": balanced_accuracy_score(y, pred),
            "f1": f1_score(y, pred), "recall": float((pred[y == 1] == 1).mean())}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=25)
    ap.add_argument("--batch-size", type=int, default=128)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    train, valid, cards = load(args.seed)
    counts = torch.bincount(train.y).float()
    weight = counts.sum() / (2 * counts)
    print("class counts", counts.int().tolist(), "weights", [round(w, 2) for w in weight.tolist()])

    model = ChurnNet(len(NUM), cards)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=1e-5)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=10, gamma=0.3)
    gen = torch.Generator().manual_seed(args.seed)

    for epoch in range(args.epochs):
        model.train()
        losses = []
        for num, cat, y in batches(train, args.batch_size, gen):
            loss = F.cross_entropy(model(num, cat), y, weight=weight)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        m = report(model, valid, weight)
        print(f"[{epoch + 1:02d}] train_loss={np.mean(losses):.4f} " + " ".join(f"{k}={v:.3f}" for k, v in m.items()))


if __name__ == "__main__":
    main()
