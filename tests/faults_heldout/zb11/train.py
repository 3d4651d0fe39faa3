import argparse
from pathlib import Path

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from ocr.crnn import CRNN
from ocr.decode import BLANK, edit_distance, greedy
from ocr.strips import Strips, collate


def evaluate(model, loader):
    model.eval()
    errs = chars = exact = n = 0
    with torch.no_grad():
        for x, y, lens in loader:
            for hyp, ref, k in zip(greedy(model(x)), y.tolist(), lens.tolist()):
                e = edit_distance(hyp, ref[:k])
                errs += e
                chars += k
                exact += e == 0
                n += 1
    return errs / chars, exact / n


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default=str(Path(__file__).parent / "strips.npz"))
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--lr", type=float, default=3e-3)
    args = p.parse_args()

    torch.manual_seed(13)
    train = DataLoader(Strips(args.data, "train"), args.batch_size, shuffle=True, collate_fn=collate, drop_last=True)
    val = DataLoader(Strips(args.data, "val"), 200, collate_fn=collate)
    model = CRNN()
    ctc = nn.CTCLoss(blank=BLANK, zero_infinity=True)
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, args.lr, total_steps=args.epochs * len(train))

    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0.0
        for x, y, lens in train:
            lp = model(x)
            loss = ctc(lp, y, torch.full((lp.shape[1],), lp.shape[0]), lens)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            sched.step()
            total += loss.item()
        cer, exact = evaluate(model, val)
        print(f"epoch {epoch:02d} | ctc {total / len(train):.4f} | val cer {cer:.3f} | val exact {exact:.3f}")


if __name__ == "__main__":
    main()
