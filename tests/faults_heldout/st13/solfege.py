import torch
from torch import nn

from melody import LENGTH, phrases
from settings import Settings as S


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(S.vocab, S.d_model)
        self.pos = nn.Parameter(torch.randn(1, LENGTH + 1, S.d_model) * 0.1)
        layer = nn.TransformerEncoderLayer(S.d_model, S.heads, S.ff, dropout=0.0, batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, S.layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(S.d_model)
        self.deg = nn.Linear(S.d_model, S.degrees)

    def forward(self, ids):
        h = self.enc(self.tok(ids) + self.pos)
        return self.deg(self.norm(h[:, 1:]))


def noam(step):
    step += 1
    return S.peak_scale * S.d_model ** -0.5 * min(step ** -0.5, step * S.warmup ** -1.5)


class Session:
    def __init__(self):
        torch.manual_seed(S.seed)
        self.train_set = phrases(S.n_train, 100)
        self.val_set = phrases(S.n_val, 101)
        self.net = Tagger()
        self.adam = torch.optim.Adam(self.net.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
        self.sched = torch.optim.lr_scheduler.LambdaLR(self.adam, noam)
        self.loss = nn.CrossEntropyLoss()

    def batches(self):
        ids, lab = self.train_set
        for i in torch.randperm(len(ids)).split(S.batch):
            yield ids[i], lab[i]

    def one_pass(self):
        self.net.train()
        seen = []
        for ids, lab in self.batches():
            loss = self.loss(self.net(ids).flatten(0, 1), lab.flatten())
            self.adam.zero_grad()
            loss.backward()
            self.adam.step()
            seen.append(loss.item())
        self.sched.step()
        return sum(seen) / len(seen)

    @torch.no_grad()
    def check(self):
        self.net.eval()
        ids, lab = self.val_set
        z = self.net(ids)
        ce = self.loss(z.flatten(0, 1), lab.flatten()).item()
        return ce, (z.argmax(-1) == lab).float().mean().item()

    def go(self):
        for e in range(S.epochs):
            tr = self.one_pass()
            ce, acc = self.check()
            print(f"pass {e + 1:2d}: train {tr:.4f}  val {ce:.4f}  degree acc {acc:.4f}")


if __name__ == "__main__":
    Session().go()
