import argparse

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from vae import DigitVAE

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=80)
parser.add_argument("--batch-size", type=int, default=64)
parser.add_argument("--lr", type=float, default=2e-3)
parser.add_argument("--kl-warmup", type=int, default=15, help="epochs until the KL term has full weight")
parser.add_argument("--seed", type=int, default=0)
opts = parser.parse_args()

torch.manual_seed(opts.seed)
images = torch.tensor(load_digits().data, dtype=torch.float32) / 16.0
train_x, test_x = (t.contiguous() for t in train_test_split(images, test_size=0.2, random_state=opts.seed))

model = DigitVAE()
optimizer = torch.optim.Adam(model.parameters(), lr=opts.lr)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, opts.epochs)


@torch.no_grad()
def held_out():
    model.eval()
    out, mu, logvar = model(test_x)
    z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
    nll, kl = model.elbo_terms(model.dec(z), test_x, mu, logvar)
    return nll.item(), kl.item(), (out - test_x).pow(2).mean().item()


for epoch in range(opts.epochs):
    beta = min(1.0, (epoch + 1) / opts.kl_warmup)
    model.train()
    sums = torch.zeros(2)
    for rows in torch.randperm(len(train_x)).split(opts.batch_size):
        batch = train_x[rows]
        out, mu, logvar = model(batch)
        nll, kl = model.elbo_terms(out, batch, mu, logvar)
        loss = nll + beta * kl
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        sums += torch.tensor([nll.item(), kl.item()]) * len(batch)
    scheduler.step()
    if epoch % 8 == 7:
        nll, kl, mse = held_out()
        tr = (sums / len(train_x)).tolist()
        print(f"epoch {epoch + 1:3d} | train nll {tr[0]:.2f} kl {tr[1]:.2f} -elbo {sum(tr):.2f} | "
              f"test nll {nll:.2f} kl {kl:.2f} -elbo {nll + kl:.2f} pixel mse {mse:.4f}")
