import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from s2s import DateDataset, PAD, Seq2Seq, VOCAB, collate, decode
from s2s.data import all_dates

EPOCHS, BATCH, LR = 8, 64, 5e-3


def exact_match(model, loader):
    model.eval()
    right = total = 0
    for src, n, tgt in loader:
        for p, t in zip(model.greedy(src, n).tolist(), tgt[:, 1:].tolist()):
            right += decode(p) == decode(t)
            total += 1
    return right / total


def main():
    torch.manual_seed(8)
    days = all_dates(seed=8)
    train = DataLoader(DateDataset(days[:3000], 1), batch_size=BATCH, shuffle=True, collate_fn=collate)
    val = DataLoader(DateDataset(days[3000:3400], 2), batch_size=200, collate_fn=collate)
    model = Seq2Seq(VOCAB)
    opt = torch.optim.Adam(model.parameters(), lr=LR)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=EPOCHS * len(train))
    for ep in range(EPOCHS):
        model.train()
        nll = tok = 0
        for src, n, tgt in train:
            logits = model(src, n, tgt[:, :-1])
            loss = F.cross_entropy(logits.transpose(1, 2), tgt[:, 1:], ignore_index=PAD)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            k = (tgt[:, 1:] != PAD).sum().item()
            nll += loss.item() * k; tok += k
        print(f"epoch {ep+1} train nll/token {nll/tok:.4f} val exact match {exact_match(model, val):.3f}", flush=True)


if __name__ == "__main__":
    main()
