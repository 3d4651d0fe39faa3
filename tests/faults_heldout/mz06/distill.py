import pathlib

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from models import Student, TeacherCNN

HERE = pathlib.Path(__file__).parent
TEMPERATURE = 4.0
ALPHA = 0.8


class DistillationLoss(nn.Module):
    """Soft targets from a fixed teacher plus the usual cross entropy (Hinton et al. 2015)."""

    def __init__(self, teacher, temperature, alpha):
        super().__init__()
        self.teacher = teacher.eval().requires_grad_(False)
        self.t = temperature
        self.alpha = alpha

    def train(self, mode=True):
        super().train(mode)
        self.teacher.eval()
        return self

    def forward(self, student_logits, images, labels):
        with torch.no_grad():
            soft = F.softmax(self.teacher(images) / self.t, dim=1)
        log_p = F.log_softmax(student_logits / self.t, dim=1)
        kd = F.kl_div(log_p, soft, reduction="batchmean") * self.t ** 2
        ce = F.cross_entropy(student_logits, labels)
        return self.alpha * kd + (1 - self.alpha) * ce


def load_split():
    digits = load_digits()
    x = torch.tensor(digits.images / 16.0, dtype=torch.float32).unsqueeze(1)
    y = torch.tensor(digits.target)
    tr, te = train_test_split(range(len(y)), test_size=0.3, random_state=0, stratify=digits.target)
    return TensorDataset(x[tr], y[tr]), TensorDataset(x[te], y[te])


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    hits = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    return hits / len(loader.dataset)


def main(seed=0, epochs=40):
    torch.manual_seed(seed)
    train_set, test_set = load_split()
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
    test_loader = DataLoader(test_set, batch_size=256)

    teacher = TeacherCNN()
    teacher.load_state_dict(torch.load(HERE / "teacher.pt", weights_only=True))
    print(f"teacher accuracy {accuracy(teacher, test_loader):.4f}")

    student = Student()
    criterion = DistillationLoss(teacher, TEMPERATURE, ALPHA)
    optimizer = torch.optim.Adam(student.parameters(), lr=2e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for epoch in range(epochs):
        student.train()
        total = 0.0
        for images, labels in train_loader:
            loss = criterion(student(images), images, labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(labels)
        scheduler.step()
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1:2d}  loss {total / len(train_set):.4f}  student accuracy {accuracy(student, test_loader):.4f}")


if __name__ == "__main__":
    main()
