import argparse
from pathlib import Path

import torch
from torch.nn.functional import binary_cross_entropy_with_logits as bce

from reader import TicketReader
from texts import batches, load_encoded, load_vocab

here = Path(__file__).resolve().parent

ap = argparse.ArgumentParser(description="urgency of support tickets")
ap.add_argument("--tickets", default="tickets/encoded.npz")
ap.add_argument("--vocab", default="tickets/vocab.json")
ap.add_argument("--epochs", type=int, default=10)
ap.add_argument("--lr", type=float, default=4e-3)
ap.add_argument("--batch", type=int, default=48)
ap.add_argument("--seed", type=int, default=90)
opt = ap.parse_args()

torch.manual_seed(opt.seed)
vocab = load_vocab(here / opt.vocab)
train, val = load_encoded(here / opt.tickets)
model = TicketReader(len(vocab["tokens"]), pad_id=vocab["special"]["pad"])
optimizer = torch.optim.AdamW(model.parameters(), lr=opt.lr, weight_decay=1e-2)
total = opt.epochs * -(-len(train[0]) // opt.batch)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, opt.lr, total_steps=total)

for epoch in range(opt.epochs):
    model.train()
    seen = 0.0
    for ids, urgent in batches(*train, opt.batch, shuffle=True):
        loss = bce(model(ids), urgent)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        seen += loss.item() * len(ids)

    model.eval()
    with torch.no_grad():
        logit = torch.cat([model(ids) for ids, _ in batches(*val, 256, shuffle=False)])
    acc = ((logit > 0) == (val[1] > 0.5)).float().mean()
    print(f"{epoch + 1:2d}/{opt.epochs}  train {seen / len(train[0]):.4f}  val {bce(logit, val[1]):.4f}  acc {acc:.3f}")
