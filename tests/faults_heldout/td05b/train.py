import argparse
import copy

import pandas as pd
import torch
from torch import nn

TARGET = "churned"


def table(name):
    df = pd.read_csv(name).drop(columns="customer_id")
    y = torch.tensor(df.pop(TARGET).values, dtype=torch.float32)
    return torch.tensor(df.values, dtype=torch.float32), y


def score(model, x, y, loss_fn):
    model.eval()
    with torch.no_grad():
        logit = model(x).squeeze(1)
    return loss_fn(logit, y).item(), ((logit > 0).float() == y).float().mean().item()


parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=1e-3)
parser.add_argument("--batch", type=int, default=32)
parser.add_argument("--max-epochs", type=int, default=150)
parser.add_argument("--patience", type=int, default=8)
parser.add_argument("--seed", type=int, default=0)
opts = parser.parse_args()
torch.manual_seed(opts.seed)

x_train, y_train = table("train.csv")
x_valid, y_valid = table("valid.csv")
x_test, y_test = table("test.csv")
mu, sd = x_train.mean(0), x_train.std(0)
x_train, x_valid, x_test = [(x - mu) / sd for x in (x_train, x_valid, x_test)]

model = nn.Sequential(
    nn.Linear(x_train.shape[1], 64), nn.ReLU(),
    nn.Dropout(0.1),
    nn.Linear(64, 64), nn.ReLU(),
    nn.Linear(64, 1),
)
loss_fn = nn.BCEWithLogitsLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=opts.lr, weight_decay=1e-2)

best, best_state, waited = float("inf"), None, 0
for epoch in range(1, opts.max_epochs + 1):
    model.train()
    total = 0.0
    for idx in torch.randperm(len(x_train)).split(opts.batch):
        loss = loss_fn(model(x_train[idx]).squeeze(1), y_train[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    valid_loss, valid_acc = score(model, x_valid, y_valid, loss_fn)
    print(f"epoch {epoch:3d}  train {total / len(x_train):.4f}  valid {valid_loss:.4f}  valid acc {valid_acc:.3f}")
    if valid_loss < best:
        best, waited = valid_loss, 0
        best_state = copy.deepcopy(model.state_dict())
    else:
        waited += 1
        if waited >= opts.patience:
            print("early stop")
            break

model.load_state_dict(best_state)
valid_loss, valid_acc = score(model, x_valid, y_valid, loss_fn)
test_loss, test_acc = score(model, x_test, y_test, loss_fn)
print(f"best model  valid {valid_loss:.4f} / {valid_acc:.3f}  test {test_loss:.4f} / {test_acc:.3f}")
