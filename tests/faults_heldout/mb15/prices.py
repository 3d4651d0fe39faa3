# Price of a flat, in euros. The network speaks euros: the scaling in and out is part of the model that gets deployed.
import torch

torch.manual_seed(8)
lines = open("flats.tsv").read().splitlines()
names = lines[0].split("\t")
x, price = [], []
for line in lines[1:]:
    r = dict(zip(names, line.split("\t")))
    zone = [float(r["zone"] == z) for z in "ABCD"]
    x.append([float(r[k]) for k in ("area", "rooms", "year", "km_centre", "floor", "lift")] + zone)
    price.append(float(r["price"]))
x, price = torch.tensor(x), torch.tensor(price)

order = torch.randperm(len(x))
tr, va, te = order[:2400], order[2400:2800], order[2800:]


class Appraiser(torch.nn.Module):
    def __init__(self, x, price, hidden=64):
        super().__init__()
        self.register_buffer("x_mean", x.mean(0))
        self.register_buffer("x_std", x.std(0))
        self.register_buffer("p_mean", price.mean())
        self.register_buffer("p_std", price.std())
        self.a = torch.nn.Linear(x.shape[1], hidden)
        self.b = torch.nn.Linear(hidden, hidden)
        self.c = torch.nn.Linear(hidden, 1)

    def forward(self, x):
        h = (x - self.x_mean) / self.x_std
        h = torch.nn.functional.gelu(self.a(h))
        h = torch.nn.functional.gelu(self.b(h))
        return self.c(h).squeeze(1) * self.p_std + self.p_mean


model = Appraiser(x[tr], price[tr])
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.3, patience=5)
mse = torch.nn.MSELoss()

for epoch in range(1, 61):
    total = 0.0
    for i in tr[torch.randperm(len(tr))].split(48):
        loss = mse(model(x[i]), price[i])
        model.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(i)
    with torch.no_grad():
        val = mse(model(x[va]), price[va]).item()
    scheduler.step(val)
    if epoch % 6 == 0:
        print(f"epoch {epoch:3d}  mse train {total / len(tr):,.0f}  val {val:,.0f}  (rmse {val ** 0.5:,.0f} euros)  "
              f"lr {optimizer.param_groups[0]['lr']:.1e}")

with torch.no_grad():
    p = model(x[te])
    r2 = 1 - mse(p, price[te]) / price[te].var(unbiased=False)
    print(f"test rmse {mse(p, price[te]).sqrt():,.0f} euros, median error {((p - price[te]).abs() / price[te]).median():.1%}, R2 {r2:.3f}")
