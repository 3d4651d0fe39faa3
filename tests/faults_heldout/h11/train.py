import torch
from torch import nn
from torch.utils.data import DataLoader

from dataset import BLANK, Lines, collate, glyphs
from recognizer import Recognizer, greedy


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        prev, row[0] = row[0], i
        for j, cb in enumerate(b, 1):
            prev, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, prev + (ca != cb))
    return row[-1]


def validate(net, loader, ctc):
    net.eval()
    edits = chars = exact = lines = 0
    loss = 0.0
    with torch.no_grad():
        for x, widths, targets, lengths in loader:
            lp, steps = net(x, widths)
            loss += ctc(lp.transpose(0, 1), targets, steps, lengths).item() * len(x)
            for hyp, ref in zip(greedy(lp, steps), targets.split(lengths.tolist())):
                ref = ref.tolist()
                edits += distance(hyp, ref)
                chars += len(ref)
                exact += hyp == ref
                lines += 1
    return loss / lines, edits / chars, exact / lines


if __name__ == "__main__":
    torch.manual_seed(0)
    xa, xb, ya, yb = glyphs()
    train = DataLoader(Lines(xa, ya, 2000, seed=1), batch_size=16, shuffle=True, collate_fn=collate)
    val = DataLoader(Lines(xb, yb, 200, seed=2), batch_size=100, collate_fn=collate)
    net = Recognizer()
    ctc = nn.CTCLoss(blank=BLANK)
    optim = torch.optim.Adam(net.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.StepLR(optim, step_size=4, gamma=0.3)
    for epoch in range(1, 7):
        net.train()
        total = 0.0
        for x, widths, targets, lengths in train:
            log_probs, steps = net(x, widths)
            loss = ctc(log_probs.transpose(0, 1), targets, steps, lengths)
            optim.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optim.step()
            total += loss.item()
        sched.step()
        vl, cer, acc = validate(net, val, ctc)
        print(f"epoch {epoch}: ctc {total / len(train):.3f} | val ctc {vl:.3f} cer {cer:.3f} exact {acc:.3f}")
