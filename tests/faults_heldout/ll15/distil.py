"""Distils the convolutional digit reader into a network with one-bit weights.

Only 250 of the training images have a label; the teacher's answers are used on all of them.
"""
import argparse
import math
import os

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits

from binary import BinaryStudent
from teacher import Teacher

ROOT = os.path.dirname(os.path.abspath(__file__))


def get_data():
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 8 - 1
    y = torch.tensor(d.target)
    order = torch.load(os.path.join(ROOT, "teacher.pt"), weights_only=True)["order"]   # same split as the teacher
    tr, te = order[:1300], order[1300:]
    return x[tr], y[tr], x[te], y[te]


def kd_loss(student, teacher, t):
    return F.kl_div(F.log_softmax(student / t, 1), F.log_softmax(teacher / t, 1), log_target=True,
                    reduction="batchmean") * t * t


@torch.no_grad()
def accuracy(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


def train(student, teacher, data, a):
    x, y, xt, yt = data
    labelled = torch.zeros(len(x), dtype=torch.bool)
    labelled[:a.labels] = True
    latent = [p for n, p in student.named_parameters() if n in ("first.weight", "second.weight")]
    other = [p for n, p in student.named_parameters() if n not in ("first.weight", "second.weight")]
    opt = torch.optim.Adam([{"params": latent, "lr": a.lr}, {"params": other, "lr": a.lr / 3}])
    steps = a.epochs * math.ceil(len(x) / a.batch)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    with torch.no_grad():
        teacher.eval()
        answers = teacher(x)
    for epoch in range(1, a.epochs + 1):
        student.train()
        sums = torch.zeros(2)
        for idx in torch.randperm(len(x)).split(a.batch):
            out = student(x[idx])
            soft = kd_loss(out, answers[idx], a.temperature)
            m = labelled[idx]
            hard = F.cross_entropy(out[m], y[idx][m]) if m.any() else out.new_zeros(())
            loss = a.mix * soft + (1 - a.mix) * hard
            opt.zero_grad()
            loss.backward()
            opt.step()
            student.clip()
            sched.step()
            sums += torch.stack([soft.detach() * len(idx), hard.detach() * m.sum()])
        if epoch % 3 == 0:
            s, h = (sums / torch.tensor([len(x), a.labels])).tolist()
            print(f"epoch {epoch:3d}  soft {s:.4f}  hard {h:.4f}  test accuracy {accuracy(student, xt, yt):.3f}")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=30)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--lr", type=float, default=6e-3)
    p.add_argument("--temperature", type=float, default=4.0)
    p.add_argument("--mix", type=float, default=0.8)
    p.add_argument("--labels", type=int, default=250)
    a = p.parse_args()
    torch.manual_seed(0)
    data = get_data()
    teacher = Teacher()
    teacher.load_state_dict(torch.load(os.path.join(ROOT, "teacher.pt"), weights_only=True)["state"])
    teacher.requires_grad_(False)
    student = BinaryStudent()
    n_t = sum(q.numel() for q in teacher.parameters())
    print(f"teacher {n_t * 32 / 8192:.0f} KiB, test accuracy {accuracy(teacher, *data[2:]):.3f}; "
          f"student {student.size_in_bits() / 8192:.0f} KiB, untrained {accuracy(student, *data[2:]):.3f}")
    train(student, teacher, data, a)
    agree = (student.eval()(data[2]).argmax(1) == teacher(data[2]).argmax(1)).float().mean().item()
    print(f"student and teacher agree on {agree:.3f} of the test images")


if __name__ == "__main__":
    main()
