"""Train a slot tagger for classified-ad texts.

    python train.py --data ads.jsonl
"""
import argparse
import random
from pathlib import Path

import torch
from torch import nn

from tagger.data import TAGS, Vocab, batches, read_jsonl
from tagger.evaluate import token_accuracy
from tagger.model import BiLSTMTagger

ROOT = Path(__file__).parent


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="ads.jsonl")
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=5)
    args = ap.parse_args()

    random.seed(args.seed)
    torch.manual_seed(args.seed)

    examples = read_jsonl(ROOT / args.data)
    random.shuffle(examples)
    n_dev = len(examples) // 5
    dev, train = examples[:n_dev], examples[n_dev:]
    vocab = Vocab(train)
    print(f"{len(train)} train ads, {len(dev)} dev ads, {len(vocab)} words, {len(TAGS)} tags")

    model = BiLSTMTagger(len(vocab), len(TAGS))
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    criterion = nn.CrossEntropyLoss(ignore_index=-100)

    best = 0.0
    for epoch in range(args.epochs):
        model.train()
        losses = []
        for words, lengths, tags in batches(train, vocab, args.batch_size, shuffle=True):
            optimizer.zero_grad()
            logits = model(words, lengths)
            loss = criterion(logits.flatten(0, 1), tags.flatten())
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        train_acc = token_accuracy(model, batches(train[:200], vocab, 64))
        dev_acc = token_accuracy(model, batches(dev, vocab, 64))
        best = max(best, dev_acc)
        print(
            f"epoch {epoch}: loss={sum(losses) / len(losses):.4f} "
            f"train_token_acc={train_acc:.4f} dev_token_acc={dev_acc:.4f}"
        )
    print(f"best dev token accuracy {best:.4f}")


if __name__ == "__main__":
    main()
