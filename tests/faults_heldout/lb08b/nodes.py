import csv
import torch

FIELDS = ["rx_bytes", "tx_bytes", "open_files", "cpu_share", "mem_kb", "uptime_s", "err_rate", "temp_c"]
STATES = {"ok": 0, "leak": 1, "flood": 2, "stuck": 3}

rows = list(csv.DictReader(open("nodes.csv")))
X = torch.tensor([[float(r[k]) for k in FIELDS] for r in rows])
Y = torch.tensor([STATES[r["state"]] for r in rows])

g = torch.Generator().manual_seed(77)
order = torch.randperm(len(X), generator=g)
cut = int(0.8 * len(X))
tr, te = order[:cut], order[cut:]

torch.manual_seed(77)
model = torch.nn.Sequential(
    torch.nn.Linear(len(FIELDS), 64),
    torch.nn.Tanh(),
    torch.nn.Linear(64, 32),
    torch.nn.Tanh(),
    torch.nn.Linear(32, len(STATES)),
)
optim = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
lossf = torch.nn.CrossEntropyLoss()

for it in range(1, 1201):
    b = tr[torch.randint(len(tr), (64,))]
    loss = lossf(model(X[b]), Y[b])
    optim.zero_grad()
    loss.backward()
    optim.step()
    if it % 120 == 0:
        model.eval()
        with torch.no_grad():
            ltr, lte = lossf(model(X[tr]), Y[tr]), lossf(model(X[te]), Y[te])
            acc = (model(X[te]).argmax(1) == Y[te]).float().mean()
        model.train()
        print(it, "train", round(ltr.item(), 4), "test", round(lte.item(), 4), "acc", round(acc.item(), 4))
