"""Character language model of the tales corpus (LSTM, plain SGD, annealed as in the word_language_model example)."""
import argparse
import math

import torch
from torch import nn

parser = argparse.ArgumentParser(description="char LM")
parser.add_argument("--corpus", default="tales.txt")
parser.add_argument("--emsize", type=int, default=24)
parser.add_argument("--nhid", type=int, default=64)
parser.add_argument("--lr", type=float, default=20.0)
parser.add_argument("--clip", type=float, default=0.25)
parser.add_argument("--epochs", type=int, default=8)
parser.add_argument("--bptt", type=int, default=32)
parser.add_argument("--batch-size", type=int, default=20)
parser.add_argument("--seed", type=int, default=1111)
args = parser.parse_args()

torch.manual_seed(args.seed)
text = open(args.corpus).read()
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
ids = torch.tensor([stoi[c] for c in text])


def batchify(data, bsz):
    n = data.size(0) // bsz
    return data[: n * bsz].view(bsz, n).t().contiguous()


cut = int(0.9 * len(ids))
train_data = batchify(ids[:cut], args.batch_size)
val_data = batchify(ids[cut:], 10)


class CharLM(nn.Module):
    def __init__(self, ntoken, emsize, nhid):
        super().__init__()
        self.encoder = nn.Embedding(ntoken, emsize)
        self.rnn = nn.LSTM(emsize, nhid)
        self.decoder = nn.Linear(nhid, ntoken)

    def forward(self, x, state):
        out, state = self.rnn(self.encoder(x), state)
        return self.decoder(out).flatten(0, 1), state


def get_batch(source, i):
    n = min(args.bptt, len(source) - 1 - i)
    return source[i:i + n], source[i + 1:i + 1 + n].reshape(-1)


def repackage(state):
    return None if state is None else tuple(s.detach() for s in state)


model = CharLM(len(chars), args.emsize, args.nhid)
criterion = nn.CrossEntropyLoss()
params = filter(lambda p: p.requires_grad, model.parameters())
optimizer = torch.optim.SGD(params, lr=args.lr)


def evaluate(source):
    model.eval()
    total, state = 0.0, None
    with torch.no_grad():
        for i in range(0, len(source) - 1, args.bptt):
            x, y = get_batch(source, i)
            out, state = model(x, state)
            total += len(x) * criterion(out, y).item()
    return total / (len(source) - 1)


best = None
for epoch in range(1, args.epochs + 1):
    model.train()
    total, steps, state = 0.0, 0, None
    for i in range(0, len(train_data) - 1, args.bptt):
        x, y = get_batch(train_data, i)
        state = repackage(state)
        optimizer.zero_grad()
        out, state = model(x, state)
        loss = criterion(out, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(params, args.clip)
        optimizer.step()
        total += loss.item()
        steps += 1
    val = evaluate(val_data)
    print(f"| end of epoch {epoch} | train loss {total / steps:.3f} | valid loss {val:.3f} | valid ppl {math.exp(min(val, 50)):.2f}")
    if best is None or val < best:
        best = val
    else:
        for group in optimizer.param_groups:
            group["lr"] /= 4.0
