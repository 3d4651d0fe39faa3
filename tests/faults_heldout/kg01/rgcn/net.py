from torch import nn
from .layers import RelationalConv


class AreaNet(nn.Module):
    def __init__(self, d_in, n_rel, hidden, n_out, p_drop=0.3):
        super().__init__()
        self.conv1 = RelationalConv(n_rel, d_in, hidden)
        self.norm1 = nn.LayerNorm(hidden)
        self.conv2 = RelationalConv(n_rel, hidden, hidden)
        self.norm2 = nn.LayerNorm(hidden)
        self.out = nn.Linear(hidden, n_out)
        self.act = nn.ReLU()
        self.drop = nn.Dropout(p_drop)

    def forward(self, x, adj):
        h = self.drop(self.act(self.norm1(self.conv1(x, adj))))
        h = self.drop(self.act(self.norm2(self.conv2(h, adj))))
        return self.out(h)
