import json
import math
import sys
from pathlib import Path

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

from tagger.network import CharTagger
from tagger.vocab import PAD, encode, make_corpus

IGNORE = -100
settings = json.loads((Path(__file__).parent / "settings.json").read_text())


def collate(lines):
    ids = pad_sequence([torch.tensor(encode(t)) for t, _ in lines], batch_first=True, padding_value=PAD)
    tags = pad_sequence([torch.tensor(g) for _, g in lines], batch_first=True, padding_value=IGNORE)
    return ids, tags


def evaluate(model, loader):
    model.eval()
    right = total = exact = lines = 0
    with torch.no_grad():
        for ids, tags in loader:
            pred = model(ids).argmax(-1)
            keep = tags != IGNORE
            ok = (pred == tags) | ~keep
            right += (ok & keep).sum().item()
            total += keep.sum().item()
            exact += ok.all(dim=1).sum().item()
            lines += len(ids)
    return right / total, exact / lines


def main():
    torch.manual_seed(settings["seed"])
    train = DataLoader(make_corpus(settings["n_train"], seed=1), batch_size=settings["batch_size"],
                       shuffle=True, collate_fn=collate)
    valid = DataLoader(make_corpus(settings["n_valid"], seed=2), batch_size=128, collate_fn=collate)
    model = CharTagger(**settings["model"])
    opt = torch.optim.AdamW(model.parameters(), lr=settings["lr"], betas=(0.9, 0.98), weight_decay=0.01)
    total = settings["epochs"] * len(train)

    def factor(step):
        if step < settings["warmup"]:
            return (step + 1) / settings["warmup"]
        return 0.5 * (1 + math.cos(math.pi * (step - settings["warmup"]) / (total - settings["warmup"])))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
    ce = nn.CrossEntropyLoss(ignore_index=IGNORE, label_smoothing=settings["label_smoothing"])
    for epoch in range(settings["epochs"]):
        model.train()
        acc_loss, n = 0.0, 0
        for ids, tags in train:
            loss = ce(model(ids).transpose(1, 2), tags)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            acc_loss += loss.item()
            n += 1
        char_acc, line_acc = evaluate(model, valid)
        print(f"epoch {epoch}: loss {acc_loss / n:.4f}, char acc {char_acc:.4f}, whole line {line_acc:.4f}", file=sys.stderr)


if __name__ == "__main__":
    main()
