import torch
from torch import nn
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, model, splits, cfg):
        self.model = model
        self.splits = splits
        self.cfg = cfg
        self.loss_fn = nn.MSELoss()
        self.optimizer = torch.optim.AdamW(
            model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay
        )
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(
            self.optimizer, T_max=cfg.epochs, eta_min=cfg.lr * 0.02
        )

    def fit(self):
        loader = DataLoader(
            self.splits.train, batch_size=self.cfg.batch_size, shuffle=True
        )
        for epoch in range(1, self.cfg.epochs + 1):
            self.model.train()
            total = 0.0
            for x, y in loader:
                loss = self.loss_fn(self.model(x), y)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                total += loss.item() * len(x)
            self.scheduler.step()
            if epoch % 10 == 0 or epoch == 1:
                val = self.evaluate(self.splits.val)
                print(
                    f"epoch {epoch:3d}  loss {total / len(self.splits.train):.5g}"
                    f"  val MAE {val['mae'] / 1000:.1f} MWh  R2 {val['r2']:.3f}"
                )

    @torch.no_grad()
    def evaluate(self, dataset):
        self.model.eval()
        tf = self.splits.target_transform
        x, y = dataset.tensors
        pred, true = tf.inverse(self.model(x)), tf.inverse(y)
        err = pred - true
        return {
            "mae": err.abs().mean().item(),
            "r2": 1 - (err.pow(2).sum() / (true - true.mean()).pow(2).sum()).item(),
        }
