from configparser import ConfigParser
from pathlib import Path

import torch
import torch.nn.functional as F

from intents.data import load_split, load_vocab
from intents.model import IntentEncoder

BASE = Path(__file__).parent


def accuracy(model, split, size):
    model.eval()
    right, loss = 0, 0.0
    with torch.no_grad():
        for tok, y in split.batches(size):
            out = model(tok)
            loss += F.cross_entropy(out, y, reduction="sum").item()
            right += int((out.argmax(-1) == y).sum())
    model.train()
    return right / len(split), loss / len(split)


def run():
    ini = ConfigParser()
    ini.read(BASE / "settings.ini")
    d, m, t = ini["data"], ini["model"], ini["train"]
    torch.manual_seed(t.getint("seed"))

    folder = BASE / d["dir"]
    max_len, bs = d.getint("max_len"), d.getint("batch_size")
    vocab = load_vocab(folder)
    train = load_split(folder, "train", max_len)
    dev = load_split(folder, "dev", max_len)
    classes = int(train.labels.max()) + 1

    model = IntentEncoder(
        len(vocab), classes, max_len,
        m.getint("dim"), m.getint("heads"), m.getint("layers"), m.getfloat("dropout"),
    )
    opt = torch.optim.AdamW(model.parameters(), lr=t.getfloat("lr"), weight_decay=0.01)
    warm = t.getint("warmup")
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / warm))

    for epoch in range(t.getint("epochs")):
        seen, total = 0, 0.0
        for tok, y in train.batches(bs, shuffle=True):
            loss = F.cross_entropy(model(tok), y)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            total += loss.item() * len(y)
            seen += len(y)
        acc, dev_loss = accuracy(model, dev, 256)
        print(f"[{epoch:02d}] train_loss={total / seen:.4f} dev_loss={dev_loss:.4f} dev_acc={acc:.3f}")


if __name__ == "__main__":
    run()
