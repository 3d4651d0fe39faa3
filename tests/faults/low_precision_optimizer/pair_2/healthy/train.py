import configparser
from pathlib import Path

import torch
from sklearn.datasets import load_digits
from torch import nn

config = configparser.ConfigParser()
config.read(Path(__file__).with_name("train.ini"))
run = config["run"]
DTYPE = getattr(torch, run.get("dtype", "float32"))
torch.manual_seed(run.getint("seed", 0))

data = load_digits()
order = torch.randperm(len(data.target))
x = torch.tensor(data.data / 16.0)[order].to(DTYPE)
y = torch.tensor(data.target)[order]
x_train, y_train, x_val, y_val = x[:1400], y[:1400], x[1400:], y[1400:]

model = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, 96), nn.ReLU(), nn.Linear(96, 10)).to(DTYPE)
optimizer = torch.optim.AdamW(
    model.parameters(),
    lr=run.getfloat("lr"),
    betas=(run.getfloat("beta1", 0.9), run.getfloat("beta2", 0.999)),
    eps=run.getfloat("eps", 1e-8),
    weight_decay=run.getfloat("weight_decay", 0.0),
)

size = run.getint("batch_size", 32)
for epoch in range(run.getint("epochs")):
    shuffled = torch.randperm(len(x_train))
    epoch_loss = 0.0
    for batch in shuffled.split(size):
        logits = model(x_train[batch])
        loss = nn.functional.cross_entropy(logits.float(), y_train[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item() * len(batch)
    with torch.no_grad():
        val_logits = model(x_val).float()
        accuracy = (val_logits.argmax(1) == y_val).float().mean().item()
    print(f"{epoch:3d}  {epoch_loss / len(x_train):.4f}  {accuracy:.4f}")
