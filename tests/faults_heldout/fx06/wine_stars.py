"""Star ratings of a wine club: user and wine vectors + a small mixing network.

The embeddings get their own optimiser (plain SGD with large steps, no weight decay), hence manual optimisation.
"""
import lightning as L
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)


class WineStars(L.LightningModule):
    def __init__(self, n_users, n_wines, centre, dim=12, lr_emb=0.5, lr_net=0.003):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.user = nn.Embedding(n_users, dim)
        self.wine = nn.Embedding(n_wines, dim)
        for e in (self.user, self.wine):
            nn.init.normal_(e.weight, std=0.1)
        self.net = nn.Sequential(nn.Linear(3 * dim, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 1))

    def forward(self, u, w):
        a, b = self.user(u), self.wine(w)
        return self.hparams.centre + self.net(torch.cat([a, b, a * b], 1)).squeeze(1) + (a * b).sum(1)

    def training_step(self, batch, _):
        u, w, stars = batch
        opt_emb, opt_net = self.optimizers()
        loss = nn.functional.mse_loss(self(u, w), stars)
        opt_net.zero_grad()
        self.manual_backward(loss)
        self.clip_gradients(opt_net, gradient_clip_val=2.0, gradient_clip_algorithm="norm")
        opt_emb.step()
        opt_net.step()
        self.log("train_mse", loss, on_step=False, on_epoch=True)

    def on_train_epoch_end(self):
        for s in self.lr_schedulers():
            s.step()
        m = self.trainer.callback_metrics
        print(f"epoch {self.current_epoch:2d}  train mse {m['train_mse']:.3f}  held-out rmse {m['rmse']:.3f}")

    def validation_step(self, batch, _):
        u, w, stars = batch
        mse = nn.functional.mse_loss(self(u, w).clamp(0.5, 5), stars)
        self.log("mse", mse)

    def on_validation_epoch_end(self):
        self.log("rmse", self.trainer.callback_metrics["mse"].sqrt())

    def configure_optimizers(self):
        emb = torch.optim.SGD([*self.user.parameters(), *self.wine.parameters()], lr=self.hparams.lr_emb, momentum=0.8)
        net = torch.optim.AdamW(self.net.parameters(), lr=self.hparams.lr_net, weight_decay=0.02)
        return [emb, net], [torch.optim.lr_scheduler.CosineAnnealingLR(o, 10) for o in (emb, net)]


def main():
    L.seed_everything(31, verbose=False)
    df = pd.read_csv("ratings.csv")
    cut = int(len(df) * 0.85)

    def as_set(d):
        return TensorDataset(torch.tensor(d.user.values), torch.tensor(d.wine.values),
                             torch.tensor(d.stars.values, dtype=torch.float32))

    train, held = as_set(df[:cut]), as_set(df[cut:])
    print("spread of held-out stars: %.3f" % df.stars[cut:].std())
    model = WineStars(df.user.nunique(), df.wine.nunique(), float(df.stars[:cut].mean()))
    trainer = L.Trainer(max_epochs=10, accelerator="cpu", logger=False, enable_checkpointing=False,
                        enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0)
    trainer.fit(model, DataLoader(train, batch_size=64, shuffle=True), DataLoader(held, batch_size=2000))


if __name__ == "__main__":
    main()
