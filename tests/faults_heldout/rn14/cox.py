import numpy as np
import torch
from torch import nn


def partial_nll(risk, months, event):
    order = torch.argsort(months, descending=True)
    risk, event = risk[order], event[order]
    return -((risk - torch.logcumsumexp(risk, 0)) * event).sum() / event.sum()


def concordance(risk, months, event):
    earlier = (months[:, None] < months[None, :]) & (event[:, None] == 1)
    good = (risk[:, None] > risk[None, :]).float() + 0.5 * (risk[:, None] == risk[None, :]).float()
    return (good * earlier).sum().item() / earlier.sum().item()


def load(path="cohort.csv"):
    d = np.genfromtxt(path, delimiter=",", names=True)
    x = np.column_stack([d["age"], d["stage"] == 2, d["stage"] == 3, d["stage"] == 4, np.log1p(d["marker"]), d["treated"], d["sbp"]])
    return x.astype("float32"), d["months"].astype("float32"), d["event"].astype("float32")


if __name__ == "__main__":
    torch.manual_seed(12)
    x, t, e = load()
    perm = np.random.RandomState(12).permutation(len(x))
    tr, te = perm[:1050], perm[1050:]
    x = (x - x[tr].mean(0)) / x[tr].std(0)
    x, t, e = map(torch.from_numpy, (x, t, e))
    tr, te = torch.from_numpy(tr), torch.from_numpy(te)

    net = nn.Sequential(nn.Linear(7, 16), nn.Tanh(), nn.Dropout(0.1), nn.Linear(16, 1, bias=False))
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=0.05)

    for epoch in range(1, 31):
        net.train()
        tot = nb = 0
        for b in torch.randperm(len(tr)).split(150):
            i = tr[b]
            loss = partial_nll(net(x[i]).squeeze(1), t[i], e[i])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot, nb = tot + loss.item(), nb + 1
        if epoch % 3 == 0:
            net.eval()
            with torch.no_grad():
                r = net(x).squeeze(1)
            print(f"{epoch:3d} batch nll {tot / nb:.3f} | full nll train {partial_nll(r[tr], t[tr], e[tr]):.3f} test {partial_nll(r[te], t[te], e[te]):.3f} | C {concordance(r[te], t[te], e[te]):.3f}")
