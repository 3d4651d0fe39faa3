import argparse
import math
import os

import torch

from charlm import CharLM
from titles import TitleBatches
from vocab import Vocab


def evaluate(model, batches):
    model.eval()
    total = tokens = 0.0
    with torch.no_grad():
        for ids, target in batches:
            total += model.nll(ids, target, reduction="sum").item()
            tokens += (target != model.vocab.pad).sum().item()
    return total / tokens


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--corpus", default="corpus")
    ap.add_argument("--epochs", type=int, default=6)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--lr", type=float, default=0.5)
    ap.add_argument("--momentum", type=float, default=0.9)
    ap.add_argument("--clip", type=float, default=0.5)
    a = ap.parse_args()
    torch.manual_seed(17)

    vocab = Vocab(os.path.join(a.corpus, "vocab.json"))
    train = TitleBatches(os.path.join(a.corpus, "train.npy"), a.batch_size, shuffle=True, seed=17)
    valid = TitleBatches(os.path.join(a.corpus, "valid.npy"), 128)
    print(f"{len(vocab)} symbols, {len(train.ids)} training titles of length up to {train.ids.shape[1]}")

    model = CharLM(vocab)
    opt = torch.optim.SGD(model.parameters(), lr=a.lr, momentum=a.momentum)
    steps = a.epochs * len(train)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: 0.5 * (1 + math.cos(math.pi * s / steps)))
    dice = torch.Generator().manual_seed(1)
    for epoch in range(1, a.epochs + 1):
        model.train()
        seen = 0.0
        for ids, target in train:
            loss = model.nll(ids, target)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), a.clip)
            opt.step()
            sched.step()
            seen += loss.item()
        nll = evaluate(model, valid)
        print(f"epoch {epoch:2d}  train {seen / len(train):.3f}  valid nll {nll:.3f}  perplexity {math.exp(nll):.2f}")
        if epoch % 3 == 0:
            for _ in range(3):
                print("   >", model.sample(dice))


if __name__ == "__main__":
    main()
