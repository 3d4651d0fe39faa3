import numpy as np
import torch

torch.manual_seed(33)
table = np.loadtxt("flats.tsv", skiprows=1, delimiter="\t").astype("float32")
table = torch.from_numpy(table[np.random.default_rng(33).permutation(len(table))])
X, price = table[:, :5], table[:, 5]
N = 1150
x_mean, x_std = X[:N].mean(0), X[:N].std(0)
p_mean, p_std = price[:N].mean(), price[:N].std()


class PriceModel(torch.nn.Module):
    """Returns euros; the standardisation lives inside the model."""

    def __init__(self):
        super().__init__()
        self.mlp = torch.nn.Sequential(
            torch.nn.Linear(5, 32), torch.nn.GELU(), torch.nn.Linear(32, 32), torch.nn.GELU(), torch.nn.Linear(32, 1))

    def forward(self, x):
        return self.mlp((x - x_mean) / x_std).squeeze(-1) * p_std + p_mean


model = PriceModel()
EPOCHS, BATCH = 30, 50
opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-2)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=1e-2, total_steps=EPOCHS * (N // BATCH))

for epoch in range(1, EPOCHS + 1):
    model.train()
    sse = 0.0
    for idx in torch.randperm(N).split(BATCH):
        loss = ((model(X[idx]) - price[idx]) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        sse += loss.item() * len(idx)
    if epoch % 3 == 0:
        model.eval()
        with torch.no_grad():
            e = model(X[N:]) - price[N:]
        print(f"{epoch} train MSE {sse / N:.4e}  test MSE {e.pow(2).mean():.4e}  test MAE {e.abs().mean():,.0f} EUR")
