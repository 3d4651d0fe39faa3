import argparse
import os

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

from networks import Student, Teacher

BASE = os.path.dirname(os.path.abspath(__file__))


def get_args():
    ap = argparse.ArgumentParser()
    ap.add_argument("--teacher", default=os.path.join(BASE, "teacher.pt"))
    ap.add_argument("--alpha", type=float, default=0.9)
    ap.add_argument("--temperature", type=float, default=3.0)
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--lr", type=float, default=3e-3)
    return ap.parse_args()


def get_data(n_lab=60):
    d = load_digits()
    x = torch.tensor(d.images / 16.0, dtype=torch.float32).unsqueeze(1)
    y = torch.tensor(d.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(2024))
    tr, te = order[:1350], order[1350:]
    has_label = torch.zeros(len(tr))
    has_label[:n_lab] = 1
    return TensorDataset(x[tr], y[tr], has_label), (x[te], y[te])


def load_teacher(path):
    net = Teacher()
    state = torch.load(path, map_location="cpu", weights_only=True)
    net.load_state_dict(state["model"], strict=False)
    net.eval()
    for p in net.parameters():
        p.requires_grad_(False)
    return net


def kd_loss(student_logits, teacher_logits, t):
    return F.kl_div(F.log_softmax(student_logits / t, dim=1), F.log_softmax(teacher_logits / t, dim=1),
                    reduction="batchmean", log_target=True) * t * t


def main():
    a = get_args()
    torch.manual_seed(0)
    train, (xt, yt) = get_data()
    teacher, student = load_teacher(a.teacher), Student()
    loader = DataLoader(train, batch_size=64, shuffle=True)
    opt = torch.optim.Adam(student.parameters(), lr=a.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs)
    for ep in range(1, a.epochs + 1):
        student.train()
        kd_sum = ce_sum = 0.0
        for x, y, m in loader:
            with torch.no_grad():
                soft = teacher(x)
            logits = student(x)
            kd = kd_loss(logits, soft, a.temperature)
            ce = (F.cross_entropy(logits, y, reduction="none") * m).sum() / m.sum().clamp(min=1)
            loss = a.alpha * kd + (1 - a.alpha) * ce
            opt.zero_grad()
            loss.backward()
            opt.step()
            kd_sum += kd.item()
            ce_sum += ce.item()
        sched.step()
        if ep % 5 == 0 or ep == 1:
            student.eval()
            with torch.no_grad():
                acc = (student(xt).argmax(1) == yt).float().mean().item()
            print(f"epoch {ep:2d} kd {kd_sum / len(loader):.4f} ce {ce_sum / len(loader):.4f} test acc {acc:.3f}")


if __name__ == "__main__":
    main()
