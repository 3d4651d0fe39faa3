import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


class TaskStream:
    """Five tasks of two digits each, presented one after the other; the head has ten outputs throughout."""

    def __init__(self, seed=0):
        X, y = load_digits(return_X_y=True)
        a, b, c, d = train_test_split(X / 16.0, y, test_size=0.3, random_state=seed, stratify=y)
        self.x, self.xt = torch.tensor(a).float(), torch.tensor(b).float()
        self.y, self.yt = torch.tensor(c), torch.tensor(d)
        self.tasks = [(0, 1), (2, 3), (4, 5), (6, 7), (8, 9)]

    @staticmethod
    def _pick(x, y, classes):
        m = torch.isin(y, torch.tensor(classes))
        return x[m], y[m]

    def train(self, t, epochs, batch):
        x, y = self._pick(self.x, self.y, self.tasks[t])
        for ep in range(epochs):
            for i in torch.randperm(len(x)).split(batch):
                yield ep, x[i], y[i]

    def test(self, t):
        return self._pick(self.xt, self.yt, self.tasks[t])
