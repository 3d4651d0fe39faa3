"""Character GRU trained with truncated back-propagation: parallel streams read in order, the state carried from chunk to chunk.
The chunk length grows in three stages."""
import math
import os

import torch
import torch.nn.functional as F
from torch import nn

here = os.path.dirname(os.path.abspath(__file__))
STAGES = [(12, 1), (24, 1), (48, 1)]      # chunk length, passes over the text
STREAMS = 16


def read(name):
    with open(os.path.join(here, name)) as f:
        return f.read()


train_text, valid_text = read("train.txt"), read("valid.txt")
chars = sorted(set(train_text))
index = {c: i for i, c in enumerate(chars)}


def streams(text, n):
    ids = torch.tensor([index[c] for c in text])
    per = len(ids) // n
    return ids[: n * per].view(n, per)


class CharGRU(nn.Module):
    def __init__(self, v, e=24, h=80):
        super().__init__()
        self.emb = nn.Embedding(v, e)
        self.gru = nn.GRU(e, h, batch_first=True)
        self.out = nn.Linear(h, v)

    def forward(self, ids, state=None):
        h, state = self.gru(self.emb(ids), state)
        return self.out(h), state


def chunks(data, length):
    for i in range(0, data.size(1) - 1 - length, length):
        yield data[:, i:i + length], data[:, i + 1:i + 1 + length]


@torch.no_grad()
def bits_per_char(model, data):
    model.eval()
    tot, n, state = 0.0, 0, None
    for x, y in chunks(data, 100):
        logits, state = model(x, state)
        tot += F.cross_entropy(logits.flatten(0, 1), y.flatten(), reduction="sum").item()
        n += y.numel()
    model.train()
    return tot / n / math.log(2)


torch.manual_seed(4)
train, valid = streams(train_text, STREAMS), streams(valid_text, 4)
model = CharGRU(len(chars))
total = sum(passes * len(list(chunks(train, length))) for length, passes in STAGES)
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: 0.1 + 0.9 * (1 - s / total))
print(f"{len(chars)} characters, {train.numel()} training characters, {total} updates")

for length, passes in STAGES:
    for k in range(passes):
        state, tot, n = None, 0.0, 0
        for x, y in chunks(train, length):
            if state is not None:
                state = state.detach()
            logits, state = model(x, state)
            loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            tot, n = tot + loss.item(), n + 1
        print(f"chunk {length:2d} pass {k + 1} train {tot / n / math.log(2):.4f} bpc valid {bits_per_char(model, valid):.4f} bpc")
