import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_diabetes

torch.manual_seed(0)
rng = np.random.default_rng(0)


def gaussian_nll(mu, log_var, target):
    inv = torch.exp(-log_var)
    return 0.5 * (log_var + inv * (target - mu) ** 2).mean()


class HeteroscedasticNet(nn.Module):
    """Predicts a mean and a log-variance per sample."""

    def __init__(self, n_in):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_in, 32), nn.Tanh(), nn.Dropout(0.1), nn.Linear(32, 16), nn.Tanh()
        )
        self.out = nn.Linear(16, 2)

    def forward(self, x):
        mu, log_var = self.out(self.body(x)).chunk(2, dim=-1)
        return mu, log_var.clamp(-5.0, 5.0)


def prepare(test_share=0.25):
    x, y = load_diabetes(return_X_y=True)
    order = rng.permutation(len(y))
    n_test = int(test_share * len(y))
    te, tr = order[:n_test], order[n_test:]
    mx, sx = x[tr].mean(0), x[tr].std(0)
    my, sy = y[tr].mean(), y[tr].std()
    to = lambda a: torch.tensor(a, dtype=torch.float32)
    return to((x[tr] - mx) / sx), to((y[tr] - my) / sy), to((x[te] - mx) / sx), to((y[te] - my) / sy), sy


x_train, y_train, x_test, y_test, scale = prepare()
net = HeteroscedasticNet(x_train.shape[1])
opt = torch.optim.Adamax(net.parameters(), lr=4e-3, weight_decay=1e-4)

EPOCHS, BATCH = 80, 32
for epoch in range(1, EPOCHS + 1):
    net.train()
    total = 0.0
    order = torch.randperm(len(x_train))
    for lo in range(0, len(order), BATCH):
        idx = order[lo:lo + BATCH]
        mu, log_var = net(x_train[idx])
        loss = gaussian_nll(mu, log_var, y_train[idx])
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)

    if epoch % 8 == 0:
        net.eval()
        with torch.no_grad():
            mu, log_var = net(x_test)
        m, s = mu.numpy().ravel(), np.exp(0.5 * log_var.numpy().ravel())
        t = y_test.numpy()
        rmse = scale * np.sqrt(np.mean((m - t) ** 2))
        r2 = 1 - np.sum((m - t) ** 2) / np.sum((t - t.mean()) ** 2)
        cover = np.mean(np.abs(m - t) < 1.645 * s)
        print(f"epoch {epoch:3d}  nll {total / len(x_train):.4f}  test rmse {rmse:6.2f}  r2 {r2:+.3f}  90% coverage {cover:.2f}")
