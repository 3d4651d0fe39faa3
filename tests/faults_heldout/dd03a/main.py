# which language does an (invented-script) surname come from?  char-GRU, streaming reader
import collections
import itertools
import math
import os

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader, IterableDataset

BASE = os.path.dirname(os.path.realpath(__file__))
ALPHABET = "abcdefghijklmnopqrstuvwxyz'"
LANGS = ["arvic", "belu", "corsan", "dhole", "eskar", "fenn"]


class NameStream(IterableDataset):
    """Reads `name<TAB>language` line by line so that the big dumps fit as well."""

    def __init__(self, filename):
        self.filename = os.path.join(BASE, filename)

    def __iter__(self):
        with open(self.filename) as stream:
            for line in stream:
                name, lang = line.rstrip("\n").split("\t")
                yield torch.tensor([ALPHABET.index(ch) + 1 for ch in name]), LANGS.index(lang)


def collate(samples):
    names, langs = zip(*samples)
    sizes = torch.tensor([len(n) for n in names])
    return pad_sequence(names, batch_first=True), sizes, torch.tensor(langs)


class CharGRU(nn.Module):
    def __init__(self, emb=24, hid=64):
        super().__init__()
        self.emb = nn.Embedding(len(ALPHABET) + 1, emb, padding_idx=0)
        self.rnn = nn.GRU(emb, hid, batch_first=True)
        self.cls = nn.Linear(hid, len(LANGS))

    def forward(self, chars, sizes):
        packed = pack_padded_sequence(self.emb(chars), sizes, batch_first=True, enforce_sorted=False)
        _, h = self.rnn(packed)
        return self.cls(h[-1])


# ---- callbacks ------------------------------------------------------------------
class Callback:
    def on_batch(self, loop, loss): ...
    def on_epoch(self, loop): ...


class LossLog(Callback):
    def __init__(self, every=20):
        self.every, self.window = every, collections.deque(maxlen=every)

    def on_batch(self, loop, loss):
        self.window.append(loss)
        if loop.step % self.every == 0:
            print(f"  step {loop.step:4d}  loss {sum(self.window) / len(self.window):.4f}")


class HeldOut(Callback):
    def __init__(self, filename):
        self.loader = DataLoader(NameStream(filename), batch_size=256, collate_fn=collate)

    def on_epoch(self, loop):
        loop.model.eval()
        hits = n = 0
        nll = 0.0
        with torch.no_grad():
            for chars, sizes, langs in self.loader:
                out = loop.model(chars, sizes)
                nll += nn.functional.cross_entropy(out, langs, reduction="sum").item()
                hits += (out.argmax(-1) == langs).sum().item()
                n += len(langs)
        print(f"epoch {loop.epoch}: held-out accuracy {hits / n:.3f}, nll {nll / n:.3f} (uniform {math.log(len(LANGS)):.3f})")


class Loop:
    def __init__(self, model, optimizer, callbacks):
        self.model, self.optimizer, self.callbacks = model, optimizer, callbacks
        self.step = self.epoch = 0

    def run(self, loader, epochs):
        for self.epoch in range(1, epochs + 1):
            self.model.train()
            for chars, sizes, langs in loader:
                self.step += 1
                loss = nn.functional.cross_entropy(self.model(chars, sizes), langs)
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
                self.optimizer.step()
                for cb in self.callbacks:
                    cb.on_batch(self, loss.item())
            for cb in self.callbacks:
                cb.on_epoch(self)


if __name__ == "__main__":
    torch.manual_seed(77)
    peek = list(itertools.islice(NameStream("names.tsv"), 3))
    print("first names:", ["".join(ALPHABET[i - 1] for i in p[0]) for p in peek])
    net = CharGRU()
    loop = Loop(net, torch.optim.Adam(net.parameters(), lr=3e-3), [LossLog(25), HeldOut("heldout.tsv")])
    loop.run(DataLoader(NameStream("names.tsv"), batch_size=64, collate_fn=collate), epochs=7)
