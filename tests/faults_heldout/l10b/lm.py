"""Next-token model over the command stream of a pick-and-place machine."""
import json
import math
import os

import torch
import torch.nn as nn
import torch.nn.functional as F

CFG = json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "run.json")))
DTYPE = getattr(torch, CFG["param_dtype"])


class CommandSource:
    """Second-order Markov source: the next command depends on the last two."""

    def __init__(self, vocab, seed):
        g = torch.Generator().manual_seed(seed)
        a, b = torch.randn(vocab, vocab, generator=g), torch.randn(vocab, vocab, generator=g)
        self.p = (2.2 * (a[:, None, :] + b[None, :, :])).softmax(-1)
        self.vocab = vocab

    def sample(self, n, length, g):
        seq = torch.randint(0, self.vocab, (n, length + 1), generator=g)
        for t in range(2, length + 1):
            seq[:, t] = torch.multinomial(self.p[seq[:, t - 2], seq[:, t - 1]], 1, generator=g).squeeze(1)
        return seq

    def entropy(self, seq):
        return -self.p[seq[:, 1:-2], seq[:, 2:-1]].gather(-1, seq[:, 3:, None]).log().mean().item()


class Layer(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.ff = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))
        self.heads = heads

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.ln1(x)).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, d)
        x = x + self.proj(a)
        return x + self.ff(self.ln2(x))


class LM(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c["d_model"]
        self.tok, self.pos = nn.Embedding(c["vocab"], d), nn.Embedding(c["context"], d)
        self.layers = nn.ModuleList(Layer(d, c["n_heads"]) for _ in range(c["n_layers"]))
        self.ln = nn.LayerNorm(d)
        self.head = nn.Linear(d, c["vocab"], bias=False)
        nn.init.normal_(self.tok.weight, std=0.15)
        nn.init.normal_(self.pos.weight, std=0.15)
        if c["tie_embeddings"]:
            self.head.weight = self.tok.weight

    def forward(self, idx):
        x = self.tok(idx) + self.pos.weight[: idx.shape[1]]
        for layer in self.layers:
            x = layer(x)
        return self.head(self.ln(x)).float()


def lm_loss(model, seq):
    return F.cross_entropy(model(seq[:, :-1]).flatten(0, 1), seq[:, 1:].flatten())


def main():
    torch.manual_seed(CFG["seed"])
    g = torch.Generator().manual_seed(CFG["seed"] + 1)
    src = CommandSource(CFG["vocab"], 3)
    held = [src.sample(64, CFG["context"], g) for _ in range(CFG["eval_batches"])]
    print("source entropy after the second command: %.3f nats" % (sum(map(src.entropy, held)) / len(held)))
    model = LM(CFG).to(DTYPE)
    oc = CFG["optimizer"]
    opt = torch.optim.AdamW(model.parameters(), lr=oc["lr"], betas=tuple(oc["betas"]), weight_decay=oc["weight_decay"])
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / oc["warmup_steps"]) * (
        0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * s / CFG["steps"]))))
    run = 0.0
    for step in range(1, CFG["steps"] + 1):
        loss = lm_loss(model, src.sample(CFG["batch_size"], CFG["context"], g))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), CFG["grad_clip"])
        opt.step()
        sched.step()
        run += loss.item()
        if step % CFG["eval_every"] == 0:
            model.eval()
            with torch.no_grad():
                vl = sum(lm_loss(model, s).item() for s in held) / len(held)
            model.train()
            print(f"step {step:5d}  train {run / CFG['eval_every']:.4f}  held-out {vl:.4f}", flush=True)
            run = 0.0


if __name__ == "__main__":
    main()
