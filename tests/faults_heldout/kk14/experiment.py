import torch
import torch.nn.functional as F

from lib.features import Frontend
from lib.model import SoundNet
from lib.sounds import NAMES, corpus

CONFIG = dict(n_train=800, n_val=240, epochs=25, batch=40, lr=2e-3, seed=17)


class Experiment:
    def __init__(self, **cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["seed"])
        frontend = Frontend()
        waves, labels = corpus(cfg["n_train"], seed=cfg["seed"])
        self.x, self.y = frontend.fit_transform(waves), torch.tensor(labels)
        waves, labels = corpus(cfg["n_val"], seed=cfg["seed"] + 1)
        self.xv, self.yv = frontend.transform(waves), torch.tensor(labels)
        self.model = SoundNet(self.x.shape[1], len(NAMES))
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg["lr"])

    def epoch(self):
        self.model.train()
        total = hits = 0
        for idx in torch.randperm(len(self.x)).split(self.cfg["batch"]):
            out = self.model(self.x[idx])
            loss = F.cross_entropy(out, self.y[idx])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item() * len(idx)
            hits += (out.argmax(1) == self.y[idx]).sum().item()
        return total / len(self.x), hits / len(self.x)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        out = self.model(self.xv)
        return F.cross_entropy(out, self.yv).item(), (out.argmax(1) == self.yv).float().mean().item()

    def run(self):
        for e in range(self.cfg["epochs"]):
            tl, ta = self.epoch()
            vl, va = self.validate()
            if e % 3 == 0 or e == self.cfg["epochs"] - 1:
                print(f"epoch {e:02d}: train {tl:.3f} ({ta:.1%})  val {vl:.3f} ({va:.1%})")


if __name__ == "__main__":
    Experiment(**CONFIG).run()
