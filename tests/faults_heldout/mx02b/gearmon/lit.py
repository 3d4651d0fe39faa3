import lightning as L
import torch
import torch.nn.functional as F

from gearmon.models import ConditionMLP


class GearboxClassifier(L.LightningModule):
    def __init__(self, n_inputs, n_classes, hidden, depth, lr, weight_decay):
        super().__init__()
        self.save_hyperparameters()
        self.net = ConditionMLP(n_inputs, n_classes, hidden, depth)

    def forward(self, x):
        return self.net(x)

    def _shared(self, batch, stage):
        x, y = batch
        logits = self(x)
        loss = F.cross_entropy(logits, y)
        acc = (logits.argmax(1) == y).float().mean()
        self.log_dict(
            {f"{stage}_loss": loss, f"{stage}_acc": acc},
            on_step=False, on_epoch=True, batch_size=len(y),
        )
        return loss

    def training_step(self, batch, _):
        return self._shared(batch, "train")

    def validation_step(self, batch, _):
        self._shared(batch, "val")

    def test_step(self, batch, _):
        self._shared(batch, "test")

    def configure_optimizers(self):
        opt = torch.optim.AdamW(
            self.parameters(),
            lr=self.hparams.lr, weight_decay=self.hparams.weight_decay,
        )
        sched = torch.optim.lr_scheduler.CosineAnnealingLR(
            opt, T_max=self.trainer.max_epochs, eta_min=self.hparams.lr / 50
        )
        return {"optimizer": opt, "lr_scheduler": sched}
