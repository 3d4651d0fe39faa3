import copy
import torch
from torch import nn
from cohort import load
from survival import cox_nll, concordance

SEED = 3
EPOCHS = 150
PATIENCE = 40

torch.manual_seed(SEED)
data, names = load(seed=11)
x, days, died = data["train"]
print(f"{len(x)} patients, {int(died.sum())} deaths, covariates: {', '.join(names)}")

net = nn.Sequential(
    nn.Linear(x.shape[1], 32), nn.SELU(), nn.Dropout(0.2),
    nn.Linear(32, 16), nn.SELU(), nn.Dropout(0.2),
    nn.Linear(16, 1, bias=False),      # a bias would cancel in the partial likelihood
)
opt = torch.optim.AdamW(net.parameters(), lr=7e-4, weight_decay=1e-2)


def evaluate(part):
    net.eval()
    with torch.no_grad():
        s = net(data[part][0]).squeeze(1)
    return cox_nll(s, *data[part][1:]).item(), concordance(s, *data[part][1:])


best, best_state, since = -1.0, None, 0
for epoch in range(1, EPOCHS + 1):
    net.train()
    total, seen = 0.0, 0
    for idx in torch.randperm(len(x)).split(228):
        loss = cox_nll(net(x[idx]).squeeze(1), days[idx], died[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
        seen += len(idx)
    val_nll, val_c = evaluate("val")
    if val_c > best:
        best, best_state, since = val_c, copy.deepcopy(net.state_dict()), 0
    else:
        since += 1
    if epoch % 5 == 0 or epoch == 1:
        print(f"epoch {epoch:3d}  partial likelihood {total / seen:.4f}  val {val_nll:.4f}  val C {val_c:.4f}")
    if since >= PATIENCE:
        print(f"no better C for {PATIENCE} epochs, stopping at {epoch}")
        break

net.load_state_dict(best_state)
print(f"test C-index {evaluate('test')[1]:.4f} (best validation {best:.4f})")
