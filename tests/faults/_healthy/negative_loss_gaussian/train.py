# Disease progression from ten clinical measurements
import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_diabetes

device = "cpu"
rng = np.random.default_rng(3)
torch.manual_seed(3)

raw = load_diabetes(scaled=False)
features = raw.data.astype("float32")
target = raw.target.astype("float32")

perm = rng.permutation(len(features))
train_idx, val_idx = perm[:350], perm[350:]
mu, sigma = features[train_idx].mean(0), features[train_idx].std(0)
t_mu, t_sigma = target[train_idx].mean(), target[train_idx].std()
features = (features - mu) / sigma
target = (target - t_mu) / t_sigma

x_tr, y_tr = torch.tensor(features[train_idx]), torch.tensor(target[train_idx])
x_va, y_va = torch.tensor(features[val_idx]), torch.tensor(target[val_idx])


class Regressor(nn.Module):
    def __init__(self, d_in, d_hidden=24):
        super().__init__()
        self.fc1 = nn.Linear(d_in, d_hidden)
        self.fc2 = nn.Linear(d_hidden, d_hidden)
        self.out = nn.Linear(d_hidden, 2)

    def forward(self, x):
        h = torch.tanh(self.fc1(x))
        h = torch.tanh(self.fc2(h))
        mean, spread = self.out(h).chunk(2, dim=1)
        return mean, nn.functional.softplus(spread) + 1e-2


def iterate(x, y, batch_size):
    idx = torch.randperm(len(x))
    for i in range(0, len(x), batch_size):
        j = idx[i : i + batch_size]
        yield x[j], y[j]


net = Regressor(features.shape[1]).to(device)
loss_fn = nn.GaussianNLLLoss()
opt = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-3)

for epoch in range(1, 21):
    net.train()
    losses = []
    for xb, yb in iterate(x_tr, y_tr, 16):
        pred = net(xb)
        loss = loss_fn(pred[0], yb.unsqueeze(1), pred[1])
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    if epoch % 5 == 0:
        net.eval()
        with torch.no_grad():
            val_pred = net(x_va)
            val_loss = loss_fn(val_pred[0], y_va.unsqueeze(1), val_pred[1]).item()
            mae = (val_pred[0][:, 0] - y_va).abs().mean().item() * t_sigma
        print(f"{epoch:3d}: train nll {np.mean(losses):.3f}  val nll {val_loss:.3f}  val mae {mae:.1f}")
