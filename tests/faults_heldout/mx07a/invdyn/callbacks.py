class Printer:
    def __init__(self, every):
        self.every = every

    def __call__(self, epoch, logs):
        if epoch % self.every == 0:
            print(f"{epoch:4d}  train {logs['train']:.5f}  val {logs['val']:.5f}")


class BestEpoch:
    epoch, value = 0, float("inf")

    def __call__(self, epoch, logs):
        if logs["val"] < self.value:
            self.epoch, self.value = epoch, logs["val"]
