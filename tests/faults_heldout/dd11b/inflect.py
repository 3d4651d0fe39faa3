"""Learns the plural of a small harmony language, letter by letter."""
import os

import torch
from torch.nn.functional import cross_entropy

from model import Inflector
from text import START, STOP, Symbols, read_fixed_width

HERE = os.path.dirname(os.path.abspath(__file__))


def shifted(symbols, tgt):
    start = torch.full((len(tgt), 1), symbols.number[START])
    return torch.cat([start, tgt[:, :-1]], 1)


def whole_word_accuracy(model, symbols, src, forms):
    model.eval()
    guess = model.generate(src, symbols.number[START], steps=len(forms[0]))
    return sum(symbols.word(g) == f.split(STOP)[0] for g, f in zip(guess.tolist(), forms)) / len(forms)


def train(epochs=7, batch=64, lr=5e-3, seed=8):
    torch.manual_seed(seed)
    lemmas, forms = read_fixed_width(os.path.join(HERE, "lexicon", "train.txt"))
    dev_lemmas, dev_forms = read_fixed_width(os.path.join(HERE, "lexicon", "dev.txt"))
    symbols = Symbols(lemmas + forms + dev_lemmas + dev_forms)
    src, tgt = symbols.rows(lemmas), symbols.rows(forms)
    dev_src = symbols.rows(dev_lemmas)
    pad = symbols.number["_"]

    model = Inflector(len(symbols), pad)
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=5, gamma=0.3)
    print("symbols:", len(symbols), " lexicon:", tuple(src.shape), "->", tuple(tgt.shape))
    for epoch in range(epochs):
        model.train()
        total = 0.0
        order = torch.randperm(len(src))
        for rows in order.split(batch):
            logits = model(src[rows], shifted(symbols, tgt[rows]))
            loss = cross_entropy(logits.flatten(0, 1), tgt[rows].flatten(), ignore_index=pad)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            total += loss.item() * len(rows)
        sched.step()
        acc = whole_word_accuracy(model, symbols, dev_src, dev_forms)
        print(f"epoch {epoch + 1:2d}   loss {total / len(src):.4f}   words right on dev {acc:.3f}", flush=True)


if __name__ == "__main__":
    train()
