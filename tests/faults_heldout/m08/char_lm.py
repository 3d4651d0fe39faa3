import argparse
import math
import os
import time

import torch
import torch.nn as nn

parser = argparse.ArgumentParser(description="GRU character language model")
parser.add_argument("--data", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus.txt"))
parser.add_argument("--emb", type=int, default=32)
parser.add_argument("--hidden", type=int, default=96)
parser.add_argument("--bptt", type=int, default=40)
parser.add_argument("--batch", type=int, default=32)
parser.add_argument("--steps", type=int, default=300)
parser.add_argument("--lr", type=float, default=1.0)
parser.add_argument("--momentum", type=float, default=0.9)
parser.add_argument("--clip", type=float, default=0.001, help="max gradient norm")
parser.add_argument("--log-every", type=int, default=50)
parser.add_argument("--seed", type=int, default=1111)
args = parser.parse_args()
torch.manual_seed(args.seed)

text = open(args.data).read()
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text])
split = int(0.9 * len(data))
train_data, valid_data = data[:split], data[split:]


class CharRNN(nn.Module):
    def __init__(self, vocab):
        super().__init__()
        self.embed = nn.Embedding(vocab, args.emb)
        self.rnn = nn.GRU(args.emb, args.hidden, batch_first=True)
        self.decode = nn.Linear(args.hidden, vocab)

    def forward(self, ids):
        out, _ = self.rnn(self.embed(ids))
        return self.decode(out)


def get_batch(source, n):
    start = torch.randint(len(source) - args.bptt - 1, (n,))
    window = torch.stack([source[s:s + args.bptt + 1] for s in start])
    return window[:, :-1], window[:, 1:]


model = CharRNN(len(chars))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=args.momentum, nesterov=True)


@torch.no_grad()
def evaluate():
    model.eval()
    total = count = 0
    usable = (len(valid_data) - 1) // args.bptt * args.bptt
    x = valid_data[:usable].view(-1, args.bptt)
    y = valid_data[1:usable + 1].view(-1, args.bptt)
    for xb, yb in zip(x.split(64), y.split(64)):
        total += criterion(model(xb).flatten(0, 1), yb.flatten()).item() * yb.numel()
        count += yb.numel()
    model.train()
    return total / count


t0, running = time.time(), 0.0
for step in range(1, args.steps + 1):
    x, y = get_batch(train_data, args.batch)
    loss = criterion(model(x).flatten(0, 1), y.flatten())
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), args.clip)
    optimizer.step()
    running += loss.item()
    if step % args.log_every == 0:
        v = evaluate()
        print(f"| step {step:5d} | {1000 * (time.time() - t0) / step:6.1f} ms/step | loss {running / args.log_every:6.3f} "
              f"| valid {v:6.3f} | bpc {v / math.log(2):5.2f}")
        running = 0.0
