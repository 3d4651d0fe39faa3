"""Mean teacher: 100 labelled digits, the rest unlabelled."""
import copy
import logging

import torch
import torch.nn.functional as F
from torch import nn

from data import jitter, load

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("mt")

STEPS = 600
RAMP = 200
EMA = 0.98
CONSISTENCY = 4.0


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 24, 3, padding=1)
        self.c2 = nn.Conv2d(24, 48, 3, padding=1)
        self.n1, self.n2 = nn.GroupNorm(4, 24), nn.GroupNorm(4, 48)
        self.drop = nn.Dropout(0.3)
        self.fc = nn.Linear(48 * 4, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.n1(self.c1(x))), 2)
        x = F.max_pool2d(F.relu(self.n2(self.c2(x))), 2)
        return self.fc(self.drop(x.flatten(1)))


@torch.no_grad()
def update_teacher(teacher, student, step):
    d = min(EMA, 1 - 1 / (step + 1))
    for t, s in zip(teacher.parameters(), student.parameters()):
        t.mul_(d).add_(s, alpha=1 - d)


@torch.no_grad()
def accuracy(net, x, y):
    was = net.training
    net.eval()
    acc = (net(x).argmax(1) == y).float().mean().item()
    net.train(was)
    return acc


def main():
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(5)
    (xl, yl), xu, (xt, yt) = load()
    student = Net()
    teacher = copy.deepcopy(student).requires_grad_(False)
    opt = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9, nesterov=True, weight_decay=5e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS)

    for step in range(STEPS):
        il = torch.randint(0, len(xl), (32,), generator=gen)
        iu = torch.randint(0, len(xu), (96,), generator=gen)
        base = torch.cat([xl[il], xu[iu]])
        out_s = student(jitter(base, gen))
        with torch.no_grad():
            out_t = teacher(jitter(base, gen))
        sup = F.cross_entropy(out_s[:32], yl[il])
        w = CONSISTENCY * float(torch.exp(torch.tensor(-5.0 * (1 - min(1.0, step / RAMP)) ** 2)))
        cons = F.mse_loss(out_s.softmax(1), out_t.softmax(1))
        loss = sup + w * cons
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        update_teacher(teacher, student, step)
        if step % 100 == 0 or step == STEPS - 1:
            log.info("step %d sup %.4f cons %.5f w %.3f student %.3f teacher %.3f", step, sup.item(), cons.item(), w,
                     accuracy(student, xt, yt), accuracy(teacher, xt, yt))


if __name__ == "__main__":
    main()
