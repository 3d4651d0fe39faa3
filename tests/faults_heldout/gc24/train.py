"""Disease progression after one year; five-fold estimate with a small regularised network."""
import numpy as np
import torch
from sklearn.datasets import load_diabetes
from sklearn.linear_model import RidgeCV
from sklearn.metrics import r2_score
from sklearn.model_selection import KFold
from torch import nn

EPOCHS = 120
X, Y = load_diabetes(return_X_y=True)


def standardise(a, ref):
    return torch.tensor((a - ref.mean(0)) / ref.std(0), dtype=torch.float32)


def fit(x, y):
    net = nn.Sequential(nn.Linear(x.shape[1], 12), nn.Tanh(), nn.Dropout(0.2), nn.Linear(12, 1))
    opt = torch.optim.AdamW(net.parameters(), lr=5e-3, weight_decay=0.5)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
    huber = nn.HuberLoss(delta=1.5)
    for epoch in range(EPOCHS):
        net.train()
        for idx in torch.randperm(len(x)).split(32):
            opt.zero_grad()
            loss = huber(net(x[idx])[:, 0], y[idx])
            loss.backward()
            opt.step()
        sched.step()
        if epoch % 30 == 29:
            net.eval()
            with torch.no_grad():
                print(f"    epoch {epoch + 1:3d} fit {huber(net(x)[:, 0], y):.4f}")
    return net.eval()


torch.manual_seed(1)
scores, baseline = [], []
for fold, (tr, te) in enumerate(KFold(5, shuffle=True, random_state=1).split(X)):
    print(f"fold {fold}")
    net = fit(standardise(X[tr], X[tr]), standardise(Y[tr], Y[tr]))
    with torch.no_grad():
        p_tr = net(standardise(X[tr], X[tr]))[:, 0].numpy() * Y[tr].std() + Y[tr].mean()
        p_te = net(standardise(X[te], X[tr]))[:, 0].numpy() * Y[tr].std() + Y[tr].mean()
    scores.append((r2_score(Y[tr], p_tr), r2_score(Y[te], p_te)))
    baseline.append(RidgeCV(np.logspace(-3, 1, 9)).fit(X[tr], Y[tr]).score(X[te], Y[te]))
    print(f"    r2 train {scores[-1][0]:.3f} test {scores[-1][1]:.3f} (ridge {baseline[-1]:.3f})")
print(f"mean r2 train {np.mean([s[0] for s in scores]):.3f} test {np.mean([s[1] for s in scores]):.3f}, ridge {np.mean(baseline):.3f}")
