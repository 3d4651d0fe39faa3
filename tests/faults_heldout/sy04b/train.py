"""Routes customer tickets to a team (bag of words, averaged embeddings)."""
import argparse
import configparser
import csv
import random
from collections import Counter

import torch
from torch import nn

TEAMS = ["billing", "delivery", "account", "safety"]

cli = argparse.ArgumentParser()
cli.add_argument("--settings", default="settings.ini")
cli.add_argument("--seed", type=int, default=0)
cli = cli.parse_args()

cfg = configparser.ConfigParser()
cfg.read(cli.settings)
random.seed(cli.seed)
torch.manual_seed(cli.seed)


def read_tickets(path):
    with open(path, newline="") as f:
        return [(row["text"].split(), TEAMS.index(row["team"])) for row in csv.DictReader(f)]


train = read_tickets(cfg["data"]["train"])
test = read_tickets(cfg["data"]["test"])

counts = Counter(word for words, _ in train for word in words)
vocab = {"<unk>": 0}
for word, count in counts.items():
    if count >= cfg["data"].getint("min_count"):
        vocab[word] = len(vocab)


def collate(tickets):
    ids, offsets = [], []
    for words, _ in tickets:
        offsets.append(len(ids))
        ids.extend(vocab.get(word, 0) for word in words)
    labels = torch.tensor([label for _, label in tickets])
    return torch.tensor(ids), torch.tensor(offsets), labels


class TicketRouter(nn.Module):
    def __init__(self, vocab_size, dim, dropout):
        super().__init__()
        self.embed = nn.EmbeddingBag(vocab_size, dim, mode="sum")
        nn.init.normal_(self.embed.weight, std=0.1)
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(dim, len(TEAMS))

    def forward(self, ids, offsets):
        return self.out(self.dropout(self.embed(ids, offsets)))


model = TicketRouter(
    len(vocab), cfg["model"].getint("embedding"), cfg["model"].getfloat("dropout")
)

opts = cfg["training"]
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(
    model.parameters(),
    lr=opts.getfloat("learning_rate"),
    weight_decay=opts.getfloat("weight_decay"),
)


@torch.no_grad()
def report():
    model.eval()
    ids, offsets, labels = collate(test)
    pred = model(ids, offsets).argmax(dim=1)
    recalls = []
    for k, team in enumerate(TEAMS):
        hit = ((pred == k) & (labels == k)).sum().item()
        recall = hit / (labels == k).sum().item()
        precision = hit / max(1, (pred == k).sum().item())
        recalls.append(recall)
        print(f"  {team:9s} recall {recall:.3f}  precision {precision:.3f}")
    accuracy = (pred == labels).float().mean().item()
    print(f"  accuracy {accuracy:.3f}  balanced accuracy {sum(recalls) / len(recalls):.3f}")


batch_size = opts.getint("batch_size")
for epoch in range(1, opts.getint("epochs") + 1):
    model.train()
    random.shuffle(train)
    running = 0.0
    for start in range(0, len(train), batch_size):
        ids, offsets, labels = collate(train[start : start + batch_size])
        loss = criterion(model(ids, offsets), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss.item()
    if epoch % 4 == 0:
        print(f"epoch {epoch}  loss {running / (len(train) / batch_size):.3f}")
        report()
