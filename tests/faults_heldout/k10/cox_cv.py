"""Neural Cox model, five-fold cross-validation, concordance index per fold."""
import numpy as np
import torch
from sklearn.model_selection import KFold
from sklearn.preprocessing import StandardScaler
from torch import nn


def cohort(n=1500, seed=6):
    rng = np.random.default_rng(seed)
    age = rng.normal(62, 9, n)
    stage = rng.integers(1, 5, n)
    marker = rng.lognormal(1.0, 0.6, n)
    treated = rng.integers(0, 2, n)
    bmi = rng.normal(26, 4, n)
    risk = 0.05 * (age - 62) + 0.6 * (stage - 2.5) + 0.5 * np.log(marker) - 0.9 * treated + 0.02 * (bmi - 26) ** 2 * 0.5
    time = rng.exponential(24 * np.exp(-risk))
    censor = rng.uniform(6, 70, n)
    x = np.stack([age, stage, np.log(marker), treated, bmi, (bmi - 26) ** 2], 1)
    return x.astype("float32"), np.minimum(time, censor).astype("float32"), (time <= censor).astype("float32")


def cox_loss(score, time, event):
    order = torch.argsort(time, descending=True)
    s, e = score[order], event[order]
    return -((s - torch.logcumsumexp(s, 0)) * e).sum() / e.sum()


def concordance(score, time, event):
    longer = time[None, :] > time[:, None]
    usable = longer & (event[:, None] > 0)
    right = (score[:, None] > score[None, :]) & usable
    return right.sum().item() / usable.sum().item()


def fit_fold(xtr, ttr, etr, xva, tva, eva, epochs=36, batch=300):
    net = nn.Sequential(nn.Linear(xtr.shape[1], 24), nn.ELU(), nn.Dropout(0.3), nn.Linear(24, 1, bias=False))
    opt = torch.optim.AdamW(net.parameters(), lr=4e-3, weight_decay=0.05)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs, eta_min=1e-4)
    for epoch in range(epochs):
        net.train()
        losses = []
        for idx in torch.randperm(len(xtr)).split(batch):
            loss = cox_loss(net(xtr[idx]).squeeze(1), ttr[idx], etr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        if (epoch + 1) % 6 == 0:
            net.eval()
            with torch.no_grad():
                s = net(xva).squeeze(1)
            print(f"    epoch {epoch + 1:3d} train {np.mean(losses):.3f} val {cox_loss(s, tva, eva).item():.3f} c-index {concordance(s, tva, eva):.3f}")
    net.eval()
    with torch.no_grad():
        return concordance(net(xva).squeeze(1), tva, eva)


def main():
    torch.manual_seed(11)
    x, t, e = cohort()
    print(f"{len(x)} patients, {e.mean():.2f} with event")
    scores = []
    for k, (tr, va) in enumerate(KFold(5, shuffle=True, random_state=0).split(x)):
        sc = StandardScaler().fit(x[tr])
        pack = lambda i: (torch.tensor(sc.transform(x[i])), torch.tensor(t[i]), torch.tensor(e[i]))
        print(f"fold {k + 1}")
        scores.append(fit_fold(*pack(tr), *pack(va)))
    print("c-index %.3f +- %.3f" % (np.mean(scores), np.std(scores)))


if __name__ == "__main__":
    main()
