import random

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from corpus import build_vocab, collate, encode, read
from student import TicketStudent

TEMPERATURE = 1.5
EPOCHS = 25


def distillation_loss(student, teacher, temperature):
    p_student = F.softmax(student / temperature, dim=-1)
    p_teacher = F.softmax(teacher / temperature, dim=-1)
    return temperature ** 2 * F.kl_div(p_student, p_teacher, reduction="batchmean")


@torch.no_grad()
def report(model, loader):
    model.eval()
    ce = hit = n = 0
    for feats, _, queue in loader:
        z = model(*feats)
        ce += F.cross_entropy(z, queue, reduction="sum").item()
        hit += (z.argmax(-1) == queue).sum().item()
        n += len(queue)
    model.train()
    return ce / n, hit / n


def main():
    torch.manual_seed(4)
    records = read("tickets.jsonl")
    random.Random(4).shuffle(records)
    held, used = records[:200], records[200:]
    vocab = build_vocab(used)
    pack = lambda rs: [(encode(r, vocab), r["teacher"], r["queue"]) for r in rs]
    train = DataLoader(pack(used), 32, shuffle=True, collate_fn=collate)
    test = DataLoader(pack(held), 100, collate_fn=collate)

    model = TicketStudent(len(vocab) + 1, queues=5)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=1e-5)
    for epoch in range(1, EPOCHS + 1):
        total = 0.0
        for feats, teacher, _ in train:
            loss = distillation_loss(model(*feats), teacher, TEMPERATURE)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        if epoch % 5 == 0:
            ce, acc = report(model, test)
            print(f"epoch {epoch:2d}  distill {total / len(train):+.4f}  test nll {ce:.4f}  acc {acc:.3f}")


if __name__ == "__main__":
    main()
