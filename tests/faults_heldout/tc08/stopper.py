import copy


class BestKeeper:
    """Keeps the weights of the lowest validation loss; says when to give up."""

    def __init__(self, patience):
        self.patience = patience
        self.best = float("inf")
        self.best_epoch = -1
        self.state = None

    def update(self, epoch, value, model):
        if value < self.best:
            self.best, self.best_epoch = value, epoch
            self.state = copy.deepcopy(model.state_dict())
        return epoch - self.best_epoch >= self.patience

    def restore(self, model):
        model.load_state_dict(self.state)
