"""Next-token model of service log lines, used to score unusual lines."""
import configparser
import math
from pathlib import Path

import torch
import torch.nn as nn

from corpus import Vocab, load_lines
from net import LineModel

BASE = Path(__file__).resolve().parent


def batches(ids, size, shuffle):
    order = torch.randperm(len(ids)) if shuffle else torch.arange(len(ids))
    for idx in order.split(size):
        rows = ids[idx]
        yield rows[:, :-1], rows[:, 1:]


def dev_perplexity(model, criterion, ids, pad):
    model.eval()
    nll, count = 0.0, 0
    with torch.no_grad():
        for x, y in batches(ids, 128, False):
            n = (y != pad).sum().item()
            nll += criterion(model(x).flatten(0, 1), y.flatten()).item() * n
            count += n
    return math.exp(nll / count)


def main():
    ini = configparser.ConfigParser()
    ini.read(BASE / "lm.ini")
    opt, arch = ini["train"], ini["model"]
    torch.manual_seed(opt.getint("seed"))

    vocab = Vocab(BASE / ini["files"]["vocab"])
    train, dev = load_lines(BASE / ini["files"]["lines"])
    model = LineModel(len(vocab), arch.getint("embed"), arch.getint("hidden"), vocab.pad)
    criterion = nn.CrossEntropyLoss(ignore_index=vocab.pad)
    sgd = torch.optim.SGD(model.parameters(), lr=opt.getfloat("lr"), momentum=opt.getfloat("momentum"))
    epochs = opt.getint("epochs")
    decay = torch.optim.lr_scheduler.LinearLR(sgd, 1.0, 0.05, total_iters=epochs)

    print(f"{len(train)} lines, {len(vocab)} tokens")
    for epoch in range(1, epochs + 1):
        model.train()
        total, n = 0.0, 0
        for x, y in batches(train, opt.getint("batch"), True):
            loss = criterion(model(x).flatten(0, 1), y.flatten())
            sgd.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), opt.getfloat("clip"))
            sgd.step()
            total += loss.item()
            n += 1
        decay.step()
        print(f"epoch {epoch:2d} | loss {total / n:.4f} | dev perplexity {dev_perplexity(model, criterion, dev, vocab.pad):.2f}")


if __name__ == "__main__":
    main()
