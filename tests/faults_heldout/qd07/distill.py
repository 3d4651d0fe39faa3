import configparser

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, Subset, TensorDataset

from nets import Student, Teacher


def jitter(x):
    """Sensor noise."""
    return x + 0.05 * torch.randn_like(x)


def accuracy(model, loader):
    model.eval()
    good = total = 0
    with torch.no_grad():
        for x, y in loader:
            good += (model(x).argmax(1) == y).sum().item()
            total += len(y)
    return good / total


def main():
    ini = configparser.ConfigParser()
    ini.read("distill.ini")
    c = ini["distill"]
    torch.manual_seed(c.getint("seed"))
    np.random.seed(c.getint("seed"))

    d = load_digits()
    images = torch.tensor(d.images / 16.0, dtype=torch.float32).unsqueeze(1)
    data = TensorDataset(images, torch.tensor(d.target))
    split = np.load("split.npz")
    train = DataLoader(Subset(data, split["train"]), batch_size=c.getint("batch"), shuffle=True)
    test = DataLoader(Subset(data, split["test"]), batch_size=256)

    teacher = Teacher()
    teacher.load_state_dict(torch.load("teacher.pt", weights_only=True))
    teacher.requires_grad_(False).eval()
    print(f"teacher: test accuracy {accuracy(teacher, test):.4f}")

    student = Student(c.getint("hidden"))
    opt = torch.optim.SGD(student.parameters(), lr=c.getfloat("lr"), momentum=0.9, nesterov=True, weight_decay=1e-4)
    epochs = c.getint("epochs")
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    temp, alpha = c.getfloat("temperature"), c.getfloat("alpha")
    for epoch in range(epochs):
        student.train()
        soft_sum = hard_sum = seen = 0
        for x, y in train:
            x = jitter(x)
            with torch.no_grad():
                target = F.log_softmax(teacher(x) / temp, 1)
            out = student(x)
            soft = F.kl_div(F.log_softmax(out / temp, 1), target, reduction="batchmean", log_target=True) * temp ** 2
            hard = F.cross_entropy(out, y)
            loss = alpha * soft + (1 - alpha) * hard
            opt.zero_grad()
            loss.backward()
            opt.step()
            soft_sum += soft.item() * len(y)
            hard_sum += hard.item() * len(y)
            seen += len(y)
        sched.step()
        if epoch % 5 == 4 or epoch == 0:
            print(f"epoch {epoch + 1:3d}  kd {soft_sum / seen:.4f}  ce {hard_sum / seen:.4f}  "
                  f"train {accuracy(student, train):.4f}  test {accuracy(student, test):.4f}")


if __name__ == "__main__":
    main()
