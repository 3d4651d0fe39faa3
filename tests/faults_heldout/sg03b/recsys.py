import argparse, time
import numpy as np
import torch
import torch.nn as nn

p = argparse.ArgumentParser()
p.add_argument("--ratings", default="ratings.tsv")
p.add_argument("--param-dtype", choices=["float32", "bfloat16"], default="float32")
p.add_argument("--lr", type=float, default=1e-3)
p.add_argument("--dim", type=int, default=8)
p.add_argument("--epochs", type=int, default=40)
p.add_argument("--batch", type=int, default=128)
opt = p.parse_args()

torch.manual_seed(0)
dtype = getattr(torch, opt.param_dtype)
table = np.loadtxt(opt.ratings, delimiter="\t")
users, items = torch.tensor(table[:, 0]).long(), torch.tensor(table[:, 1]).long()
stars = torch.tensor(table[:, 2]).float()
shuffled = torch.randperm(len(stars))
hold = shuffled[: len(stars) // 8]
fit = shuffled[len(stars) // 8:]
mean = stars[fit].mean()


class NeuralCF(nn.Module):
    def __init__(self, n_users, n_items, dim):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        nn.init.normal_(self.user.weight, std=0.3)
        nn.init.normal_(self.item.weight, std=0.3)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        nn.init.normal_(self.user_bias.weight, std=0.1)
        nn.init.normal_(self.item_bias.weight, std=0.1)
        self.mix = nn.Linear(dim, 1, bias=False)
        nn.init.ones_(self.mix.weight)

    def forward(self, u, i):
        inter = self.mix(self.user(u) * self.item(i))
        return (inter + self.user_bias(u) + self.item_bias(i)).squeeze(-1)


net = NeuralCF(int(users.max()) + 1, int(items.max()) + 1, opt.dim).to(dtype)
adam = torch.optim.Adam(net.parameters(), lr=opt.lr)


def rmse(index):
    net.eval()
    with torch.no_grad():
        guess = net(users[index], items[index]).float() + mean
    return (guess - stars[index]).pow(2).mean().sqrt().item()


start = time.time()
for epoch in range(1, opt.epochs + 1):
    net.train()
    order = fit[torch.randperm(len(fit))]
    seen = 0.0
    for chunk in order.split(opt.batch):
        out = net(users[chunk], items[chunk]).float()
        loss = (out - (stars[chunk] - mean)).pow(2).mean()
        adam.zero_grad()
        loss.backward()
        adam.step()
        seen += loss.item() * len(chunk)
    if epoch % 8 == 0 or epoch == 1:
        print(f"epoch {epoch:2d} | train mse {seen / len(fit):.4f} | held-out rmse {rmse(hold):.4f} | {time.time() - start:.1f}s")
