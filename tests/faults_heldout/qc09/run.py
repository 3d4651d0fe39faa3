import argparse

import torch

from tickets.data import Tickets, Vocab, read
from tickets.trainer import BagClassifier, Trainer

p = argparse.ArgumentParser()
p.add_argument("--file", default="tickets.tsv")
p.add_argument("--epochs", type=int, default=10)
p.add_argument("--lr", type=float, default=5e-3)
p.add_argument("--batch-size", type=int, default=50)
p.add_argument("--dim", type=int, default=24)
a = p.parse_args()

torch.manual_seed(4)
train_rows, test_rows = read(a.file)
vocab = Vocab(train_rows)
model = BagClassifier(len(vocab), a.dim, len(vocab.labels))
Trainer(model, Tickets(train_rows, vocab), Tickets(test_rows, vocab), a.lr, a.batch_size).fit(a.epochs)
