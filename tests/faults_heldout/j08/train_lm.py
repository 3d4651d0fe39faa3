"""Character LSTM language model, truncated back-propagation through time.

Set-up after the classic word_language_model example: SGD with a large step,
gradient norm clipped, step divided by 4 when the validation loss stops improving.
"""
import math
import os
import time

import torch
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))
BPTT, BATCH, LR, CLIP, EPOCHS = 35, 20, 20.0, 0.25, 5
torch.manual_seed(1111)

text = open(os.path.join(HERE, "corpus.txt")).read()
vocab = sorted(set(text))
stoi = {c: i for i, c in enumerate(vocab)}
ids = torch.tensor([stoi[c] for c in text])
cut = int(0.9 * len(ids))


def batchify(data, bsz):
    n = len(data) // bsz
    return data[: n * bsz].view(bsz, n).t().contiguous()


train_data, val_data = batchify(ids[:cut], BATCH), batchify(ids[cut:], 10)


class CharLM(nn.Module):
    def __init__(self, n_tok, d_emb=32, d_hid=96, n_layers=2):
        super().__init__()
        self.emb = nn.Embedding(n_tok, d_emb)
        self.rnn = nn.LSTM(d_emb, d_hid, n_layers)
        self.dec = nn.Linear(d_hid, n_tok)

    def forward(self, x, h):
        out, h = self.rnn(self.emb(x), h)
        return self.dec(out).flatten(0, 1), h


def repackage(h):
    return None if h is None else tuple(t.detach() for t in h)


def get_batch(src, i):
    n = min(BPTT, len(src) - 1 - i)
    return src[i:i + n], src[i + 1:i + 1 + n].reshape(-1)


model = CharLM(len(vocab))
criterion = nn.CrossEntropyLoss()


def evaluate(src):
    model.eval()
    total, h = 0.0, None
    with torch.no_grad():
        for i in range(0, len(src) - 1, BPTT):
            x, y = get_batch(src, i)
            out, h = model(x, h)
            total += len(x) * criterion(out, y).item()
    return total / (len(src) - 1)


def train(optimizer, epoch):
    model.train()
    h, total, start = None, 0.0, time.time()
    for b, i in enumerate(range(0, len(train_data) - 1, BPTT)):
        x, y = get_batch(train_data, i)
        h = repackage(h)
        optimizer.zero_grad()
        out, h = model(x, h)
        loss = criterion(out, y)
        # helps against exploding gradients in RNNs
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        loss.backward()
        optimizer.step()
        total += loss.item()
        if b % 40 == 39:
            cur = total / 40
            print(f"| epoch {epoch} | {b + 1:4d} batches | {time.time() - start:5.1f}s | loss {cur:5.2f} "
                  f"| ppl {math.exp(min(cur, 20)):8.2f}")
            total = 0.0


optimizer = torch.optim.SGD(model.parameters(), lr=LR)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.25, patience=0)
for epoch in range(1, EPOCHS + 1):
    train(optimizer, epoch)
    val = evaluate(val_data)
    scheduler.step(val)
    print(f"| end of epoch {epoch} | valid loss {val:5.3f} | valid ppl {math.exp(min(val, 20)):8.2f}")
