import math
import time
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1234)
text = (Path(__file__).parent / "tales.txt").read_text()
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text])
n = int(0.9 * len(data))
splits = {"train": data[:n], "val": data[n:]}

BLOCK, BATCH, STEPS = 48, 24, 350
DIM, HID = 32, 80


def get_batch(part):
    d = splits[part]
    at = torch.randint(len(d) - BLOCK - 1, (BATCH,)).tolist()
    x = torch.stack([d[i:i + BLOCK] for i in at])
    y = torch.stack([d[i + 1:i + BLOCK + 1] for i in at])
    return x, y


class CharModel(nn.Module):
    """Next-character model."""

    def __init__(self, vocab):
        super().__init__()
        self.emb = nn.Embedding(vocab, DIM)
        self.rnn = nn.GRU(DIM, HID, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(2 * HID, vocab)

    def forward(self, x):
        h, _ = self.rnn(self.emb(x))
        return self.out(self.drop(h))


@torch.no_grad()
def estimate(model, rounds=8):
    model.eval()
    res = {}
    for part in splits:
        tot = 0.0
        for _ in range(rounds):
            x, y = get_batch(part)
            tot += F.cross_entropy(model(x).flatten(0, 1), y.flatten()).item()
        res[part] = tot / rounds
    model.train()
    return res


@torch.no_grad()
def sample(model, prompt, length=120):
    model.eval()
    ids = [stoi[c] for c in prompt]
    for _ in range(length):
        logits = model(torch.tensor([ids[-BLOCK:]]))[0, -1]
        ids.append(torch.multinomial(logits.softmax(-1), 1).item())
    model.train()
    return "".join(chars[i] for i in ids)


model = CharModel(len(chars))
opt = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=0.01)
t0 = time.time()
for step in range(1, STEPS + 1):
    x, y = get_batch("train")
    loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
    opt.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    if step % 50 == 0:
        r = estimate(model)
        print(f"step {step:4d} train {r['train']:.3f} val {r['val']:.3f} ppl {math.exp(r['val']):.2f} ({time.time() - t0:.1f}s)")

print(sample(model, "the miller "))
