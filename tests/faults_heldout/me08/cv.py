# Disease progression after one year (442 patients): cross-validated network against ridge regression.
import numpy as np
import torch
from sklearn.datasets import load_diabetes
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import KFold
from torch import nn

X, y = load_diabetes(return_X_y=True, scaled=False)
X, y = X.astype(np.float32), y.astype(np.float32)
FOLDS, EPOCHS, BATCH, LR = 8, 20, 16, 2e-3


def make_net(d):
    return nn.Sequential(nn.Linear(d, 32), nn.ELU(), nn.Dropout(0.2), nn.Linear(32, 1))


def fold_data(tr, te):
    mx, sx = X[tr].mean(0), X[tr].std(0)
    my, sy = y[tr].mean(), y[tr].std()
    f = lambda i: (torch.from_numpy((X[i] - mx) / sx), torch.from_numpy((y[i] - my) / sy)[:, None])
    return f(tr), f(te), sy


net_rmse, ref_rmse, oof = [], [], np.zeros(len(y))
for k, (tr, te) in enumerate(KFold(FOLDS, shuffle=True, random_state=12).split(X)):
    torch.manual_seed(50 + k)
    (xa, ya), (xb, yb), unit = fold_data(tr, te)
    net = make_net(X.shape[1])
    opt = torch.optim.AdamW(net.parameters(), lr=LR, weight_decay=0.1)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=LR, total_steps=EPOCHS * -(-len(xa) // BATCH))
    for epoch in range(EPOCHS):
        net.train()
        run = 0.0
        for idx in torch.randperm(len(xa)).split(BATCH):
            opt.zero_grad()
            loss = nn.functional.mse_loss(net(xa[idx]), ya[idx])
            loss.backward()
            opt.step()
            sched.step()
            run += loss.item() * len(idx)
    net.eval()
    with torch.no_grad():
        pred = net(xb)
    rmse = (pred - yb).square().mean().sqrt().item() * float(unit)
    oof[te] = pred[:, 0].numpy()
    ridge = RidgeCV(np.logspace(-2, 3, 20)).fit(xa.numpy(), ya.numpy()[:, 0])
    ref = float(np.sqrt(np.mean((ridge.predict(xb.numpy()) - yb.numpy()[:, 0]) ** 2)) * unit)
    net_rmse.append(rmse)
    ref_rmse.append(ref)
    print(f"fold {k + 1}: train mse {run / len(xa):.3f} (scaled)   rmse net {rmse:.2f}   ridge {ref:.2f}")
print(f"mean rmse: net {np.mean(net_rmse):.2f}   ridge {np.mean(ref_rmse):.2f}   no model {y.std():.2f}")
