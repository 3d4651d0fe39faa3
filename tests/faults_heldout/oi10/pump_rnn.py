"""Dose delivered by an infusion pump from flow and valve traces."""
import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(4)
z = np.load("pump.npz")
x = torch.tensor(z["x"], dtype=torch.float32)
y = torch.tensor(z["y"], dtype=torch.float32)
n_train = 1100
mu, sd = y[:n_train].mean(), y[:n_train].std()
y = (y - mu) / sd
x_train, y_train, x_test, y_test = x[:n_train], y[:n_train], x[n_train:], y[n_train:]


class DoseNet(nn.Module):
    def __init__(self, d_in=2, hidden=40):
        super().__init__()
        self.rnn = nn.RNN(d_in, hidden, nonlinearity="relu", batch_first=True)
        self.out = nn.Linear(hidden, 1)
        nn.init.orthogonal_(self.rnn.weight_hh_l0)

    def forward(self, seq):
        states, _ = self.rnn(seq)
        return self.out(states[:, -1]).squeeze(-1)


net = DoseNet()
opt = torch.optim.SGD(net.parameters(), lr=3e-3, momentum=0.9)
mse = nn.MSELoss()
for epoch in range(1, 13):
    net.train()
    total = 0.0
    for idx in torch.randperm(n_train).split(50):
        loss = mse(net(x_train[idx]), y_train[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
    net.eval()
    with torch.no_grad():
        test = mse(net(x_test), y_test).item()
    print(f"epoch {epoch:2d} train mse {total / n_train:.4g} test mse {test:.4g}")
