# Surname -> language, character GRU. Runs with AMP on the GPU box and in plain fp32 on the laptop.
import random
import time

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

SEED = 20
EPOCHS = 12
BATCH = 64
LR = 2e-3

random.seed(SEED)
torch.manual_seed(SEED)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
use_amp = device.type == "cuda"

rows = [line.rstrip("\n").split("\t") for line in open("surnames.tsv", encoding="utf-8")]
chars = sorted({c for name, _ in rows for c in name})
langs = sorted({lang for _, lang in rows})
stoi = {c: i + 1 for i, c in enumerate(chars)}
data = [(torch.tensor([stoi[c] for c in name]), langs.index(lang)) for name, lang in rows]
random.shuffle(data)
n_val = len(data) // 5
val, train = data[:n_val], data[n_val:]
print(f"{len(train)} train / {len(val)} val names, {len(langs)} languages, {len(chars)} characters")


class NameGRU(nn.Module):
    def __init__(self, vocab, n_out, emb=24, hidden=64):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb, padding_idx=0)
        self.rnn = nn.GRU(emb, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, n_out)

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.emb(ids), lengths, batch_first=True, enforce_sorted=False)
        _, h = self.rnn(packed)
        return self.out(torch.cat([h[0], h[1]], dim=1))


def batches(items, shuffle):
    order = list(range(len(items)))
    if shuffle:
        random.shuffle(order)
    for i in range(0, len(order), BATCH):
        chunk = [items[j] for j in order[i:i + BATCH]]
        ids = pad_sequence([c[0] for c in chunk], batch_first=True).to(device)
        lengths = torch.tensor([len(c[0]) for c in chunk])
        labels = torch.tensor([c[1] for c in chunk], device=device)
        yield ids, lengths, labels


model = NameGRU(len(chars) + 1, len(langs)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=LR)
scaler = torch.amp.GradScaler(enabled=use_amp)
criterion = nn.CrossEntropyLoss()

for epoch in range(EPOCHS):
    t0 = time.time()
    model.train()
    running = 0.0
    for ids, lengths, labels in batches(train, shuffle=True):
        optimizer.zero_grad(set_to_none=True)
        if use_amp:
            with torch.autocast("cuda", dtype=torch.float16):
                loss = criterion(model(ids, lengths), labels)
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            scaler.step(optimizer)
            scaler.update()
        else:
            loss = criterion(model(ids, lengths), labels)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        running += loss.item() * len(labels)

    model.eval()
    hits = 0
    val_loss = 0.0
    with torch.no_grad():
        for ids, lengths, labels in batches(val, shuffle=False):
            logits = model(ids, lengths)
            val_loss += criterion(logits, labels).item() * len(labels)
            hits += (logits.argmax(1) == labels).sum().item()
    print(f"epoch {epoch + 1:2d} | train {running / len(train):.4f} | val {val_loss / len(val):.4f} "
          f"| acc {hits / len(val):.3f} | {time.time() - t0:.1f}s")
