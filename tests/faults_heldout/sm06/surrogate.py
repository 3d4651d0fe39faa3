import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from arm import sample


class Surrogate(nn.Module):
    def __init__(self, n_in=12, n_out=3, width=48, depth=10):
        super().__init__()
        layers = []
        for _ in range(depth):
            layers.append(nn.Linear(n_in, width))
            layers.append(nn.Sigmoid())
            n_in = width
        self.body = nn.Sequential(*layers)
        self.read_out = nn.Linear(width, n_out)

    def forward(self, x):
        return self.read_out(self.body(x))


class Trainer:
    def __init__(self, model, train, test, lr=1e-3, epochs=25, batch_size=64):
        self.model, self.epochs = model, epochs
        self.loader = DataLoader(TensorDataset(*train), batch_size=batch_size, shuffle=True)
        self.test = test
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, epochs * len(self.loader))
        self.loss = nn.MSELoss()

    def step(self, x, y):
        self.opt.zero_grad()
        loss = self.loss(self.model(x), y)
        loss.backward()
        self.opt.step()
        self.sched.step()
        return loss.item()

    def fit(self, unit):
        for epoch in range(1, self.epochs + 1):
            self.model.train()
            values = [self.step(x, y) for x, y in self.loader]
            self.model.eval()
            with torch.no_grad():
                d = self.model(self.test[0]) - self.test[1]
            cm = (d * unit).norm(dim=1).mean().item() * 100
            print(f"{epoch:3d}  train {sum(values) / len(values):.5f}  test {d.pow(2).mean().item():.5f}  tool error {cm:.2f} cm")


if __name__ == "__main__":
    torch.manual_seed(8)
    (xtr, ytr), (xte, yte) = sample(5000, 1), sample(1000, 2)
    xm, xs = xtr.mean(0), xtr.std(0)
    ym, ys = ytr.mean(0), ytr.std(0)
    pack = lambda x, y: (torch.from_numpy((x - xm) / xs), torch.from_numpy((y - ym) / ys))
    Trainer(Surrogate(), pack(xtr, ytr), pack(xte, yte)).fit(torch.from_numpy(ys))
