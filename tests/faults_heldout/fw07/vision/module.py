import lightning.pytorch as pl
import timm
import torch
from torch import nn
from torchmetrics.classification import MulticlassAccuracy


class Classifier(pl.LightningModule):
    """Any timm backbone with a small projection head."""

    def __init__(self, backbone="lcnet_035", num_classes=10, in_chans=1, img_size=24, hidden=64,
                 lr=3e-3, weight_decay=0.02):
        super().__init__()
        self.save_hyperparameters()
        self.backbone = timm.create_model(backbone, pretrained=False, in_chans=in_chans, num_classes=0)
        feat = self._probe(in_chans, img_size)
        self.head = nn.Sequential(
            nn.Linear(feat, hidden), nn.BatchNorm1d(hidden), nn.ReLU(),
            nn.Dropout(0.1), nn.Linear(hidden, num_classes),
        )
        self.criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
        self.val_acc = MulticlassAccuracy(num_classes, average="micro")

    @torch.no_grad()
    def _probe(self, in_chans, img_size):
        self.backbone.eval()
        return self.backbone(torch.zeros(1, in_chans, img_size, img_size)).shape[-1]

    def forward(self, x):
        return self.head(self.backbone(x))

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = self.criterion(self(x), y)
        self.log("train_loss", loss, on_step=False, on_epoch=True)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        self.val_acc(logits, y)
        self.log("val_loss", self.criterion(logits, y))
        self.log("val_acc", self.val_acc)

    def configure_optimizers(self):
        decay = [p for p in self.parameters() if p.requires_grad and p.ndim > 1]
        plain = [p for p in self.parameters() if p.requires_grad and p.ndim <= 1]
        opt = torch.optim.AdamW(
            [{"params": decay, "weight_decay": self.hparams.weight_decay},
             {"params": plain, "weight_decay": 0.0}], lr=self.hparams.lr)
        sched = torch.optim.lr_scheduler.OneCycleLR(
            opt, max_lr=self.hparams.lr, total_steps=self.trainer.estimated_stepping_batches, pct_start=0.2)
        return {"optimizer": opt, "lr_scheduler": {"scheduler": sched, "interval": "step"}}
