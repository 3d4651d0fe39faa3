# %% Synthetic wind samples (east and north components) for the turbine simulator
import lightning as L
import numpy as np
import pandas as pd
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
L.seed_everything(19, verbose=False)


# %%
def components(csv):
    t = pd.read_csv(csv)
    a = np.deg2rad(t.direction_deg)
    return torch.tensor(np.c_[-t.speed_ms * np.sin(a), -t.speed_ms * np.cos(a)], dtype=torch.float32)


train_raw, next_year = components("station_2021.csv"), components("station_2022.csv")
mu, sd = train_raw.mean(0), train_raw.std(0)
train_x, test_x = (train_raw - mu) / sd, (next_year - mu) / sd


def sliced_w1(a, b, k=64):
    g = torch.Generator().manual_seed(0)
    d = F.normalize(torch.randn(a.shape[1], k, generator=g), dim=0)
    return ((a @ d).sort(0).values - (b @ d).sort(0).values).abs().mean().item()


# %%
def mlp(i, o, act):
    return nn.Sequential(nn.Linear(i, 64), act, nn.Linear(64, 64), act, nn.Linear(64, o))


class WindGAN(L.LightningModule):
    def __init__(self, z=8):
        super().__init__()
        self.automatic_optimization = False
        self.z = z
        self.gen = mlp(z, 2, nn.ReLU())
        self.dis = mlp(2, 1, nn.LeakyReLU(0.2))
        self.avg_gen = torch.optim.swa_utils.AveragedModel(
            self.gen, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.99))

    def configure_optimizers(self):
        return (torch.optim.Adam(self.gen.parameters(), lr=1e-3, betas=(0.5, 0.9)),
                torch.optim.Adam(self.dis.parameters(), lr=2e-3, betas=(0.5, 0.9)))

    def training_step(self, batch, _):
        (real,) = batch
        og, od = self.optimizers()

        self.toggle_optimizer(od)
        fake = self.gen(torch.randn(len(real), self.z)).detach()
        x = real.clone().requires_grad_(True)
        s = self.dis(x)
        (slope,) = torch.autograd.grad(s.sum(), x, create_graph=True)
        d_loss = F.softplus(-s).mean() + F.softplus(self.dis(fake)).mean() + 0.01 * slope.square().sum(1).mean()
        od.zero_grad()
        self.manual_backward(d_loss)
        od.step()
        self.untoggle_optimizer(od)

        self.toggle_optimizer(og)
        g_loss = F.softplus(-self.dis(self.gen(torch.randn(len(real), self.z)))).mean()
        og.zero_grad()
        self.manual_backward(g_loss)
        og.step()
        self.untoggle_optimizer(og)
        self.avg_gen.update_parameters(self.gen)
        self.log_dict({"d_loss": d_loss, "g_loss": g_loss}, on_step=False, on_epoch=True)

    def validation_step(self, batch, _):
        (real,) = batch
        self.log("w1", sliced_w1(self.avg_gen(torch.randn(len(real), self.z)), real))

    def on_train_epoch_end(self):
        if self.current_epoch % 4 == 3:
            m = self.trainer.callback_metrics
            print(f"epoch {self.current_epoch + 1:3d}  D {m['d_loss']:.3f}  G {m['g_loss']:.3f}  W1 {m['w1']:.3f}")


# %%
model = WindGAN()
L.Trainer(max_epochs=48, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False,
          enable_model_summary=False, num_sanity_val_steps=0).fit(
    model, DataLoader(TensorDataset(train_x), 128, shuffle=True, drop_last=True), DataLoader(TensorDataset(test_x), 2000))

print("W1 of 2021 against 2022: %.3f" % sliced_w1(train_x[torch.randperm(len(train_x))[:2000]], test_x))
with torch.no_grad():
    w = model.avg_gen(torch.randn(2000, model.z)) * sd + mu
print("mean speed  synthetic %.2f  observed %.2f m/s" % (w.norm(dim=1).mean(), next_year.norm(dim=1).mean()))
