import torch
import torch.nn.functional as F

from nets import Student, Teacher
from pixels import jitter, splits


def read_config(path):
    cfg = {}
    for line in open(path):
        key, _, value = line.partition(":")
        value = value.strip()
        try:
            cfg[key.strip()] = float(value) if "." in value else int(value)
        except ValueError:
            cfg[key.strip()] = value
    return cfg


def kd_loss(student, teacher, target, T, w):
    soft = F.kl_div(
        F.log_softmax(student / T, 1), F.log_softmax(teacher / T, 1),
        reduction="batchmean", log_target=True) * T * T
    hard = F.cross_entropy(student, target)
    return w * soft + (1 - w) * hard, soft.detach(), hard.detach()


@torch.no_grad()
def check(net, x, y):
    net.eval()
    z = net(x)
    return F.cross_entropy(z, y).item(), (z.argmax(1) == y).float().mean().item()


cfg = read_config("distill.yaml")
torch.manual_seed(cfg["seed"])
(x, y), val, test = splits()

teacher = Teacher()
teacher.load_state_dict(torch.load(cfg["teacher"]))
teacher.eval().requires_grad_(False)
print("teacher  val loss %.4f acc %.4f" % check(teacher, *val))

student = Student()
opt = torch.optim.AdamW(student.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
per_epoch = len(x) // cfg["batch"]
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"] * per_epoch)

for epoch in range(1, cfg["epochs"] + 1):
    student.train()
    s_sum = h_sum = 0.0
    for idx in torch.randperm(len(x)).split(cfg["batch"]):
        xb = jitter(x[idx])
        with torch.no_grad():
            guide = teacher(xb)
        loss, soft, hard = kd_loss(student(xb), guide, y[idx], cfg["temperature"], cfg["soft_weight"])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        s_sum += soft.item()
        h_sum += hard.item()
    if epoch % 4 == 0:
        vl, va = check(student, *val)
        print(f"epoch {epoch:2d}  soft {s_sum / per_epoch:.4f}  hard {h_sum / per_epoch:.4f}  "
              f"val {vl:.4f}  acc {va:.4f}")

print("student test loss %.4f acc %.4f" % check(student, *test))
