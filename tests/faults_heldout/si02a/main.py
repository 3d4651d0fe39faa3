import pathlib
import tomllib

import torch

from plantlog.data import Lines
from plantlog.net import AlarmNet
from plantlog.trainer import Trainer

here = pathlib.Path(__file__).resolve().parent
cfg = tomllib.loads((here / "run.toml").read_text())
torch.manual_seed(cfg["seed"])

train = Lines.load(here / "lines.npz", "train")
test = Lines.load(here / "lines.npz", "test")
trainer = Trainer(AlarmNet(**cfg["net"]), cfg)

for epoch in range(cfg["epochs"]):
    tl, ta = trainer.sweep(train, True)
    vl, va = trainer.sweep(test, False)
    print(f"[{epoch + 1:02d}] train nll {tl:.3f} acc {ta:.3f} | other week nll {vl:.3f} acc {va:.3f}")
torch.save(trainer.model.state_dict(), here / "alarmnet.pt")
