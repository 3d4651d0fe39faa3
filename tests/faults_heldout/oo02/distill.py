import json
import os
import sys

import torch

from kd.data import loaders
from kd.engine import Distiller, accuracy
from kd.models import StudentNet, TeacherNet

here = os.path.dirname(os.path.abspath(__file__))
os.chdir(here)
cfg = json.load(open(sys.argv[1] if len(sys.argv) > 1 else "config.json"))
torch.manual_seed(cfg["seed"])
train_loader, val_loader = loaders(cfg)

teacher = TeacherNet()
teacher.load_state_dict({k: v.float() if v.is_floating_point() else v
                         for k, v in torch.load(cfg["teacher_ckpt"], weights_only=True).items()})
student = StudentNet()
d = Distiller(teacher, student, cfg)
count = lambda m: sum(p.numel() for p in m.parameters())
print(f"teacher {count(teacher)} params, val acc {accuracy(d.teacher, val_loader):.4f}; student {count(student)} params")
for ep in range(cfg["epochs"]):
    loss, soft, hard = d.epoch(train_loader)
    if ep % 3 == 0 or ep == cfg["epochs"] - 1:
        print(f"epoch {ep:2d} loss {loss:.4f} soft {soft:.4f} hard {hard:.4f} "
              f"train {accuracy(student, train_loader):.4f} val {accuracy(student, val_loader):.4f}")
