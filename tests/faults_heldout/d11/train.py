import torch
from torch.utils.data import DataLoader

from detect.losses import detection_loss
from detect.metrics import Tally
from detect.model import Detector
from detect.scenes import SHAPES, OneObject
from detect.settings import from_command_line


class Run:
    def __init__(self, s):
        torch.manual_seed(s.seed)
        self.s = s
        self.train = DataLoader(OneObject(s.train_images, 1), batch_size=s.batch, shuffle=True)
        self.test = DataLoader(OneObject(s.test_images, 2), batch_size=250)
        self.model = Detector(len(SHAPES))
        self.opt = torch.optim.SGD(self.model.parameters(), lr=s.lr, momentum=s.momentum, weight_decay=s.weight_decay)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, s.epochs * len(self.train))

    def fit(self):
        for e in range(self.s.epochs):
            self.model.train()
            parts = {"cls": 0.0, "box": 0.0}
            for batch in self.train:
                loss, p = detection_loss(self.model(batch["image"]), batch, self.model.size)
                self.opt.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.s.clip)
                self.opt.step()
                self.sched.step()
                for k in parts:
                    parts[k] += p[k] / len(self.train)
            t = self.score()
            print(f"epoch {e} cls {parts['cls']:.4f} box {parts['box']:.4f} | "
                  f"test acc {t.accuracy:.3f} mean IoU {t.mean_iou:.3f} recall@0.7 {t.recall_at(0.7):.3f}")
        for row in t.table():
            print(row)

    @torch.no_grad()
    def score(self):
        self.model.eval()
        tally = Tally(SHAPES)
        for batch in self.test:
            logits, boxes = self.model(batch["image"])
            tally.add(logits, boxes, batch)
        return tally


if __name__ == "__main__":
    Run(from_command_line()).fit()
