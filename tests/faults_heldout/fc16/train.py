import random
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

random.seed(2)
torch.manual_seed(2)

MAX_LEN = 64
EPOCHS = 6

names = (Path(__file__).parent / "places.txt").read_text().split("\n")
names = [n for n in names if n]
alphabet = sorted(set("".join(names)))
PAD, BOS, EOS = 0, 1, 2
char_id = {c: i + 3 for i, c in enumerate(alphabet)}
id_char = {i: c for c, i in char_id.items()}


class PlaceNames(Dataset):
    def __init__(self, items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, idx):
        seq = [BOS] + [char_id[c] for c in self.items[idx]] + [EOS]
        seq = seq + [PAD] * (MAX_LEN + 1 - len(seq))
        seq = torch.tensor(seq)
        return seq[:-1], seq[1:]


class NameGRU(nn.Module):
    def __init__(self, n_symbols, emb=24, hidden=80):
        super().__init__()
        self.emb = nn.Embedding(n_symbols, emb, padding_idx=PAD)
        self.gru = nn.GRU(emb, hidden, batch_first=True)
        self.out = nn.Linear(hidden, n_symbols)

    def forward(self, x, h=None):
        y, h = self.gru(self.emb(x), h)
        return self.out(y), h


def sequence_loss(logits, target):
    return F.cross_entropy(logits.transpose(1, 2), target)


@torch.no_grad()
def validate(model, loader):
    model.eval()
    loss, hit, chars = 0.0, 0, 0
    for x, y in loader:
        logits, _ = model(x)
        loss += sequence_loss(logits, y).item()
        real = y > 0
        hit += (logits.argmax(-1) == y)[real].sum().item()
        chars += real.sum().item()
    return loss / len(loader), hit / chars


@torch.no_grad()
def sample(model, temperature=0.8):
    model.eval()
    token, h, out = BOS, None, []
    while len(out) < MAX_LEN:
        logits, h = model(torch.tensor([[token]]), h)
        token = torch.multinomial(F.softmax(logits[0, -1] / temperature, -1), 1).item()
        if token in (PAD, EOS):
            break
        out.append(id_char.get(token, "?"))
    return "".join(out)


random.shuffle(names)
n_valid = 400
train_loader = DataLoader(PlaceNames(names[n_valid:]), batch_size=64, shuffle=True)
valid_loader = DataLoader(PlaceNames(names[:n_valid]), batch_size=100)

model = NameGRU(len(alphabet) + 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.3, momentum=0.9)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=EPOCHS * len(train_loader))

for epoch in range(1, EPOCHS + 1):
    model.train()
    total = 0.0
    for x, y in train_loader:
        logits, _ = model(x)
        loss = sequence_loss(logits, y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()
        scheduler.step()
        total += loss.item()
    val_loss, val_acc = validate(model, valid_loader)
    print(f"epoch {epoch}: train loss {total / len(train_loader):.4f}, valid loss {val_loss:.4f}, "
          f"next-char acc {val_acc:.3f}")

print(", ".join(sample(model) for _ in range(8)))
