"""Net output of a combined cycle plant from ambient conditions."""
import configparser

import pandas as pd
import torch
import torch.nn as nn

ini = configparser.ConfigParser()
ini.read("run.ini")
opts = ini["train"]
torch.manual_seed(opts.getint("seed"))

table = pd.read_csv(ini["data"]["csv"])
values = torch.tensor(table.to_numpy(), dtype=torch.float32)
order = torch.randperm(len(values), generator=torch.Generator().manual_seed(123))
n_train = int(ini["data"].getfloat("train_fraction") * len(values))
train, test = values[order[:n_train]], values[order[n_train:]]
mean, std = train.mean(0), train.std(0)
train, test = (train - mean) / std, (test - mean) / std

net = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(net.parameters(), lr=opts.getfloat("lr"))
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, opts.getint("epochs"))

optimizer.zero_grad()
for epoch in range(opts.getint("epochs")):
    net.train()
    running = 0.0
    for rows in torch.randperm(n_train).split(opts.getint("batch")):
        x, y = train[rows, :4], train[rows, 4:]
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
        running += loss.item() * len(rows)
    scheduler.step()

    net.eval()
    with torch.no_grad():
        test_loss = criterion(net(test[:, :4]), test[:, 4:]).item()
    print(f"epoch {epoch + 1:2d}: train {running / n_train:.4f}  test {test_loss:.4f}  "
          f"rmse {test_loss ** 0.5 * std[4].item():.2f} MW")
