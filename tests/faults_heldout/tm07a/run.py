import json
from pathlib import Path

import pandas as pd
import torch
from sklearn.metrics import cohen_kappa_score, mean_absolute_error
from torch.utils.data import DataLoader, TensorDataset

from ordinal import GradeNet, ordinal_loss, to_grade

cfg = json.loads(Path("settings.json").read_text())
torch.manual_seed(cfg["seed"])

table = pd.read_csv("logs.csv").sample(frac=1.0, random_state=cfg["seed"])
n_test = 500
test, train = table.iloc[:n_test], table.iloc[n_test:]
if cfg["max_train_rows"]:
    train = train.iloc[:cfg["max_train_rows"]]
columns = [c for c in table.columns if c != "grade"]
mean, std = train[columns].mean(), train[columns].std()


def tensors(part):
    x = torch.tensor(((part[columns] - mean) / std).values, dtype=torch.float32)
    return x, torch.tensor(part["grade"].values - 1)


x_train, y_train = tensors(train)
x_test, y_test = tensors(test)
loader = DataLoader(TensorDataset(x_train, y_train), batch_size=cfg["batch_size"], shuffle=True)

model = GradeNet(len(columns), 5, cfg["hidden"], cfg["dropout"])
optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, cfg["lr"], total_steps=cfg["steps"])


def report(step):
    model.eval()
    with torch.no_grad():
        out_train, out_test = model(x_train), model(x_test)
    model.train()
    print(f"step {step:5d}  loss {ordinal_loss(out_train, y_train):.4f} / {ordinal_loss(out_test, y_test):.4f}  "
          f"kappa {cohen_kappa_score(y_train, to_grade(out_train), weights='quadratic'):.3f} / "
          f"{cohen_kappa_score(y_test, to_grade(out_test), weights='quadratic'):.3f}  "
          f"MAE {mean_absolute_error(y_test, to_grade(out_test)):.3f}")


print(f"{len(x_train)} logs for training, {len(x_test)} for test (train / test below)")
step = 0
while step < cfg["steps"]:
    for x, y in loader:
        optimizer.zero_grad()
        loss = ordinal_loss(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
        step += 1
        if step % 100 == 0:
            report(step)
        if step == cfg["steps"]:
            break
