import torch
from torch import nn

from .nets import PumpNet, trainable
from .tables import loaders


class Run:
    def __init__(self, settings):
        torch.manual_seed(settings.seed)
        self.s = settings
        self.train_loader, self.valid_loader = loaders(settings)
        self.model = PumpNet(self.train_loader.dataset.tensors[0].shape[1], settings)
        self.optimizer = torch.optim.AdamW(trainable(self.model, settings), lr=settings.lr, weight_decay=settings.weight_decay)
        self.loss = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(settings.positive_weight))

    def execute(self):
        for epoch in range(1, self.s.epochs + 1):
            loss = self.one_epoch()
            found, balanced = self.measure()
            print(f"{epoch:02d}/{self.s.epochs} loss={loss:.4f} valid_loss={found:.4f} balanced_accuracy={balanced:.3f}")

    def one_epoch(self):
        self.model.train()
        losses = []
        for x, y in self.train_loader:
            value = self.loss(self.model(x), y)
            self.optimizer.zero_grad()
            value.backward()
            self.optimizer.step()
            losses.append(value.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def measure(self):
        self.model.eval()
        outputs, truth = zip(*((self.model(x), y) for x, y in self.valid_loader))
        z, y = torch.cat(outputs), torch.cat(truth)
        recalls = [((z > 0) == bool(c))[y == c].float().mean().item() for c in (0, 1)]
        return self.loss(z, y).item(), sum(recalls) / 2
