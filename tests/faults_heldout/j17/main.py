import torch
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset

from node import NeuralODE


def load(seed):
    d = load_wine()
    xa, xb, ya, yb = train_test_split(d.data, d.target, test_size=0.3, stratify=d.target, random_state=seed)
    sc = StandardScaler().fit(xa)
    f = lambda a: torch.tensor(sc.transform(a), dtype=torch.float32)
    return TensorDataset(f(xa), torch.tensor(ya)), TensorDataset(f(xb), torch.tensor(yb))


class Runner:
    def __init__(self, lr=3e-3, batch=16, epochs=15, seed=0):
        torch.manual_seed(seed)
        self.train_set, self.test_set = load(seed)
        self.loader = DataLoader(self.train_set, batch_size=batch, shuffle=True)
        self.net = NeuralODE(13, 16, 3)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.loss_fn = torch.nn.CrossEntropyLoss()
        self.epochs = epochs

    def train_epoch(self):
        self.net.train()
        acc = []
        for x, y in self.loader:
            self.opt.zero_grad()
            loss = self.loss_fn(self.net(x), y)
            loss.backward()
            self.opt.step()
            acc.append(loss.detach())
        return torch.stack(acc).mean().item()

    def test(self):
        self.net.eval()
        x, y = self.test_set.tensors
        with torch.no_grad():
            out = self.net(x)
        return self.loss_fn(out, y).item(), (out.argmax(1) == y).float().mean().item()

    def run(self):
        for e in range(self.epochs):
            tr = self.train_epoch()
            tl, ta = self.test()
            print(f"epoch {e:02d}  train {tr:.4g}  test {tl:.4g}  acc {ta:.3f}")


if __name__ == "__main__":
    Runner().run()
