import torch.nn as nn
import torch.nn.functional as F


class GraphConv(nn.Module):
    """Separate weights for the node itself and for its neighbourhood."""

    def __init__(self, d_in, d_out):
        super().__init__()
        self.own = nn.Linear(d_in, d_out)
        self.nbr = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x, adj):
        return self.own(x) + adj @ self.nbr(x)


class TopicNet(nn.Module):
    def __init__(self, d_in, hidden, n_topics, dropout):
        super().__init__()
        self.conv1 = GraphConv(d_in, hidden)
        self.conv2 = GraphConv(hidden, n_topics)
        self.dropout = dropout

    def forward(self, x, adj):
        x = F.dropout(x, self.dropout, self.training)
        h = F.relu(self.conv1(x, adj))
        h = F.dropout(h, self.dropout, self.training)
        return self.conv2(h, adj)
