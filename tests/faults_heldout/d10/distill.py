import os

import torch
import torch.nn.functional as F

from nets import Net, load

HERE = os.path.dirname(os.path.abspath(__file__))


def restore_teacher():
    state = torch.load(os.path.join(HERE, "teacher.pt"))
    ref = next(iter(state.values()))
    teacher = Net(ref.shape[0]).to(ref.dtype)
    teacher.load_state_dict(state)
    return teacher.eval().requires_grad_(False)


class Distiller:
    def __init__(self, teacher, width=32, lr=1e-3, temperature=3.0, mix=0.7):
        self.teacher = teacher
        self.dtype = next(teacher.parameters()).dtype
        self.student = Net(width).to(self.dtype)
        self.opt = torch.optim.SGD(self.student.parameters(), lr=lr, momentum=0.9)
        self.T, self.mix = temperature, mix

    def step(self, x, y):
        with torch.no_grad():
            soft = F.softmax(self.teacher(x.to(self.dtype)).float() / self.T, dim=1)
        out = self.student(x.to(next(self.student.parameters()).dtype)).float()
        kd = F.kl_div(F.log_softmax(out / self.T, dim=1), soft, reduction="batchmean") * self.T ** 2
        loss = self.mix * kd + (1 - self.mix) * F.cross_entropy(out, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def test(self, x, y):
        with torch.no_grad():
            out = self.student(x.to(next(self.student.parameters()).dtype)).float()
        return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(6)
    xtr, ytr, xte, yte = load()
    d = Distiller(restore_teacher())
    for epoch in range(60):
        losses = [d.step(xtr[b], ytr[b]) for b in torch.randperm(len(xtr)).split(32)]
        if epoch % 5 == 4:
            nll, acc = d.test(xte, yte)
            print(f"epoch {epoch + 1:2d}  loss {sum(losses) / len(losses):.4f}  test nll {nll:.4f}  test acc {acc:.4f}")
