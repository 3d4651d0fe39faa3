"""Sale prices of houses in dollars, squared error in dollars."""
import numpy as np
import pandas as pd
import torch
import torch.nn as nn

SEED = 12
rng = np.random.default_rng(SEED)
torch.manual_seed(SEED)

# ---- table of sales
n = 3000
df = pd.DataFrame({
    "area": rng.gamma(9.0, 200.0, n),
    "rooms": rng.integers(2, 9, n),
    "year": rng.integers(1920, 2021, n),
    "lot": rng.lognormal(8.6, 0.5, n),
    "quality": rng.integers(1, 11, n),
    "zone": rng.choice(["centre", "north", "lake", "industrial"], n, p=[0.3, 0.4, 0.1, 0.2]),
})
zone_factor = df.zone.map({"centre": 1.25, "north": 1.0, "lake": 1.7, "industrial": 0.75})
price = zone_factor * (95 * df.area * (0.6 + 0.08 * df.quality) + 9000 * df.rooms + 350 * (df.year - 1920) + 2.5 * df.lot)
df["price"] = price * rng.lognormal(0, 0.06, n)

train, test = df.iloc[:2400], df.iloc[2400:]
numeric = ["area", "rooms", "year", "lot", "quality"]
zones = sorted(df.zone.unique())


def to_tensors(part):
    x = torch.tensor(part[numeric].to_numpy(dtype=np.float32))
    z = torch.tensor([zones.index(v) for v in part.zone])
    return x, z, torch.tensor(part.price.to_numpy(dtype=np.float32))


class PriceNet(nn.Module):
    """Takes raw columns and returns dollars; the scaling lives in the network."""

    def __init__(self, x, y):
        super().__init__()
        self.register_buffer("x_mean", x.mean(0))
        self.register_buffer("x_std", x.std(0))
        self.register_buffer("y_mean", y.mean())
        self.register_buffer("y_std", y.std())
        self.zone = nn.Embedding(len(zones), 4)
        self.net = nn.Sequential(nn.Linear(len(numeric) + 4, 64), nn.GELU(), nn.Linear(64, 64), nn.GELU(), nn.Linear(64, 1))

    def forward(self, x, z):
        x = (x - self.x_mean) / self.x_std
        out = self.net(torch.cat([x, self.zone(z)], dim=1)).squeeze(1)
        return self.y_mean + self.y_std * out


x_train, z_train, y_train = to_tensors(train)
x_test, z_test, y_test = to_tensors(test)
model = PriceNet(x_train, y_train)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=20, gamma=0.3)

for epoch in range(60):
    shuffled = torch.randperm(len(x_train))
    total = 0.0
    for idx in shuffled.split(60):
        residual = model(x_train[idx], z_train[idx]) - y_train[idx]
        loss = (residual * residual).mean()
        model.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    scheduler.step()
    if (epoch + 1) % 6 == 0 or epoch == 0:
        with torch.no_grad():
            pred = model(x_test, z_test)
        rmse = (pred - y_test).pow(2).mean().sqrt().item()
        mape = ((pred - y_test).abs() / y_test).mean().item()
        print(f"epoch {epoch + 1:2d}  train mse {total / len(x_train):.4g}  test rmse ${rmse:,.0f}  mean error {100 * mape:.1f}%")

print(f"std of the test prices ${y_test.std().item():,.0f}")
