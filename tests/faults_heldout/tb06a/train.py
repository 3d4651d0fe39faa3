#!/usr/bin/env python
"""Route support tickets: character CNN over the subject line.

usage: train.py [--epochs N] [--lr LR] [--batch-size B]
"""
import argparse
import pathlib
import random
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

PAD = 0


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--data", type=pathlib.Path, default=pathlib.Path(__file__).parent / "tickets.tsv")
    p.add_argument("--epochs", type=int, default=12, help="passes over the training tickets")
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--lr", type=float, default=0.01)
    p.add_argument("--max-len", type=int, default=64)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--log-every", type=int, default=10)
    return p.parse_args()


def read_tickets(path):
    pairs = []
    for line in path.read_text().splitlines():
        queue, subject = line.split("\t")
        pairs.append((queue, subject.lower()))
    return pairs


class CharCNN(nn.Module):
    def __init__(self, vocab, n_out, dim=24, width=48):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=PAD)
        self.convs = nn.ModuleList(nn.Conv1d(dim, width, k, padding=k // 2) for k in (3, 5, 7))
        self.out = nn.Linear(3 * width, n_out)

    def forward(self, tokens):
        h = self.emb(tokens).transpose(1, 2)
        h = torch.cat([F.relu(conv(h)).amax(dim=2) for conv in self.convs], dim=1)
        return self.out(h)


def encode(text, stoi, max_len):
    ids = [stoi[c] for c in text[:max_len]]
    return ids + [PAD] * (max_len - len(ids))


@torch.no_grad()
def accuracy(model, x, y):
    model.eval()
    acc = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    return acc


def main():
    args = parse_args()
    random.seed(args.seed)
    torch.manual_seed(args.seed)

    pairs = read_tickets(args.data)
    random.shuffle(pairs)
    queues = sorted({q for q, _ in pairs})
    stoi = {c: i + 1 for i, c in enumerate(sorted({c for _, s in pairs for c in s}))}
    x = torch.tensor([encode(s, stoi, args.max_len) for _, s in pairs])
    y = torch.tensor([queues.index(q) for q, _ in pairs])
    n_dev = len(y) // 6
    x_dev, y_dev, x, y = x[:n_dev], y[:n_dev], x[n_dev:], y[n_dev:]
    print(f"{len(y)} train, {n_dev} dev, {len(queues)} queues, {len(stoi)} characters")

    model = CharCNN(len(stoi) + 1, len(queues))
    opt = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    step, start = 0, time.time()
    for epoch in range(1, args.epochs + 1):
        perm = torch.randperm(len(y))
        for lo in range(0, len(perm), args.batch_size):
            idx = perm[lo:lo + args.batch_size]
            loss = F.cross_entropy(model(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            step += 1
            if step % args.log_every == 0:
                print(f"step {step:5d} loss {loss.item():.4f}")
        print(f"== epoch {epoch}: dev accuracy {accuracy(model, x_dev, y_dev):.4f} ({time.time() - start:.1f}s)")


if __name__ == "__main__":
    main()
