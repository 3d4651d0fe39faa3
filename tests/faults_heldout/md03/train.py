import json
import random

import torch
from sklearn.metrics import f1_score
from torch import nn
from torch.utils.data import DataLoader

from vocab import Collate, Vocab

SEED, EPOCHS, LR, DIM, WD, WDROP, DROP = 5, 9, 4e-3, 48, 1e-2, 0.2, 0.3


class TicketRouter(nn.Module):
    def __init__(self, n_words, n_queues):
        super().__init__()
        self.bag = nn.EmbeddingBag(n_words, DIM, mode="mean")
        nn.init.normal_(self.bag.weight, std=0.3)
        self.norm = nn.LayerNorm(DIM)
        self.drop = nn.Dropout(DROP)
        self.out = nn.Linear(DIM, n_queues)

    def forward(self, flat, offsets):
        return self.out(self.drop(self.norm(self.bag(flat, offsets))))


def evaluate(model, loader):
    model.eval()
    ce = nn.CrossEntropyLoss(reduction="sum")
    tot, n, yt, yp = 0.0, 0, [], []
    with torch.no_grad():
        for flat, offs, y in loader:
            z = model(flat, offs)
            tot += ce(z, y).item()
            n += len(y)
            yt += y.tolist()
            yp += z.argmax(1).tolist()
    acc = sum(a == b for a, b in zip(yt, yp)) / n
    return tot / n, acc, f1_score(yt, yp, average="macro")


def main():
    random.seed(SEED)
    torch.manual_seed(SEED)
    rows = [json.loads(l) for l in open("tickets.jsonl")]
    random.shuffle(rows)
    queues = sorted({r["queue"] for r in rows})
    n = len(rows)
    cut1, cut2 = int(0.7 * n), int(0.85 * n)
    vocab = Vocab(r["text"] for r in rows[:cut1])
    enc = [(vocab.encode(r["text"]), queues.index(r["queue"])) for r in rows]
    tr = DataLoader(enc[:cut1], batch_size=32, shuffle=True, collate_fn=Collate(WDROP))
    va = DataLoader(enc[cut1:cut2], batch_size=256, collate_fn=Collate())
    te = DataLoader(enc[cut2:], batch_size=256, collate_fn=Collate())
    print(f"{n} tickets, {len(vocab)} words, {len(queues)} queues")

    model = TicketRouter(len(vocab), len(queues))
    opt = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=WD)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=EPOCHS * len(tr))
    ce = nn.CrossEntropyLoss()
    best = (float("inf"), None)
    for ep in range(EPOCHS):
        model.train()
        s = 0.0
        for flat, offs, y in tr:
            loss = ce(model(flat, offs), y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            sched.step()
            s += loss.item()
        vl, vacc, _ = evaluate(model, va)
        print(f"epoch {ep + 1}: train loss {s / len(tr):.3f}  val loss {vl:.3f}  val acc {vacc:.3f}")
        if vl < best[0]:
            best = (vl, {k: v.clone() for k, v in model.state_dict().items()})
    model.load_state_dict(best[1])
    tl, tacc, f1 = evaluate(model, te)
    print(f"test loss {tl:.3f} acc {tacc:.3f} macro-F1 {f1:.3f}")


if __name__ == "__main__":
    main()
