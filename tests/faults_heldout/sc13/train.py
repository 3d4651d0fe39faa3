# Character language model on a small collection of Python/ML documentation,
# plain SGD with annealing when validation stops improving.
import argparse
import math
import os
import time

import torch
import torch.nn as nn

parser = argparse.ArgumentParser(description="char LSTM language model")
parser.add_argument("--data", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus.txt"))
parser.add_argument("--emsize", type=int, default=32)
parser.add_argument("--nhid", type=int, default=96)
parser.add_argument("--nlayers", type=int, default=1)
parser.add_argument("--lr", type=float, default=20.0)
parser.add_argument("--clip", type=float, default=0.25)
parser.add_argument("--epochs", type=int, default=6)
parser.add_argument("--batch_size", type=int, default=20)
parser.add_argument("--bptt", type=int, default=35)
parser.add_argument("--seed", type=int, default=1111)
parser.add_argument("--log-interval", type=int, default=50)
args = parser.parse_args()

torch.manual_seed(args.seed)

###############################################################################
# Data
###############################################################################

with open(args.data) as f:
    text = f.read()
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
ids = torch.tensor([stoi[c] for c in text])
n_train = int(0.9 * len(ids))


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    return data[: nbatch * bsz].view(bsz, -1).t().contiguous()


train_data = batchify(ids[:n_train], args.batch_size)
val_data = batchify(ids[n_train:], 10)


def get_batch(source, i):
    seq_len = min(args.bptt, len(source) - 1 - i)
    return source[i:i + seq_len], source[i + 1:i + 1 + seq_len].reshape(-1)


###############################################################################
# Model
###############################################################################

class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid, nlayers):
        super().__init__()
        self.ntoken, self.nhid, self.nlayers = ntoken, nhid, nlayers
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid, nlayers)
        self.decoder = nn.Linear(nhid, ntoken)
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
        nn.init.zeros_(self.decoder.bias)
        nn.init.uniform_(self.decoder.weight, -0.1, 0.1)

    def forward(self, tokens, hidden):
        output, hidden = self.rnn(self.encoder(tokens), hidden)
        return self.decoder(output).view(-1, self.ntoken), hidden

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return tuple(weight.new_zeros(self.nlayers, bsz, self.nhid) for _ in range(2))


def repackage_hidden(h):
    return tuple(v.detach() for v in h)


model = RNNModel(len(chars), args.emsize, args.nhid, args.nlayers)
criterion = nn.CrossEntropyLoss()
lr = args.lr
optimizer = torch.optim.SGD(model.parameters(), lr=lr)


###############################################################################
# Training
###############################################################################

def evaluate(source):
    model.eval()
    total = 0.0
    hidden = model.init_hidden(source.size(1))
    with torch.no_grad():
        for i in range(0, source.size(0) - 1, args.bptt):
            data, targets = get_batch(source, i)
            output, hidden = model(data, hidden)
            total += len(data) * criterion(output, targets).item()
    return total / (len(source) - 1)


def train(epoch):
    model.train()
    total, start = 0.0, time.time()
    hidden = model.init_hidden(args.batch_size)
    for batch, i in enumerate(range(0, train_data.size(0) - 1, args.bptt), start=1):
        data, targets = get_batch(train_data, i)
        hidden = repackage_hidden(hidden)
        optimizer.zero_grad()
        output, hidden = model(data, hidden)
        loss = criterion(output, targets)
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        loss.backward()
        optimizer.step()

        total += loss.item()
        if batch % args.log_interval == 0:
            avg = total / args.log_interval
            ms = (time.time() - start) * 1000 / args.log_interval
            print(f"| epoch {epoch} | {batch:4d} batches | lr {lr:5.2f} | ms/batch {ms:5.1f} | loss {avg:5.3f} | ppl {math.exp(min(avg, 50)):9.2f}")
            total, start = 0.0, time.time()


best_val = None
for epoch in range(1, args.epochs + 1):
    train(epoch)
    val_loss = evaluate(val_data)
    print("-" * 78)
    print(f"| end of epoch {epoch} | valid loss {val_loss:5.3f} | valid bpc {val_loss / math.log(2):5.2f}")
    print("-" * 78)
    if best_val is None or val_loss < best_val:
        best_val = val_loss
    else:
        lr /= 4.0
        for group in optimizer.param_groups:
            group["lr"] = lr
print(f"best validation loss {best_val:.3f}")
