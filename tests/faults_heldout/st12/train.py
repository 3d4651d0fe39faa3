import torch

from data import screen
from model import ResponseNet

torch.manual_seed(14)
d, c, y = screen()
n_val = 400
val = slice(0, n_val)
rest = torch.arange(n_val, len(d))
y = (y - y[n_val:].mean()) / y[n_val:].std()

model = ResponseNet(80, 60)
epochs, batch = 40, 32
optimizer = model.configure_optimizer(lr=5e-3, weight_decay=0.1)
per_epoch = -(-len(rest) // batch)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 5e-3, epochs * per_epoch, pct_start=0.15)

for epoch in range(1, epochs + 1):
    model.train()
    running = 0.0
    for pick in rest[torch.randperm(len(rest))].split(batch):
        loss = torch.nn.functional.mse_loss(model(d[pick], c[pick]), y[pick])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        running += loss.item() * len(pick)
    if epoch % 5 == 0:
        model.eval()
        with torch.no_grad():
            p = model(d[val], c[val])
            r2 = 1 - (p - y[val]).square().mean() / y[val].var(unbiased=False)
        print(f"epoch {epoch:02d} mse {running / len(rest):.4f} val r2 {r2.item():.4f}")
