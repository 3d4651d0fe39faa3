import argparse

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from dates import PAD, VOCAB, collate, decode, make_pairs
from seq2seq import Seq2Seq


def build_optimizer(model, lr, decay):
    return torch.optim.AdamW([
        {"params": model.attention.parameters()},
        {"params": model.decoder.parameters(), "weight_decay": decay},
    ], lr=lr, weight_decay=0.0)


def exact_match(model, pairs):
    model.eval()
    src, _ = collate(pairs)
    return sum(decode(row) == b for row, (_, b) in zip(model.greedy(src).tolist(), pairs)) / len(pairs)


def main():
    ap = argparse.ArgumentParser(description="free-form dates to ISO")
    ap.add_argument("--epochs", type=int, default=7)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--decay", type=float, default=1e-4)
    ap.add_argument("--seed", type=int, default=7)
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    pairs = make_pairs(2300, args.seed)
    train, dev = pairs[:2000], [p for p in pairs[2000:] if p not in set(pairs[:2000])]
    loader = DataLoader(train, 50, shuffle=True, collate_fn=collate)
    model = Seq2Seq(VOCAB)
    optimizer = build_optimizer(model, args.lr, args.decay)
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for src, tgt in loader:
            logits = model(src, tgt)
            loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten(), ignore_index=PAD)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch + 1:2d}  loss {total / len(loader):.4f}  exact match {exact_match(model, dev):.3f}")


if __name__ == "__main__":
    main()
