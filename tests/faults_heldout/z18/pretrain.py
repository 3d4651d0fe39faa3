"""Contrastive pre-training on unlabelled digits, probed by k nearest neighbours."""
import torch

from simclr import Encoder, knn_accuracy, nt_xent
from views import Scaler, TwoViews, images


class Pretrainer:
    def __init__(self, lr=2e-3, batch=128):
        (self.x, self.y), (self.x_val, self.y_val) = images()
        self.scaler = Scaler().fit(self.x)
        self.x = self.scaler.apply(self.x)
        self.views, self.batch = TwoViews(), batch
        self.encoder = Encoder()
        self.opt = torch.optim.Adam(self.encoder.parameters(), lr=lr)

    def epoch(self):
        self.encoder.train()
        losses = []
        for i in torch.randperm(len(self.x)).split(self.batch):
            a, b = self.views(self.x[i])
            loss = nt_xent(self.encoder(a), self.encoder(b))
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def probe(self):
        self.encoder.eval()
        bank = self.encoder.trunk(self.x)
        query = self.encoder.trunk(self.scaler.apply(self.x_val))
        return knn_accuracy(bank, self.y, query, self.y_val)

    def run(self, epochs):
        for e in range(epochs):
            loss = self.epoch()
            print(f"epoch {e:2d}  nt-xent {loss:.4f}  knn accuracy {self.probe():.3f}")


if __name__ == "__main__":
    torch.manual_seed(18)
    Pretrainer().run(15)
