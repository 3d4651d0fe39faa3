import argparse
import random

import torch
import torch.nn.functional as F

from tickets.router import TicketRouter
from tickets.text import BagOfWords, read_tsv

parser = argparse.ArgumentParser(description="Route support tickets to a queue")
parser.add_argument("tsv", nargs="?", default="tickets.tsv")
parser.add_argument("--epochs", type=int, default=6)
parser.add_argument("--bs", type=int, default=50)
parser.add_argument("--lr", type=float, default=2e-3)
parser.add_argument("--hidden", type=int, default=48)
args = parser.parse_args()

random.seed(0)
torch.manual_seed(0)

names, texts = read_tsv(args.tsv)
queues = sorted(set(names))
order = random.sample(range(len(texts)), len(texts))
cut = len(order) * 4 // 5
tr, te = order[:cut], order[cut:]

bow = BagOfWords().fit([texts[i] for i in tr])
label = torch.tensor([queues.index(n) for n in names])
features = bow.transform(texts).half()
model = TicketRouter(len(bow.vocab), len(queues), args.hidden).half()
optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
print(f"{len(tr)} tickets, {len(bow.vocab)} words, {sum(p.numel() for p in model.parameters())} parameters")


def accuracy(ids):
    model.eval()
    with torch.no_grad():
        return (model(features[ids]).argmax(1) == label[ids]).float().mean().item()


for epoch in range(args.epochs):
    model.train()
    random.shuffle(tr)
    losses = []
    for k in range(0, len(tr), args.bs):
        ids = tr[k:k + args.bs]
        loss = F.cross_entropy(model(features[ids]).float(), label[ids])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(f"epoch {epoch:2d}: loss {sum(losses) / len(losses):.4f}, test accuracy {accuracy(te):.3f}")
