"""A network from plain tensors: no nn.Module, only autograd."""
import gzip
import json
import sys
from pathlib import Path

import torch

here = Path(sys.argv[0]).resolve().parent
with gzip.open(here / "rows.json.gz", "rt") as f:
    payload = json.load(f)
X, Y = torch.tensor(payload["x"]), torch.tensor(payload["y"])
settings = payload.get("settings", {})
rate, rounds, size = settings.get("rate", 0.1), settings.get("rounds", 300), settings.get("size", 24)
torch.manual_seed(5)
cut = len(X) * 3 // 4
n_in, n_out = X.shape[1], int(Y.max()) + 1


def dense(n, m):
    w = torch.randn(n, m) * (2 / n) ** 0.5
    return [w.requires_grad_(), torch.zeros(m, requires_grad=True)]


first, second, third = dense(n_in, 40), dense(40, 24), dense(24, n_out)
weights = first + second + third


def network(x):
    h = (x @ first[0] + first[1]).clamp(min=0)
    h = (h @ second[0] + second[1]).clamp(min=0)
    return h @ third[0] + third[1]


def nll(scores, y):
    return (scores.logsumexp(1) - scores.gather(1, y[:, None])[:, 0]).mean()


for t in range(1, rounds + 1):
    pick = torch.randint(cut, (size,))
    loss = nll(network(X[pick]), Y[pick])
    loss.backward()
    with torch.no_grad():
        for w in weights:
            w -= rate * w.grad
            w.grad = None
    if t % (rounds // 6) == 0:
        with torch.no_grad():
            held = network(X[cut:])
            print(f"{t:5d} loss {loss.item():.3f} held-out loss {nll(held, Y[cut:]).item():.3f} "
                  f"accuracy {(held.argmax(1) == Y[cut:]).float().mean().item():.3f}")
