import json
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from distil.build import load_teacher, student_from
from distil.data import make

HERE = Path(__file__).parent
CFG = json.loads((HERE / "config.json").read_text())


def distil_loss(s, t, y, temp, alpha):
    soft = F.kl_div(F.log_softmax(s / temp, -1), F.softmax(t / temp, -1), reduction="batchmean") * temp**2
    return alpha * soft + (1 - alpha) * F.cross_entropy(s, y)


def accuracy(net, x, y):
    net.eval()
    with torch.no_grad():
        hit = sum((net(x[i:i + 250]).argmax(1) == y[i:i + 250]).sum().item() for i in range(0, len(x), 250))
    net.train()
    return hit / len(x)


def main():
    torch.manual_seed(CFG["seed"])
    teacher = load_teacher(HERE / "teacher.pt")
    student = student_from(teacher, CFG["keep_blocks"])
    x, y = make(CFG["train_size"], seed=1)
    xv, yv = make(1000, seed=2)
    loader = DataLoader(TensorDataset(x, y), batch_size=CFG["batch_size"], shuffle=True, drop_last=True)
    opt = torch.optim.AdamW(student.parameters(), lr=CFG["lr"], weight_decay=0.01)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, CFG["epochs"] * len(loader))
    print(f"teacher acc {accuracy(teacher.eval(), xv, yv):.3f}")
    teacher.eval()
    for epoch in range(CFG["epochs"]):
        run = 0.0
        for xb, yb in loader:
            with torch.no_grad():
                t = teacher(xb)
            loss = distil_loss(student(xb), t, yb, CFG["temperature"], CFG["alpha"])
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
            run += loss.item()
        print(f"epoch {epoch} loss {run / len(loader):.4f} student acc {accuracy(student, xv, yv):.3f}")


if __name__ == "__main__":
    main()
