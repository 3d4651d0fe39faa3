import argparse
import math

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from vit import TinyViT


def get_args():
    p = argparse.ArgumentParser("ViT on digits")
    p.add_argument("--epochs", default=9, type=int)
    p.add_argument("--batch-size", default=32, type=int)
    p.add_argument("--lr", default=3e-3, type=float)
    p.add_argument("--warmup-epochs", default=1, type=int)
    p.add_argument("--weight-decay", default=0.02, type=float)
    p.add_argument("--clip-grad", default=1.0, type=float)
    p.add_argument("--seed", default=0, type=int)
    return p.parse_args()


def main(args):
    torch.manual_seed(args.seed)
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 8 - 1
    y = torch.tensor(d.target)
    tr, va = map(torch.tensor, train_test_split(range(len(y)), test_size=0.2, random_state=args.seed, stratify=d.target))

    model = TinyViT()
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)
    iters = math.ceil(len(tr) / args.batch_size)
    warm, total = args.warmup_epochs * iters, args.epochs * iters
    sched = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda i: (i + 1) / warm if i < warm else 0.5 * (1 + math.cos(math.pi * (i - warm) / (total - warm)))
    )
    for epoch in range(args.epochs):
        model.train()
        running = 0.0
        for i in tr[torch.randperm(len(tr))].split(args.batch_size):
            loss = F.cross_entropy(model(x[i]), y[i], label_smoothing=0.1)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip_grad)
            opt.step()
            sched.step()
            running += loss.item()
        model.eval()
        with torch.no_grad():
            acc = (model(x[va]).argmax(1) == y[va]).float().mean().item()
        print(f"Epoch {epoch}: train_loss {running / iters:.3f} val_acc {100 * acc:.1f}%")


if __name__ == "__main__":
    main(get_args())
