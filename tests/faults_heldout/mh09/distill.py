import sys

import torch
import torch.nn.functional as F
import yaml
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from networks import Student, Teacher


def load_data(split):
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16.0
    y = torch.tensor(d.target)
    tr, te = train_test_split(range(len(y)), stratify=d.target, **split)
    return x[tr], y[tr], x[te], y[te]


def jitter(x):
    """Shift the whole batch by at most one pixel."""
    dy, dx = torch.randint(-1, 2, (2,)).tolist()
    return F.pad(x, (1, 1, 1, 1))[:, :, 1 + dy:9 + dy, 1 + dx:9 + dx]


def kd_loss(student_logits, teacher_logits, y, temperature, alpha):
    soft = F.kl_div(
        F.log_softmax(student_logits / temperature, dim=1),
        F.log_softmax(teacher_logits / temperature, dim=1),
        log_target=True, reduction="batchmean",
    ) * temperature**2
    return alpha * soft + (1 - alpha) * F.cross_entropy(student_logits, y)


@torch.no_grad()
def evaluate(net, x, y):
    net.eval()
    logits = net(x)
    return F.cross_entropy(logits, y).item(), (logits.argmax(1) == y).float().mean().item()


def main(path):
    cfg = yaml.safe_load(open(path))
    torch.manual_seed(cfg["seed"])
    x_tr, y_tr, x_te, y_te = load_data(cfg["split"])

    teacher = Teacher()
    state = torch.load(cfg["teacher"], weights_only=True)
    teacher.load_state_dict({k: v.float() if v.is_floating_point() else v for k, v in state.items()})
    teacher.eval().requires_grad_(False)
    print("teacher: loss %.4f acc %.4f" % evaluate(teacher, x_te, y_te))

    student = Student(**cfg["student"])
    t = cfg["train"]
    opt = torch.optim.AdamW(student.parameters(), lr=t["lr"], weight_decay=t["weight_decay"])
    n_batches = len(x_tr) // t["batch_size"]
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, t["epochs"] * n_batches)

    for epoch in range(t["epochs"]):
        student.train()
        total = 0.0
        perm = torch.randperm(len(x_tr))
        for b in range(n_batches):
            idx = perm[b * t["batch_size"]:(b + 1) * t["batch_size"]]
            xb = jitter(x_tr[idx])
            with torch.no_grad():
                target = teacher(xb)
            loss = kd_loss(student(xb), target, y_tr[idx], **cfg["kd"])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item()
        if epoch % 3 == 2:
            val_loss, acc = evaluate(student, x_te, y_te)
            print(f"epoch {epoch + 1:2d}: kd loss {total / n_batches:.4f}  test ce {val_loss:.4f}  test acc {acc:.4f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "config.yaml")
