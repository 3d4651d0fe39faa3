#!/usr/bin/env python
import configparser

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from autoenc import AutoEncoder

ini = configparser.ConfigParser()
ini.read("run.ini")
torch.manual_seed(ini.getint("train", "seed"))

z = np.load(ini["data"]["file"])
train = torch.from_numpy(z["train"].astype(np.float32) / 16.0)[:, None]
test = torch.from_numpy(z["test"].astype(np.float32) / 16.0)[:, None]
mean = train.mean(0)
print("variance around the mean image (test): %.4f" % ((test - mean) ** 2).mean())

batch = ini.getint("data", "batch")
rate = ini.getfloat("rate", "base") * batch / ini.getfloat("rate", "base_batch")
net = AutoEncoder(ini.getint("train", "code"))
optim = torch.optim.Adam(net.parameters(), lr=rate)
loader = DataLoader(TensorDataset(train), batch_size=batch, shuffle=True, drop_last=True)

for epoch in range(1, ini.getint("train", "epochs") + 1):
    net.train()
    tot = 0.0
    for (x,) in loader:
        err = ((net(x) - x) ** 2).mean()
        optim.zero_grad()
        err.backward()
        optim.step()
        tot += err.item()
    if epoch % 5 == 0:
        net.eval()
        with torch.no_grad():
            te = ((net(test) - test) ** 2).mean().item()
        print("epoch %3d  train mse %.4f  test mse %.4f" % (epoch, tot / len(loader), te))
