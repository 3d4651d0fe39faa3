import argparse

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from pairs import CaptionPairs
from towers import DualEncoder


def info_nce(logits):
    target = torch.arange(len(logits))
    return 0.5 * (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target))


def recall(logits, k):
    top = logits.topk(k, dim=1).indices
    return (top == torch.arange(len(logits)).unsqueeze(1)).any(1).float().mean().item()


def main(opts):
    torch.manual_seed(opts.seed)
    train = CaptionPairs(f"{opts.data}/train")
    val = CaptionPairs(f"{opts.data}/val", train.tokenizer, train.stats)
    loader = DataLoader(train, batch_size=opts.batch_size, shuffle=True, drop_last=True)
    model = DualEncoder(train.images.shape[1], train.tokenizer.size)
    optim = torch.optim.AdamW(model.parameters(), lr=opts.lr, weight_decay=opts.wd)
    sched = torch.optim.lr_scheduler.OneCycleLR(
        optim, max_lr=opts.lr, total_steps=opts.epochs * len(loader), pct_start=0.1
    )
    for epoch in range(opts.epochs):
        model.train()
        seen = 0.0
        for images, tokens in loader:
            loss = info_nce(model(images, tokens))
            optim.zero_grad()
            loss.backward()
            optim.step()
            sched.step()
            seen += loss.item()
        if (epoch + 1) % 4 == 0:
            model.eval()
            with torch.no_grad():
                logits = model(val.images, val.tokens)
            print(
                f"epoch {epoch + 1}: loss {seen / len(loader):.3f}, val loss {info_nce(logits).item():.3f}, "
                f"R@1 {recall(logits, 1):.3f}, R@5 {recall(logits, 5):.3f}"
            )


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="data")
    p.add_argument("--epochs", type=int, default=36)
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--wd", type=float, default=0.05)
    p.add_argument("--seed", type=int, default=9)
    main(p.parse_args())
