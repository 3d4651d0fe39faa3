from cable.net import EchoNet

__all__ = ["EchoNet"]
