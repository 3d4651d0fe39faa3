# Character language model: 2-layer GRU on a short prose corpus.
import math
from pathlib import Path

import torch
from torch import nn

torch.manual_seed(7)
text = (Path(__file__).parent / "village.txt").read_text()
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text])
split = int(0.9 * len(data))
train_ids, val_ids = data[:split], data[split:]

SEQ, BATCH, STEPS = 48, 32, 240


class CharGRU(nn.Module):
    def __init__(self, vocab, emb=32, hidden=96):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.rnn = nn.GRU(emb, hidden, num_layers=2, batch_first=True, dropout=0.1)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x, h=None):
        y, h = self.rnn(self.emb(x), h)
        return self.out(y), h


def sample_batch(ids):
    start = torch.randint(0, len(ids) - SEQ - 1, (BATCH,))
    win = start[:, None] + torch.arange(SEQ + 1)
    chunk = ids[win]
    return chunk[:, :-1], chunk[:, 1:]


model = CharGRU(len(chars))
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=8e-3, total_steps=STEPS)
loss_fn = nn.CrossEntropyLoss()


def validate():
    model.eval()
    n = (len(val_ids) - 1) // SEQ
    x = val_ids[: n * SEQ].view(n, SEQ)
    y = val_ids[1: n * SEQ + 1].view(n, SEQ)
    with torch.no_grad():
        logits, _ = model(x)
        loss = loss_fn(logits.flatten(0, 1), y.flatten())
    model.train()
    return loss.item()


@torch.no_grad()
def generate(prompt, n=120):
    model.eval()
    x = torch.tensor([[stoi[c] for c in prompt]])
    h, out = None, prompt
    for _ in range(n):
        logits, h = model(x, h)
        x = torch.multinomial(torch.softmax(logits[:, -1] / 0.7, -1), 1)
        out += chars[x.item()]
    model.train()
    return out


for step in range(1, STEPS + 1):
    xb, yb = sample_batch(train_ids)
    logits, _ = model(xb)
    loss = loss_fn(logits.flatten(0, 1), yb.flatten())
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    sched.step()
    if step % 40 == 0:
        v = validate()
        print(f"step {step:4d} | train {loss.item():.3f} | val {v:.3f} | val ppl {math.exp(v):.2f}")

print(generate("The "))
