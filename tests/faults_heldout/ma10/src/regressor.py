import torch
from torch import nn


class RentRegressor:
    def __init__(self, n_inputs, hidden=(48, 24), lr=3e-3, batch_size=32, epochs=30, verbose=5):
        dims = (n_inputs, *hidden)
        parts = []
        for a, b in zip(dims, dims[1:]):
            parts += [nn.Linear(a, b), nn.SiLU()]
        self.net = nn.Sequential(*parts, nn.Linear(dims[-1], 1), nn.Flatten(0))
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=lr, weight_decay=1e-3)
        self.batch_size, self.epochs, self.verbose = batch_size, epochs, verbose

    def fit(self, x, y, x_val, y_val):
        x, y = torch.as_tensor(x), torch.as_tensor(y)
        for epoch in range(1, self.epochs + 1):
            self.net.train()
            losses = []
            for idx in torch.randperm(len(x)).split(self.batch_size):
                loss = nn.functional.mse_loss(self.net(x[idx]), y[idx])
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                losses.append(loss.item())
            if epoch % self.verbose == 0:
                print(f"epoch {epoch:3d}  mse {sum(losses) / len(losses):.4f}  val R2 {self.score(x_val, y_val):.3f}")
        return self

    def predict(self, x):
        self.net.eval()
        with torch.no_grad():
            return self.net(torch.as_tensor(x)).numpy()

    def score(self, x, y):
        return 1 - ((self.predict(x) - y) ** 2).mean() / y.var()
