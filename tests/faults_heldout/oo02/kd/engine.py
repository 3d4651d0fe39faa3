import torch
import torch.nn.functional as F


def distill_loss(student_logits, teacher_logits, target, T, alpha):
    soft = F.kl_div(F.log_softmax(student_logits / T, 1), F.log_softmax(teacher_logits / T, 1),
                    reduction="batchmean", log_target=True) * (T * T)
    hard = F.cross_entropy(student_logits, target)
    return alpha * soft + (1 - alpha) * hard, soft.detach(), hard.detach()


@torch.no_grad()
def accuracy(model, loader):
    was = model.training
    model.eval()
    hit = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    model.train(was)
    return hit / len(loader.dataset)


class Distiller:
    def __init__(self, teacher, student, cfg):
        self.teacher = teacher.eval().requires_grad_(False)
        self.student = student
        self.cfg = cfg
        self.opt = torch.optim.SGD(student.parameters(), lr=cfg["lr"], momentum=0.9, nesterov=True)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg["epochs"])

    def epoch(self, loader):
        self.student.train()
        tot = soft_tot = hard_tot = n = 0
        for x, y in loader:
            with torch.no_grad():
                t = self.teacher(x)
            loss, soft, hard = distill_loss(self.student(x), t, y, self.cfg["temperature"], self.cfg["alpha"])
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            k = len(y)
            tot += loss.item() * k
            soft_tot += soft.item() * k
            hard_tot += hard.item() * k
            n += k
        self.sched.step()
        return tot / n, soft_tot / n, hard_tot / n
