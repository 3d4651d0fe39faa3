# Disease progression one year after baseline: linear score, so that the clinic
# can read the coefficients. Target is fitted in standard units and reported in
# the original ones.
import numpy as np
import torch
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split

rng = 7
torch.manual_seed(rng)

data = load_diabetes(scaled=False)
X_train, X_val, y_train, y_val = train_test_split(data.data, data.target, test_size=0.25, random_state=rng)

mu, sd = X_train.mean(0), X_train.std(0)
ym, ys = y_train.mean(), y_train.std()


def tensor(a):
    return torch.as_tensor(np.asarray(a), dtype=torch.float32)


xt, xv = tensor((X_train - mu) / sd), tensor((X_val - mu) / sd)
yt, yv = tensor((y_train - ym) / ys), tensor(y_val)

model = torch.nn.Linear(xt.shape[1], 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, weight_decay=1e-2)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.98)
batch = 32


def r2(pred, target):
    return 1 - ((pred - target) ** 2).sum() / ((target - target.mean()) ** 2).sum()


for epoch in range(1, 151):
    order = torch.randperm(len(xt))
    loss_sum = 0.0
    for start in range(0, len(xt), batch):
        rows = order[start:start + batch]
        pred = model(xt[rows]).squeeze(1)
        loss = ((pred - yt[rows]) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        loss_sum += loss.item() * len(rows)
    scheduler.step()

    if epoch == 1 or epoch % 15 == 0:
        with torch.no_grad():
            pred = model(xv).squeeze(1) * ys + ym
            mae = (pred - yv).abs().mean()
            print(f"epoch {epoch:3d} | train mse (std units) {loss_sum / len(xt):.4f} "
                  f"| val R2 {r2(pred, yv):.3f} | val MAE {mae:.1f}")

print("\ncoefficients (per standard deviation, in points)")
for name, w in sorted(zip(data.feature_names, model.weight[0].tolist()), key=lambda t: -abs(t[1])):
    print(f"  {name:4s} {w * ys:+7.2f}")

baseline = (yv - float(ym)).abs().mean()
print(f"\nMAE of always answering the training mean: {baseline:.1f}")
