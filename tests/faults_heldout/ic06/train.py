import argparse

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from model import NameClassifier
from names import collate, read

parser = argparse.ArgumentParser(description="Which language is a place name from?")
parser.add_argument("--data", default="placenames.tsv")
parser.add_argument("--epochs", type=int, default=20)
parser.add_argument("--batch-size", type=int, default=64)
parser.add_argument("--lr", type=float, default=2e-3)
parser.add_argument("--seed", type=int, default=42)


def evaluate(model, loader):
    model.eval()
    loss = hit = n = 0
    with torch.no_grad():
        for names, lengths, langs in loader:
            logits = model(names, lengths)
            loss += F.cross_entropy(logits, langs, reduction="sum").item()
            hit += (logits.argmax(-1) == langs).sum().item()
            n += len(langs)
    return loss / n, hit / n


def main(args):
    torch.manual_seed(args.seed)
    train_set, valid_set, n_chars, n_langs = read(args.data, args.seed)
    train_loader = DataLoader(train_set, args.batch_size, shuffle=True, collate_fn=collate)
    valid_loader = DataLoader(valid_set, 256, collate_fn=collate)
    model = NameClassifier(n_chars, n_langs)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for names, lengths, langs in train_loader:
            opt.zero_grad()
            loss = F.cross_entropy(model(names, lengths), langs)
            loss.backward()
            opt.step()
            total += loss.item() * len(langs)
        vl, va = evaluate(model, valid_loader)
        print(f"epoch {epoch + 1}: train loss {total / len(train_set):.3f} | valid loss {vl:.3f} acc {va:.3f}")


if __name__ == "__main__":
    main(parser.parse_args())
