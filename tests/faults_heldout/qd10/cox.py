import csv

import numpy as np
import torch

torch.manual_seed(3)
torch.set_default_dtype(torch.float64)
RIDGE = 3e-3
ROUNDS = 12

with open("cohort.csv") as fh:
    table = list(csv.DictReader(fh))
col = lambda name: np.array([float(r[name]) for r in table])

smoking = col("smoking")
cont = np.stack([col("age"), col("bmi"), col("sbp"), np.log(col("crp")), col("lab_a"), col("lab_b"), col("lab_c")], 1)
flags = np.stack([col("sex"), col("diabetes"), smoking == 1, smoking == 2], 1).astype(float)
months, event = torch.tensor(col("months")), torch.tensor(col("event"))

perm = np.random.default_rng(3).permutation(len(table))
tr, te = perm[:3000], perm[3000:]
mu, sd = cont[tr].mean(0), cont[tr].std(0)
x = torch.tensor(np.concatenate([(cont - mu) / sd, flags], 1))


def partial_likelihood(risk, t, e):
    """Breslow; patients sorted from the longest follow-up to the shortest, so a running sum is the risk set."""
    order = torch.argsort(t, descending=True)
    risk, e = risk[order], e[order]
    return -((risk - torch.logcumsumexp(risk, 0)) * e).sum() / e.sum()


def concordance(risk, t, e):
    later = (t[None, :] > t[:, None]) & (e[:, None] == 1)
    diff = risk[:, None] - risk[None, :]
    return (((diff > 0).double() + 0.5 * (diff == 0)) * later).sum().item() / later.sum().item()


class RiskScore(torch.nn.Module):
    def __init__(self, n, hidden=6):
        super().__init__()
        self.linear = torch.nn.Linear(n, 1, bias=False)  # an intercept cancels in the partial likelihood
        self.bend = torch.nn.Sequential(torch.nn.Linear(n, hidden), torch.nn.Tanh(), torch.nn.Linear(hidden, 1, bias=False))
        torch.nn.init.zeros_(self.linear.weight)

    def forward(self, x):
        return (self.linear(x) + self.bend(x)).squeeze(1)


net = RiskScore(x.shape[1])
opt = torch.optim.LBFGS(net.parameters(), lr=1, max_iter=6, history_size=20, line_search_fn="strong_wolfe")


def closure():
    opt.zero_grad()
    nll = partial_likelihood(net(x[tr]), months[tr], event[tr])
    loss = nll + RIDGE * sum((p ** 2).sum() for p in net.parameters())
    loss.backward()
    return loss


for r in range(ROUNDS):
    loss = opt.step(closure)
    with torch.no_grad():
        s = net(x)
    print("round %2d  penalised nll %.4f  test nll %.4f  c-index train %.4f  test %.4f" % (
        r + 1, loss.item(), partial_likelihood(s[te], months[te], event[te]).item(),
        concordance(s[tr], months[tr], event[tr]), concordance(s[te], months[te], event[te])))
print("age alone: c-index %.4f" % concordance(x[te, 0], months[te], event[te]))
