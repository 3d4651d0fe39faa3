"""Small character model for the warehouse ledger; completes an entry from its first words."""
import torch
import torch.nn as nn
import torch.nn.functional as F

CONTEXT = 40
WIDTH = 48

text = open("ledger.txt").read()
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
ids = torch.tensor([stoi[c] for c in text])
n_train = int(0.9 * len(ids))
torch.manual_seed(2)


def sample_batch(part, size=24):
    start = torch.randint(len(part) - CONTEXT - 1, (size,))
    window = torch.stack([part[s:s + CONTEXT + 1] for s in start])
    return window[:, :-1], window[:, 1:]


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        out = F.scaled_dot_product_attention(q, k, v)
        return self.proj(out.transpose(1, 2).reshape(b, t, d))


class Layer(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.att = Attention(dim, heads)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x):
        x = x + self.att(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class LedgerLM(nn.Module):
    def __init__(self, vocab):
        super().__init__()
        self.tok = nn.Embedding(vocab, WIDTH)
        self.pos = nn.Embedding(CONTEXT, WIDTH)
        self.layers = nn.Sequential(Layer(WIDTH, 4), Layer(WIDTH, 4))
        self.out = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, vocab))

    def forward(self, x):
        h = self.tok(x) + self.pos(torch.arange(x.shape[1]))
        return self.out(self.layers(h))


@torch.no_grad()
def complete(model, prompt, length=60):
    model.eval()
    seq = [stoi[c] for c in prompt]
    for _ in range(length):
        logits = model(torch.tensor([seq[-CONTEXT:]]))[0, -1]
        seq.append(torch.multinomial(logits.softmax(-1), 1).item())
    return "".join(chars[i] for i in seq)


model = LedgerLM(len(chars))
opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
for step in range(1, 301):
    model.train()
    x, y = sample_batch(ids[:n_train])
    loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 60 == 0:
        model.eval()
        with torch.no_grad():
            xv, yv = sample_batch(ids[n_train:], 128)
            val = F.cross_entropy(model(xv).flatten(0, 1), yv.flatten()).item()
        print(f"step {step}  train {loss.item():.3f}  val {val:.3f}")

print(complete(model, "anna ships "))
