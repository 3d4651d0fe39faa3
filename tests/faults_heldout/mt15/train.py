import argparse
import json

import torch
import torch.nn.functional as F

from encode import Batches
from reader import Reader
from tickets import QUEUES, corpus, vocabulary

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=15)
parser.add_argument("--t0", type=int, default=1)
parser.add_argument("--mult", type=int, default=2)
parser.add_argument("--lr", type=float, default=0.08)
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()

torch.manual_seed(args.seed)
rows = corpus(5000, args.seed)
train_rows, dev_rows = rows[:4000], rows[4000:]
vocab = vocabulary(train_rows)
train = Batches(train_rows, vocab, 32, True)
dev = Batches(dev_rows, vocab, 200, False)

net = Reader(len(vocab) + 2, len(QUEUES))
opt = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9, nesterov=True, weight_decay=1e-4)
sched = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, T_0=args.t0, T_mult=args.mult, eta_min=args.lr / 1000)

for epoch in range(args.epochs):
    net.train()
    total = 0.0
    for i, (ids, y) in enumerate(train):
        loss = F.cross_entropy(net(ids), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        lr = opt.param_groups[0]["lr"]
        sched.step(epoch + (i + 1) / len(train))
        total += loss.item() * len(y)
    net.eval()
    with torch.no_grad():
        out = [(net(ids), y) for ids, y in dev]
    dev_loss = sum(F.cross_entropy(o, y, reduction="sum").item() for o, y in out) / len(dev_rows)
    acc = sum((o.argmax(1) == y).sum().item() for o, y in out) / len(dev_rows)
    print(json.dumps({"epoch": epoch + 1, "loss": round(total / len(train_rows), 4),
                      "dev_loss": round(dev_loss, 4), "dev_acc": round(acc, 4), "lr": round(lr, 6)}))
