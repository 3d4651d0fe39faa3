# Tagging names, streets and cities in delivery notes. Word vectors come from an
# external file and stay as they are; only the tagger on top is trained.
import os
import random

import numpy as np
import torch
import torch.nn as nn

DIR = os.path.dirname(os.path.abspath(__file__))
BATCH, EPOCHS, LR = 25, 9, 4e-3
random.seed(1)
torch.manual_seed(1)


def read_conll(name):
    sents, cur = [], []
    with open(os.path.join(DIR, name)) as f:
        for line in f:
            line = line.split()
            if line:
                cur.append((line[0], line[1]))
            elif cur:
                sents.append(cur)
                cur = []
    return sents


train, valid = read_conll("train.conll"), read_conll("valid.conll")
tags = sorted({t for s in train for _, t in s})
tag_id = {t: i for i, t in enumerate(tags)}

z = np.load(os.path.join(DIR, "vectors.npz"))
word_id = {w: i + 2 for i, w in enumerate(z["words"].tolist())}  # 0 pad, 1 unknown
table = torch.zeros(len(word_id) + 2, z["vec"].shape[1])
table[2:] = torch.from_numpy(z["vec"].astype("float32"))


def batchify(sents):
    n = max(len(s) for s in sents)
    x = torch.zeros(len(sents), n, dtype=torch.long)
    y = torch.zeros(len(sents), n, dtype=torch.long)
    for i, s in enumerate(sents):
        x[i, :len(s)] = torch.tensor([word_id.get(w, 1) for w, _ in s])
        y[i, :len(s)] = torch.tensor([tag_id[t] for _, t in s])
    return x, y, x != 0


class CRF(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.start = nn.Parameter(torch.zeros(k))
        self.end = nn.Parameter(torch.zeros(k))
        self.trans = nn.Parameter(torch.zeros(k, k))

    def gold(self, em, y, m):
        b = torch.arange(len(em))
        s = self.start[y[:, 0]] + em[b, 0, y[:, 0]]
        for t in range(1, em.size(1)):
            step = self.trans[y[:, t - 1], y[:, t]] + em[b, t, y[:, t]]
            s = s + step * m[:, t]
        last = m.sum(1) - 1
        return s + self.end[y[b, last]]

    def norm(self, em, m):
        a = self.start + em[:, 0]
        for t in range(1, em.size(1)):
            nxt = torch.logsumexp(a.unsqueeze(2) + self.trans, dim=1) + em[:, t]
            a = torch.where(m[:, t, None], nxt, a)
        return torch.logsumexp(a + self.end, dim=1)

    def decode(self, em, m):
        a = self.start + em[:, 0]
        back = []
        ident = torch.arange(em.size(2)).expand(len(em), -1)
        for t in range(1, em.size(1)):
            best, arg = (a.unsqueeze(2) + self.trans).max(1)
            keep = m[:, t, None]
            a = torch.where(keep, best + em[:, t], a)
            back.append(torch.where(keep, arg, ident))
        cur = (a + self.end).argmax(1)
        path = [cur]
        for arg in reversed(back):
            cur = arg.gather(1, cur[:, None])[:, 0]
            path.append(cur)
        return torch.stack(path[::-1], 1)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding.from_pretrained(table, freeze=True, padding_idx=0)
        self.drop = nn.Dropout(0.3)
        self.conv = nn.Conv1d(table.shape[1], 64, 5, padding=2)
        self.out = nn.Linear(64, len(tags))
        self.crf = CRF(len(tags))

    def emissions(self, x):
        h = self.drop(self.emb(x)).transpose(1, 2)
        h = torch.tanh(self.conv(h)).transpose(1, 2)
        return self.out(self.drop(h))

    def loss(self, x, y, m):
        em = self.emissions(x)
        # per-sentence negative log-likelihood, not divided by length
        return (self.crf.norm(em, m) - self.crf.gold(em, y, m)).mean()


def spans(ids):
    out, start, kind = set(), None, None
    for i, t in enumerate([tags[j] for j in ids] + ["O"]):
        if start is not None and not (t == "I-" + kind):
            out.add((start, i, kind))
            start = None
        if t.startswith("B-"):
            start, kind = i, t[2:]
    return out


def span_f1(model, sents):
    tp = fp = fn = 0
    nll = 0.0
    model.eval()
    with torch.no_grad():
        for i in range(0, len(sents), 70):
            x, y, m = batchify(sents[i:i + 70])
            nll += model.loss(x, y, m).item() * len(x)
            pred = model.crf.decode(model.emissions(x), m)
            for p, g, k in zip(pred, y, m.sum(1)):
                a, b = spans(p[:k].tolist()), spans(g[:k].tolist())
                tp += len(a & b)
                fp += len(a - b)
                fn += len(b - a)
    return nll / len(sents), 2 * tp / max(1, 2 * tp + fp + fn)


model = Tagger()
opt = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=LR)
sch = torch.optim.lr_scheduler.StepLR(opt, step_size=1, gamma=0.7)
print("tags", tags, "words", len(word_id))
for epoch in range(EPOCHS):
    model.train()
    random.shuffle(train)
    seen = 0.0
    for i in range(0, len(train), BATCH):
        loss = model.loss(*batchify(train[i:i + BATCH]))
        opt.zero_grad()
        loss.backward()
        opt.step()
        seen += loss.item()
    sch.step()
    nll, f1 = span_f1(model, valid)
    print(f"epoch {epoch + 1} train nll/sentence {seen * BATCH / len(train):.3f} valid {nll:.3f} span F1 {f1:.4f}")
