import json
from pathlib import Path

import torch
from torch import nn

from classifier import TicketClassifier
from corpus import Tickets, Vocabulary

HERE = Path(__file__).resolve().parent
cfg = json.loads((HERE / "config.json").read_text())
torch.manual_seed(cfg["seed"])

tickets = Tickets(HERE / cfg["corpus"])
train_texts, y_train = tickets.split(cfg["train_split"])
val_texts, y_val = tickets.split(cfg["val_split"])
vocab = Vocabulary(train_texts, cfg["min_count"])
x_train, x_val = vocab.encode(train_texts), vocab.encode(val_texts)
print(f"{len(y_train)} tickets for training, {len(y_val)} for validation, {len(vocab)} words, trades {tickets.trades}")

model = TicketClassifier(len(vocab), len(tickets.trades), cfg["dim"], cfg["dropout"])
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.05, total_iters=cfg["epochs"])


def evaluate(x, y):
    model.eval()
    with torch.no_grad():
        logits = model(x)
    return criterion(logits, y).item(), (logits.argmax(1) == y).float().mean().item()


for epoch in range(cfg["epochs"]):
    model.train()
    for batch in torch.randperm(len(y_train)).split(cfg["batch_size"]):
        optimizer.zero_grad()
        loss = criterion(model(x_train[batch]), y_train[batch])
        loss.backward()
        optimizer.step()
    scheduler.step()
    train_loss, train_acc = evaluate(x_train, y_train)
    val_loss, val_acc = evaluate(x_val, y_val)
    print(f"{epoch + 1:2d}  train {train_loss:.3f} / {train_acc:.3f}   validation {val_loss:.3f} / {val_acc:.3f}")

print(f"validation accuracy {val_acc:.3f}")
