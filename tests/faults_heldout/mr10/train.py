import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from notes import N_SYMBOLS, MelodyDataset, MelodyTransformer

parser = argparse.ArgumentParser()
parser.add_argument("--length", type=int, default=20)
parser.add_argument("--epochs", type=int, default=8)
parser.add_argument("--batch_size", type=int, default=64)
parser.add_argument("--lr", type=float, default=2e-3)
parser.add_argument("--seed", type=int, default=14)
args = parser.parse_args()

torch.manual_seed(args.seed)
train_data = MelodyDataset(4000, args.length, args.seed)
valid_data = MelodyDataset(300, args.length, args.seed + 1000)
train_loader = DataLoader(train_data, batch_size=args.batch_size, shuffle=True)
valid_loader = DataLoader(valid_data, batch_size=300)

model = MelodyTransformer(N_SYMBOLS, args.length)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.01)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.lr, epochs=args.epochs, steps_per_epoch=len(train_loader))


def validate():
    model.eval()
    with torch.no_grad():
        inp, tgt = next(iter(valid_loader))
        loss = criterion(model(inp).flatten(0, 1), tgt.flatten()).item()
        cut = args.length - 8
        future = model.continue_tune(inp[:, :cut], 8)
        right = (future == tgt[:, cut - 1:cut + 7]).float().mean().item()
    return loss, right


for epoch in range(1, args.epochs + 1):
    model.train()
    total = 0.0
    for inp, tgt in train_loader:
        logits = model(inp)
        loss = criterion(logits.flatten(0, 1), tgt.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        total += loss.item()
    vloss, right = validate()
    print(f"epoch {epoch}: train loss {total / len(train_loader):.4f}, valid loss {vloss:.4f}, continuation accuracy {right:.3f}")
