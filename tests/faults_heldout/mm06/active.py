"""Pool-based active learning: an ensemble of three MLPs, refitted from scratch each round."""
import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.preprocessing import StandardScaler
from torch import nn

ROUNDS, START, QUERY, MEMBERS = 7, 60, 60, 3
rng = np.random.default_rng(31)
torch.manual_seed(31)

X, y = load_digits(return_X_y=True)
order = rng.permutation(len(X))
test, pool = order[:450], order[450:]
scale = StandardScaler().fit(X[pool])
X = torch.tensor(scale.transform(X), dtype=torch.float32)
y = torch.tensor(y)


def make():
    return nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 10))


def fit(net, idx, steps=250):
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=1e-2, total_steps=steps)
    net.train()
    idx = torch.as_tensor(idx)
    trail = []
    for _ in range(steps):
        b = idx[torch.randint(len(idx), (32,))]
        loss = nn.functional.cross_entropy(net(X[b]), y[b])
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        sched.step()
        trail.append(loss.item())
    return float(np.mean(trail[-20:]))


@torch.inference_mode()
def predict(nets, idx):
    for n in nets:
        n.eval()
    return torch.stack([n(X[idx]).softmax(-1) for n in nets])


def disagreement(p):
    """BALD score: entropy of the mean minus mean of the entropies."""
    h = lambda q: -(q * q.clamp_min(1e-9).log()).sum(-1)
    return h(p.mean(0)) - h(p).mean(0)


labelled = list(pool[:START])
free = list(pool[START:])
history = []
for r in range(ROUNDS):
    nets = [make() for _ in range(MEMBERS)]
    losses = [fit(n, labelled) for n in nets]
    p = predict(nets, test).mean(0)
    acc = (p.argmax(-1) == y[test]).float().mean().item()
    nll = -p[torch.arange(len(test)), y[test]].clamp_min(1e-9).log().mean().item()
    history.append(acc)
    print(f"round {r} labels {len(labelled):4d} fit loss {np.mean(losses):.4f} test acc {acc:.4f} nll {nll:.4f}")
    if r + 1 < ROUNDS:
        s = disagreement(predict(nets, free)).numpy()
        pick = set(np.argsort(-s)[:QUERY].tolist())
        labelled += [f for i, f in enumerate(free) if i in pick]
        free = [f for i, f in enumerate(free) if i not in pick]

nets = [make() for _ in range(MEMBERS)]
base = rng.choice(pool, len(labelled), replace=False)
[fit(n, base) for n in nets]
acc = (predict(nets, test).mean(0).argmax(-1) == y[test]).float().mean().item()
print(f"random selection with {len(labelled)} labels: {acc:.4f}   active: {history[-1]:.4f}")
