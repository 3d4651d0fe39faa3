from torch import nn


class TicketRouter(nn.Module):
    def __init__(self, n_words, n_queues, hidden=48, p=0.1):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_words, hidden), nn.Tanh(), nn.Dropout(p))
        self.queue = nn.Linear(hidden, n_queues)

    def forward(self, counts):
        return self.queue(self.body(counts))
