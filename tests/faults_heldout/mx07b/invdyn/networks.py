from torch import nn

INIT = {
    "xavier": nn.init.xavier_uniform_,
    "orthogonal": nn.init.orthogonal_,
    "normal": nn.init.normal_,
    "uniform": nn.init.uniform_,
    "constant": nn.init.constant_,
}


class TorqueNet(nn.Module):
    def __init__(self, n_in, n_out, width, depth):
        super().__init__()
        self.inp = nn.Linear(n_in, width)
        self.mid = nn.ModuleList([nn.Linear(width, width) for _ in range(depth - 1)])
        self.out = nn.Linear(width, n_out)
        self.act = nn.Tanh()

    def forward(self, x):
        h = self.act(self.inp(x))
        for layer in self.mid:
            h = self.act(layer(h))
        return self.out(h)


def initialise(net, scheme, **kwargs):
    for module in net.modules():
        if isinstance(module, nn.Linear):
            INIT[scheme](module.weight, **kwargs)
            nn.init.zeros_(module.bias)
