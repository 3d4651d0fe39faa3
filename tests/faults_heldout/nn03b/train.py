import json
from collections import defaultdict
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from model import IntentGRU
from text import Utterances, build_vocab, collate, read_jsonl

BASE = Path(__file__).parent
EPOCHS, BATCH, LR = 6, 32, 3e-3


def run_epoch(model, loader, opt=None):
    model.train(opt is not None)
    loss_sum, hits, n = 0.0, 0, 0
    per_class = defaultdict(lambda: [0, 0])
    with torch.set_grad_enabled(opt is not None):
        for ids, lengths, y in loader:
            logits = model(ids, lengths)
            loss = torch.nn.functional.cross_entropy(logits, y)
            if opt is not None:
                opt.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
            ok = logits.argmax(1) == y
            for c, o in zip(y.tolist(), ok.tolist()):
                per_class[c][0] += o
                per_class[c][1] += 1
            loss_sum += loss.item() * len(y)
            hits += ok.sum().item()
            n += len(y)
    return loss_sum / n, hits / n, per_class


def main():
    torch.manual_seed(3)
    torch.set_num_threads(1)
    train_rows = read_jsonl(BASE / "data" / "train.jsonl")
    dev_rows = read_jsonl(BASE / "data" / "dev.jsonl")
    names = json.loads((BASE / "data" / "intents.json").read_text())
    vocab = build_vocab(train_rows)
    train_loader = DataLoader(Utterances(train_rows, vocab), BATCH, shuffle=True, collate_fn=collate)
    dev_loader = DataLoader(Utterances(dev_rows, vocab), 128, collate_fn=collate)

    model = IntentGRU(len(vocab) + 2, len(names))
    opt = torch.optim.Adam(model.parameters(), lr=LR)
    for epoch in range(EPOCHS):
        tl, ta, _ = run_epoch(model, train_loader, opt)
        dl, da, per_class = run_epoch(model, dev_loader)
        print(f"epoch {epoch + 1}: train loss {tl:.3f} acc {ta:.3f} | dev loss {dl:.3f} acc {da:.3f}")
    for c, (o, n) in sorted(per_class.items()):
        print(f"  {names[c]:18s} {o}/{n}")


if __name__ == "__main__":
    main()
