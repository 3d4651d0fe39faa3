# Assigns incoming tickets to a team.  Has to run inside the mail gateway, so the model stays tiny.
import collections
import configparser
import json
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

ini = configparser.ConfigParser()
ini.read("router.ini")
seed = ini.getint("train", "seed")
random.seed(seed)
torch.manual_seed(seed)

tickets = json.load(open(ini["data"]["file"]))
random.shuffle(tickets)
n_hold = int(len(tickets) * ini.getfloat("data", "holdout"))
hold, train = tickets[:n_hold], tickets[n_hold:]

counts = collections.Counter(w for t in train for w in t["text"].split())
vocab = {"<unk>": 0}
for w, c in sorted(counts.items()):
    if c >= ini.getint("data", "min_count"):
        vocab[w] = len(vocab)
teams = sorted({t["team"] for t in train})


def pack(batch):
    ids, offsets, labels = [], [], []
    for t in batch:
        offsets.append(len(ids))
        ids += [vocab.get(w, 0) for w in t["text"].split()]
        labels.append(teams.index(t["team"]))
    return torch.tensor(ids), torch.tensor(offsets), torch.tensor(labels)


class Router(nn.Module):
    def __init__(self, n_words, dim, n_out):
        super().__init__()
        self.bag = nn.EmbeddingBag(n_words, dim, mode="mean")
        self.out = nn.Linear(dim, n_out)

    def forward(self, ids, offsets):
        return self.out(self.bag(ids, offsets))


def check(net, rows):
    net.eval()
    with torch.no_grad():
        ids, off, lab = pack(rows)
        logits = net(ids, off)
        return F.cross_entropy(logits, lab).item(), (logits.argmax(1) == lab).float().mean().item()


net = Router(len(vocab), ini.getint("train", "dim"), len(teams))
opt = torch.optim.Adam(net.parameters(), lr=ini.getfloat("train", "rate"))
bs = ini.getint("train", "batch")
epochs = ini.getint("train", "epochs")
decay = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.02, total_iters=epochs * -(-len(train) // bs))
print(len(vocab), "words,", sum(p.numel() for p in net.parameters()), "weights")

for epoch in range(epochs):
    net.train()
    random.shuffle(train)
    seen, tot = 0, 0.0
    for i in range(0, len(train), bs):
        ids, off, lab = pack(train[i:i + bs])
        loss = F.cross_entropy(net(ids, off), lab)
        opt.zero_grad()
        loss.backward()
        opt.step()
        decay.step()
        tot += loss.item() * len(lab)
        seen += len(lab)
    hl, ha = check(net, hold)
    print("epoch %2d  train %.4f  holdout %.4f  right team %.3f" % (epoch, tot / seen, hl, ha))
