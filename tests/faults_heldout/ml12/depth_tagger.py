"""Tags every token of a nested expression with its depth. The lessons get deeper and longer one after the other."""
import argparse
from dataclasses import dataclass

import torch
from torch import nn

SYMBOLS = ["<pad>", "(", ")", "x", "+"]
PAD, OPEN, CLOSE, ATOM, PLUS = range(5)
IGNORE = -100


@dataclass
class Lesson:
    max_depth: int
    length: int
    steps: int


LESSONS = [Lesson(2, 12, 150), Lesson(4, 18, 200), Lesson(6, 26, 250), Lesson(8, 34, 500)]


def expression(max_depth, length):
    tokens, tags, depth = [], [], 0
    n = int(torch.randint(length // 2, length + 1, ()))
    for u in torch.rand(n).tolist():
        if u < 0.42 and depth < max_depth:
            depth += 1
            tokens.append(OPEN)
            tags.append(depth)
        elif u < 0.72 and depth > 0:
            tokens.append(CLOSE)
            tags.append(depth)
            depth -= 1
        else:
            tokens.append(ATOM if u < 0.9 else PLUS)
            tags.append(depth)
    return tokens, tags


def batch(lesson, size):
    rows = [expression(lesson.max_depth, lesson.length) for _ in range(size)]
    width = max(len(t) for t, _ in rows)
    x = torch.full((size, width), PAD)
    y = torch.full((size, width), IGNORE)
    for i, (tokens, tags) in enumerate(rows):
        x[i, : len(tokens)] = torch.tensor(tokens)
        y[i, : len(tags)] = torch.tensor(tags)
    return x, y


class Tagger(nn.Module):
    def __init__(self, classes, width=48):
        super().__init__()
        self.emb = nn.Embedding(len(SYMBOLS), 16, padding_idx=PAD)
        self.rnn = nn.LSTM(16, width, batch_first=True)
        self.out = nn.Linear(width, classes)

    def forward(self, x):
        return self.out(self.rnn(self.emb(x))[0])


def loss_of(net, x, y):
    return nn.functional.cross_entropy(net(x).transpose(1, 2), y, ignore_index=IGNORE)


@torch.no_grad()
def exam(net, x, y):
    net.eval()
    loss = loss_of(net, x, y).item()
    real = y != IGNORE
    right = (net(x).argmax(-1) == y)[real].float().mean().item()
    net.train()
    return loss, right


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--seed", type=int, default=6)
    a = ap.parse_args()
    torch.manual_seed(a.seed)

    final_exam = batch(LESSONS[-1], 120)
    net = Tagger(classes=LESSONS[-1].max_depth + 1)
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    step = 0
    for number, lesson in enumerate(LESSONS):
        # the last lesson is worked through with a falling rate, and with one easier expression set in four
        last = number == len(LESSONS) - 1
        for k in range(lesson.steps):
            if last:
                opt.param_groups[0]["lr"] = a.lr * (1 - k / lesson.steps) + 1e-5
            source = LESSONS[k // 4 % 3] if last and k % 4 == 3 else lesson
            loss = loss_of(net, *batch(source, a.batch))
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            step += 1
            if step % 50 == 0:
                exam_loss, right = exam(net, *final_exam)
                print(f"step {step:4d}  lesson {number + 1}  loss {loss.item():.4f}  exam loss {exam_loss:.4f}  tags right {right:.3f}")


if __name__ == "__main__":
    main()
