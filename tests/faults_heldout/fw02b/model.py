import torch
from lightning import LightningModule
from torch import nn
from torchmetrics import MeanMetric, R2Score


class PriceNet(LightningModule):
    def __init__(self, in_dim, width=64, lr=2e-3, weight_decay=1e-4):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(
            nn.Linear(in_dim, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(), nn.Dropout(0.05),
            nn.Linear(width, 1),
        )
        self.loss_fn = nn.SmoothL1Loss()
        self.train_avg = MeanMetric()
        self.val_r2 = R2Score()

    def forward(self, x):
        return self.net(x).squeeze(-1)

    def training_step(self, batch, _):
        x, y = batch
        loss = self.loss_fn(self(x), y)
        self.train_avg.update(loss.detach())
        return loss

    def validation_step(self, batch, _):
        x, y = batch
        pred = self(x)
        self.val_r2.update(pred, y)
        self.log("val_loss", self.loss_fn(pred, y), on_epoch=True, batch_size=len(y))

    def on_train_epoch_end(self):
        if self.current_epoch % 5 == 4:
            m = self.trainer.callback_metrics
            print(f"epoch {self.current_epoch + 1:3d}  train {self.train_avg.compute():.5g}  "
                  f"val {m['val_loss']:.5g}  r2 {self._r2:.3f}")
        self.train_avg.reset()

    def on_validation_epoch_end(self):
        self._r2 = self.val_r2.compute().item()
        self.val_r2.reset()

    def configure_optimizers(self):
        opt = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr,
                                weight_decay=self.hparams.weight_decay)
        sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=self.trainer.max_epochs)
        return {"optimizer": opt, "lr_scheduler": {"scheduler": sched, "interval": "epoch"}}
