"""Route customer mail to a desk. Streams jsonl parts listed in corpus/parts.txt."""
import json
import pathlib
import random
import re
import zlib

import torch
from torch import nn

ROOT = pathlib.Path("corpus")
DESKS = ["billing", "delivery", "returns", "technical", "account"]
BUCKETS, DIM, BATCH, EPOCHS, LR = 4096, 24, 25, 5, 1.5e-2
random.seed(40)
torch.manual_seed(40)


def encode(text):
    words = re.findall(r"[a-z]+", text.lower())
    return [zlib.crc32(w.encode()) % BUCKETS for w in words]


def read(name):
    with open(ROOT / name) as fh:
        for line in fh:
            rec = json.loads(line)
            yield encode(rec["body"]), DESKS.index(rec["desk"])


def stream(parts, buffer=400):
    """Shuffle the parts, then shuffle records through a buffer."""
    parts = random.sample(parts, len(parts))
    pool = []
    for part in parts:
        for rec in read(part):
            pool.append(rec)
            if len(pool) >= buffer:
                j = random.randrange(len(pool))
                pool[j], pool[-1] = pool[-1], pool[j]
                yield pool.pop()
    random.shuffle(pool)
    yield from pool


def batches(records):
    chunk = []
    for rec in records:
        chunk.append(rec)
        if len(chunk) == BATCH:
            yield collate(chunk)
            chunk = []
    if chunk:
        yield collate(chunk)


def collate(chunk):
    flat = torch.tensor([t for ids, _ in chunk for t in ids])
    starts = torch.tensor([0] + [len(ids) for ids, _ in chunk[:-1]]).cumsum(0)
    return flat, starts, torch.tensor([d for _, d in chunk])


class Router(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = nn.EmbeddingBag(BUCKETS, DIM, mode="mean")
        self.drop = nn.Dropout(0.3)
        self.fc = nn.Linear(DIM, len(DESKS))

    def forward(self, flat, starts):
        return self.fc(self.drop(self.bag(flat, starts)))


def validate(net, held):
    net.eval()
    with torch.no_grad():
        flat, starts, y = held
        out = net(flat, starts)
    net.train()
    return nn.functional.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


parts = (ROOT / "parts.txt").read_text().split()
held = collate(list(read("held_out.jsonl")))
net = Router()
opt = torch.optim.Adam(net.parameters(), lr=LR)
print(len(parts), "parts,", len(held[2]), "held-out mails")
for epoch in range(EPOCHS):
    total, count = 0.0, 0
    for flat, starts, y in batches(stream(parts)):
        loss = nn.functional.cross_entropy(net(flat, starts), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(y)
        count += len(y)
    vl, va = validate(net, held)
    print(f"epoch {epoch + 1}: {count} mails, loss {total / count:.3f}, held-out loss {vl:.3f}, accuracy {va:.3f}")
