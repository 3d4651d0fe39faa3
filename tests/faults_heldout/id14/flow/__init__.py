from .layers import Flow
