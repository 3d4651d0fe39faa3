import numpy as np
import torch
from sklearn.datasets import load_diabetes
from sklearn.linear_model import RidgeCV
from sklearn.metrics import mean_absolute_error, r2_score
from sklearn.model_selection import KFold, train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn

FOLDS, MAX_EPOCHS, PATIENCE, BATCH = 5, 300, 30, 32


def make_net(n_in):
    return nn.Sequential(
        nn.Linear(n_in, 24), nn.SiLU(), nn.Dropout(0.2),
        nn.Linear(24, 12), nn.SiLU(), nn.Dropout(0.1),
        nn.Linear(12, 1),
    )


def fit_fold(x, y, seed):
    """One model: inner hold-out decides when to stop; scalers see the inner training rows only."""
    torch.manual_seed(seed)
    xi, xh, yi, yh = train_test_split(x, y, test_size=0.2, random_state=seed)
    sx, sy = StandardScaler().fit(xi), StandardScaler().fit(yi[:, None])

    def t(a, s):
        return torch.tensor(s.transform(a), dtype=torch.float32)

    xi, xh, yi, yh = t(xi, sx), t(xh, sx), t(yi[:, None], sy), t(yh[:, None], sy)
    net = make_net(x.shape[1])
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.1)
    crit = nn.MSELoss()
    best, state, wait, history = float("inf"), None, 0, []
    for epoch in range(MAX_EPOCHS):
        net.train()
        tot = 0.0
        for b in torch.randperm(len(xi)).split(BATCH):
            loss = crit(net(xi[b]), yi[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(b)
        net.eval()
        with torch.no_grad():
            v = crit(net(xh), yh).item()
        history.append((tot / len(xi), v))
        if v < best - 1e-4:
            best, wait = v, 0
            state = {k: p.clone() for k, p in net.state_dict().items()}
        else:
            wait += 1
            if wait >= PATIENCE:
                break
    net.load_state_dict(state)
    net.eval()

    def predict(a):
        with torch.no_grad():
            return sy.inverse_transform(net(t(a, sx)).numpy())[:, 0]

    return predict, history, best


def main():
    x, y = load_diabetes(return_X_y=True, scaled=False)
    oof, ridge = np.zeros_like(y), np.zeros_like(y)
    for k, (tr, te) in enumerate(KFold(FOLDS, shuffle=True, random_state=1).split(x)):
        predict, hist, best = fit_fold(x[tr], y[tr], seed=100 + k)
        oof[te] = predict(x[te])
        sc = StandardScaler().fit(x[tr])
        ridge[te] = RidgeCV(np.logspace(-2, 3, 20)).fit(sc.transform(x[tr]), y[tr]).predict(sc.transform(x[te]))
        print(f"fold {k}: {len(hist):3d} epochs, first loss {hist[0][0]:.3f}, last train {hist[-1][0]:.3f}, "
              f"best inner {best:.3f}, fold R2 {r2_score(y[te], oof[te]):.3f}")
    print(f"out-of-fold  MLP R2 {r2_score(y, oof):.3f} MAE {mean_absolute_error(y, oof):.1f}   "
          f"ridge R2 {r2_score(y, ridge):.3f} MAE {mean_absolute_error(y, ridge):.1f}")


if __name__ == "__main__":
    main()
