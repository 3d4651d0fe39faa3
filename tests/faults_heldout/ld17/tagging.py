"""Tags utterance tokens with a bidirectional GRU."""
import json

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

IGNORE = -100


class Tagger(nn.Module):
    def __init__(self, n_tok, n_tag, emb, hid):
        super().__init__()
        self.emb = nn.Embedding(n_tok + 1, emb, padding_idx=n_tok)
        self.rnn = nn.GRU(emb, hid, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hid, n_tag)

    def forward(self, tok):
        return self.out(self.rnn(self.emb(tok))[0])


class Collate:
    def __init__(self, pad):
        self.pad = pad

    def __call__(self, items):
        tok = pad_sequence([torch.tensor(i["tok"]) for i in items], True, self.pad)
        tag = pad_sequence([torch.tensor(i["tag"]) for i in items], True, IGNORE)
        return tok, tag


class Experiment:
    def __init__(self, cfg, data):
        self.cfg = cfg
        n_tok = 1 + max(max(r["tok"]) for r in data)
        n_tag = 1 + max(max(r["tag"]) for r in data)
        make = lambda part, shuffle: DataLoader(part, cfg["batch_size"], shuffle=shuffle, collate_fn=Collate(n_tok))
        self.train_dl, self.test_dl = make(data[:720], True), make(data[720:], False)
        self.model = Tagger(n_tok, n_tag, cfg["embedding"], cfg["hidden"])
        self.criterion = nn.CrossEntropyLoss(ignore_index=IGNORE, reduction=cfg["reduction"])
        self.opt = torch.optim.SGD(self.model.parameters(), lr=cfg["lr"], momentum=cfg["momentum"])

    def epoch(self):
        self.model.train()
        total = 0.0
        for tok, tag in self.train_dl:
            self.opt.zero_grad()
            loss = self.criterion(self.model(tok).flatten(0, 1), tag.flatten())
            loss.backward()
            self.opt.step()
            total += loss.item()
        return total / len(self.train_dl)

    @torch.no_grad()
    def accuracy(self):
        self.model.eval()
        ok = n = 0
        for tok, tag in self.test_dl:
            keep = tag != IGNORE
            ok += (self.model(tok).argmax(-1) == tag)[keep].sum().item()
            n += keep.sum().item()
        return ok / n


if __name__ == "__main__":
    torch.manual_seed(31)
    exp = Experiment(json.load(open("config.json")), json.load(open("utterances.json")))
    for e in range(exp.cfg["epochs"]):
        print(f"epoch {e + 1:2d} loss {exp.epoch():.4f} token acc {exp.accuracy():.4f}")
