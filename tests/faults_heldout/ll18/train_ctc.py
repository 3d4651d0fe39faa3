import os

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from decode import best_path, edit_distance
from listener import Listener
from tones import BLANK, KEYS, DialSet, collate

EPOCHS = int(os.getenv("EPOCHS", "8"))
BATCH = int(os.getenv("BATCH", "16"))
LR = float(os.getenv("LR", "0.004"))


def evaluate(model, loader, ctc):
    model.eval()
    loss = errors = keys = whole = n = 0
    with torch.no_grad():
        for x, xl, y, yl in loader:
            lp = model(x, xl)
            loss += ctc(lp.transpose(0, 1), y, xl, yl).item() * len(xl)
            for got, want in zip(best_path(lp, xl, BLANK), y.split(yl.tolist())):
                e = edit_distance(got, want.tolist())
                errors, keys, whole, n = errors + e, keys + len(want), whole + (e == 0), n + 1
    return loss / n, errors / keys, whole / n


def main():
    torch.manual_seed(12)
    train_set = DialSet(640, seed=100)
    val_set = DialSet(150, seed=200, stats=train_set.stats)
    train = DataLoader(train_set, BATCH, shuffle=True, collate_fn=collate)
    val = DataLoader(val_set, 50, collate_fn=collate)

    model = Listener(train_set[0][0].size(1), len(KEYS) + 1)
    ctc = nn.CTCLoss(blank=BLANK)            # mean over the batch of loss per label
    opt = torch.optim.Adam(model.parameters(), lr=LR)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS * len(train), eta_min=1e-4)

    for epoch in range(1, EPOCHS + 1):
        model.train()
        total = 0.0
        for x, xl, y, yl in train:
            loss = ctc(model(x, xl).transpose(0, 1), y, xl, yl)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            opt.step()
            sched.step()
            total += loss.item() * len(xl)
        vl, ker, whole = evaluate(model, val, ctc)
        print(f"epoch {epoch:2d}  ctc train {total / len(train_set):.4f}  val {vl:.4f}  key error rate {ker:.3f}  "
              f"whole numbers {whole:.3f}", flush=True)

    x, xl, y, yl = next(iter(val))
    with torch.no_grad():
        heard = best_path(model(x, xl), xl, BLANK)
    for h, w in list(zip(heard, y.split(yl.tolist())))[:4]:
        print("dialled", "".join(KEYS[i - 1] for i in w.tolist()), "heard", "".join(KEYS[i - 1] for i in h))


if __name__ == "__main__":
    main()
