import math

import lightning as L
import torch
from torch import nn


class MixtureRegressor(L.LightningModule):
    """p(ppm | sensor) as a mixture of Gaussians; the score is the negative log-density."""

    def __init__(self, y_mean, y_std, components=3, hidden=48, lr=2e-3, warmup=100, total=2000):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(4, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(),
                                 nn.Linear(hidden, 3 * components))

    def mixture(self, x):
        logit, mean, raw = self.net(x).chunk(3, -1)
        h = self.hparams
        scale = h.y_std * (nn.functional.softplus(raw) + 0.01)
        return torch.distributions.MixtureSameFamily(
            torch.distributions.Categorical(logits=logit),
            torch.distributions.Normal(h.y_mean + h.y_std * mean, scale))

    def training_step(self, batch, _):
        x, y = batch
        loss = -self.mixture(x).log_prob(y).mean()
        self.log("train_nll", loss, on_step=False, on_epoch=True)
        return loss

    def validation_step(self, batch, _):
        x, y = batch
        d = self.mixture(x)
        self.log_dict({"val_nll": -d.log_prob(y).mean(), "val_mae": (d.mean - y).abs().mean(),
                       "pit90": (d.cdf(y) - 0.5).abs().lt(0.45).float().mean()})

    def on_train_epoch_end(self):
        m = self.trainer.callback_metrics
        print(f"{self.current_epoch + 1:3d}  train {m['train_nll']:+.3f}  val {m['val_nll']:+.3f}  "
              f"mae {m['val_mae']:.4f} ppm  90% interval holds {m['pit90']:.3f}")

    def configure_optimizers(self):
        h = self.hparams
        opt = torch.optim.AdamW(self.parameters(), lr=h.lr, weight_decay=0.01)

        def factor(step):
            if step < h.warmup:
                return (step + 1) / h.warmup
            return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1, (step - h.warmup) / (h.total - h.warmup))))

        return {"optimizer": opt, "lr_scheduler": {"scheduler": torch.optim.lr_scheduler.LambdaLR(opt, factor),
                                                   "interval": "step"}}
