"""Online learning: one wine at a time."""
import numpy as np
import torch
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

torch.manual_seed(0)
X, y = load_wine(return_X_y=True)
Xtr, Xte, ytr, yte = train_test_split(X, y, test_size=0.3, random_state=0, stratify=y)
sc = StandardScaler().fit(Xtr)
Xtr, Xte = (torch.tensor(sc.transform(a), dtype=torch.float32) for a in (Xtr, Xte))
ytr, yte = torch.tensor(ytr), torch.tensor(yte)

model = torch.nn.Sequential(torch.nn.Linear(13, 16), torch.nn.Tanh(), torch.nn.Linear(16, 3))
opt = torch.optim.SGD(model.parameters(), lr=0.01, weight_decay=2e-3)
rng = np.random.default_rng(0)

ema, seen = None, 0
for sweep in range(10):
    for i in rng.permutation(len(Xtr)):
        loss = torch.nn.functional.cross_entropy(model(Xtr[i:i + 1]), ytr[i:i + 1])
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema = loss.item() if ema is None else 0.99 * ema + 0.01 * loss.item()
        seen += 1
    with torch.no_grad():
        out = model(Xte)
        tl = torch.nn.functional.cross_entropy(out, yte).item()
        acc = (out.argmax(1) == yte).float().mean().item()
    print(f"seen {seen:5d} running loss {ema:.3f} test loss {tl:.3f} test acc {acc:.3f}")

# per-cultivar report on the held-out bottles
with torch.no_grad():
    pred = model(Xte).argmax(1)
for c in range(3):
    tp = ((pred == c) & (yte == c)).sum().item()
    n_true, n_pred = (yte == c).sum().item(), (pred == c).sum().item()
    print(f"cultivar {c}: recall {tp / n_true:.2f} precision {tp / max(1, n_pred):.2f} (n={n_true})")
