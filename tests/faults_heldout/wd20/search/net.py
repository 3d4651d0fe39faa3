import torch
from torch import nn


class StrengthNet(nn.Module):
    """Takes raw mix columns and answers in MPa."""

    def __init__(self, n_in, hidden, layers, dropout, y_mean, y_std):
        super().__init__()
        mods, width = [nn.BatchNorm1d(n_in)], n_in
        for _ in range(layers):
            mods += [nn.Linear(width, hidden), nn.SiLU(), nn.Dropout(dropout)]
            width = hidden
        self.net = nn.Sequential(*mods, nn.Linear(width, 1))
        self.register_buffer("y_mean", y_mean)
        self.register_buffer("y_std", y_std)

    def forward(self, x):
        return self.y_mean + self.y_std * self.net(x).squeeze(1)


def fit(x, y, hp, epochs, batch_size, log=None):
    model = StrengthNet(x.shape[1], hp["hidden"], hp["layers"], hp["dropout"], y.mean(), y.std())
    opt = torch.optim.Adam(model.parameters(), lr=hp["lr"])
    n_batches = len(x) // batch_size
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, hp["lr"], total_steps=epochs * n_batches)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        order = torch.randperm(len(x))[: n_batches * batch_size]
        for idx in order.split(batch_size):
            loss = nn.functional.mse_loss(model(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item()
        if log and (epoch + 1) % 5 == 0:
            log(f"  epoch {epoch + 1:3d}  train mse {total / n_batches:8.3f} MPa^2")
    return model


@torch.no_grad()
def rmse(model, x, y):
    model.eval()
    return nn.functional.mse_loss(model(x), y).sqrt().item()
