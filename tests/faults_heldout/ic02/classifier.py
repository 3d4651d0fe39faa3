import torch
from torch import nn


def build_mlp(n_in, hidden, n_out):
    layers, last = [], n_in
    for width in hidden:
        layers += [nn.Linear(last, width), nn.ReLU()]
        last = width
    layers.append(nn.Linear(last, n_out))
    return nn.Sequential(*layers)


class TorchClassifier:
    """Small scikit-learn-like wrapper so that we can use it in cross-validation."""

    def __init__(self, n_in, n_out, hidden=(48, 24), lr=1e-3, epochs=30, batch_size=32, seed=0):
        self.n_in, self.n_out, self.hidden = n_in, n_out, hidden
        self.epochs, self.batch_size = epochs, batch_size
        self.gen = torch.Generator().manual_seed(seed)
        self.net = build_mlp(n_in, hidden, n_out)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()

    def _fresh_weights(self):
        self.net = build_mlp(self.n_in, self.hidden, self.n_out)

    def fit(self, x, y, verbose=False):
        self._fresh_weights()
        self.net.train()
        self.curve = []
        for epoch in range(self.epochs):
            perm = torch.randperm(len(x), generator=self.gen)
            running = 0.0
            for idx in perm.split(self.batch_size):
                self.optimizer.zero_grad()
                loss = self.criterion(self.net(x[idx]), y[idx])
                loss.backward()
                self.optimizer.step()
                running += loss.item() * len(idx)
            self.curve.append(running / len(x))
            if verbose and epoch % 5 == 0:
                print(f"    epoch {epoch:3d} loss {self.curve[-1]:.4f}")
        return self

    @torch.no_grad()
    def predict_proba(self, x):
        self.net.eval()
        return self.net(x).softmax(-1)

    def score(self, x, y):
        return (self.predict_proba(x).argmax(-1) == y).float().mean().item()
