import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits

from mixer import Mixer
from optim_utils import build_optimizer

EPOCHS, BATCH, LR, WD = 12, 48, 2e-3, 0.02


class Experiment:
    def __init__(self, seed=1):
        torch.manual_seed(seed)
        digits = load_digits()
        x = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
        x = (x - 0.305) / 0.376
        y = torch.tensor(digits.target)
        perm = torch.randperm(len(y))
        self.train = x[perm[:1400]], y[perm[:1400]]
        self.test = x[perm[1400:]], y[perm[1400:]]
        self.model = Mixer()
        self.optimizer = build_optimizer(self.model, LR, WD)

    def run_epoch(self):
        self.model.train()
        x, y = self.train
        history = []
        for rows in torch.randperm(len(y)).split(BATCH):
            self.model.zero_grad()
            loss = F.cross_entropy(self.model(x[rows]), y[rows])
            loss.backward()
            self.optimizer.step()
            history.append(loss.item())
        return sum(history) / len(history)

    @torch.no_grad()
    def test_accuracy(self):
        self.model.eval()
        x, y = self.test
        return (self.model(x).argmax(1) == y).float().mean().item()


exp = Experiment()
for e in range(EPOCHS):
    print(f"{e:2d}  loss={exp.run_epoch():.4f}  test={exp.test_accuracy():.3f}")
