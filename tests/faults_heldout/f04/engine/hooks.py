class Hook:
    def before_epoch(self, loop): ...
    def before_step(self, loop): ...
    def after_backward(self, loop): ...
    def after_step(self, loop): ...
    def after_epoch(self, loop): ...


class OptimHook(Hook):
    """Everything that concerns the optimizer lives here."""

    def before_epoch(self, loop):
        loop.optimizer.zero_grad()

    def after_backward(self, loop):
        loop.optimizer.step()


class ScheduleHook(Hook):
    def __init__(self, scheduler):
        self.scheduler = scheduler

    def after_step(self, loop):
        self.scheduler.step()


class Logger(Hook):
    def __init__(self, log, valid):
        self.log, self.valid = log, valid

    def before_epoch(self, loop):
        self.total = self.count = 0

    def after_step(self, loop):
        self.total += loop.loss.item() * loop.batch_size
        self.count += loop.batch_size

    def after_epoch(self, loop):
        self.log.info("epoch %d  loss %.4f  valid acc %.4f", loop.epoch, self.total / self.count, self.valid())
