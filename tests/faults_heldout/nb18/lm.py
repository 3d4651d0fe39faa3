"""Character language model, truncated back-propagation over contiguous streams."""
import math
import time
from pathlib import Path

import torch
from torch import nn

SEED, STREAMS, BPTT = 0, 32, 48
EPOCHS, LR = 4, 4e-3

torch.manual_seed(SEED)
text = (Path(__file__).parent / "corpus.txt").read_text()
vocab = sorted(set(text))
stoi = {c: i for i, c in enumerate(vocab)}
ids = torch.tensor([stoi[c] for c in text])
split = int(0.9 * len(ids))


def streams(data, n):
    data = data[: len(data) // n * n]
    return data.view(n, -1).t().contiguous()


class CharLM(nn.Module):
    def __init__(self, n_vocab, dim=32, hidden=96):
        super().__init__()
        self.embed = nn.Embedding(n_vocab, dim)
        self.lstm = nn.LSTM(dim, hidden)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(hidden, n_vocab)

    def forward(self, x, state=None):
        h, state = self.lstm(self.embed(x), state)
        return self.out(self.drop(h)), state


def windows(data):
    for i in range(0, data.size(0) - 1, BPTT):
        n = min(BPTT, data.size(0) - 1 - i)
        yield data[i : i + n], data[i + 1 : i + 1 + n]


@torch.no_grad()
def bits_per_char(model, data):
    model.eval()
    state, total, count = None, 0.0, 0
    for x, y in windows(data):
        logits, state = model(x, state)
        total += nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten(), reduction="sum").item()
        count += y.numel()
    return total / count / math.log(2)


train, val = streams(ids[:split], STREAMS), streams(ids[split:], 8)
model = CharLM(len(vocab))
opt = torch.optim.Adam(model.parameters(), lr=LR)
n_steps = EPOCHS * math.ceil((train.size(0) - 1) / BPTT)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=LR, total_steps=n_steps, pct_start=0.1)
print(f"{len(ids)} chars, vocabulary {len(vocab)}, {n_steps} steps")

start, step = time.time(), 0
for epoch in range(1, EPOCHS + 1):
    state = None
    for x, y in windows(train):
        model.train()
        logits, state = model(x, state)
        state = tuple(s.detach() for s in state)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        step += 1
        if step % 80 == 0:
            print(f"  step {step:4d}  {loss.item() / math.log(2):.3f} bits  lr {sched.get_last_lr()[0]:.5f}")
    print(f"epoch {epoch}  val {bits_per_char(model, val):.3f} bits per char  ({time.time() - start:.0f}s)")
