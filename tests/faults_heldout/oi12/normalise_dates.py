import string
import time

import torch
import torch.nn.functional as F

from seq2seq import AttnDecoder, Encoder

SRC = {c: i + 1 for i, c in enumerate(string.ascii_lowercase + string.digits + " ,/")}
BOS, N_TGT, OUT_LEN = 10, 11, 6
BATCH, EPOCHS, LR, DIM = 64, 4, 4e-3, 56


def read(path):
    pairs = [line.rstrip("\n").split("\t") for line in open(path)]
    width = max(len(a) for a, _ in pairs)
    src = torch.zeros(len(pairs), width, dtype=torch.long)
    for i, (a, _) in enumerate(pairs):
        src[i, :len(a)] = torch.tensor([SRC[c] for c in a])
    tgt = torch.tensor([[int(c) for c in b] for _, b in pairs])
    return src, tgt


@torch.no_grad()
def exact_match(encoder, decoder, src, tgt):
    memory, h = encoder(src)
    state, tok, out = h[None], torch.full((len(src), 1), BOS), []
    for _ in range(OUT_LEN):
        logits, state = decoder(tok, state, memory, src == 0)
        tok = logits.argmax(-1)
        out.append(tok)
    return (torch.cat(out, 1) == tgt).all(1).float().mean().item()


def fit():
    torch.manual_seed(8)
    src, tgt = read("train.tsv")
    src_test, tgt_test = read("test.tsv")
    encoder, decoder = Encoder(len(SRC) + 1, DIM), AttnDecoder(N_TGT, DIM)
    opt = torch.optim.Adam(decoder.parameters(), lr=LR)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS * (len(src) // BATCH + 1))
    t0 = time.time()
    for epoch in range(EPOCHS):
        total = 0.0
        for idx in torch.randperm(len(src)).split(BATCH):
            s, t = src[idx], tgt[idx]
            memory, h = encoder(s)
            feed = torch.cat([torch.full((len(t), 1), BOS), t[:, :-1]], 1)
            logits, _ = decoder(feed, h[None], memory, s == 0)
            loss = F.cross_entropy(logits.flatten(0, 1), t.flatten())
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_([*encoder.parameters(), *decoder.parameters()], 1.0)
            opt.step()
            sched.step()
            total += loss.item() * len(idx)
        em = exact_match(encoder, decoder, src_test, tgt_test)
        print(f"epoch {epoch + 1} | {time.time() - t0:5.1f}s | loss {total / len(src):.4f} | exact match {em:.3f}")


if __name__ == "__main__":
    fit()
