"""Ctrl-C and SIGTERM, recorded while a command runs."""

import signal


class Interrupt:
    """A handler of Ctrl-C and SIGTERM that records the signal."""

    def __init__(self) -> None:
        self.number: int | None = None

    def __call__(self, number: int, _: object) -> None:
        self.number = number
        raise KeyboardInterrupt


def is_interrupted() -> bool:
    """Whether the command got one of the signals. Native code may turn its exception into another one."""
    handler = signal.getsignal(signal.SIGTERM)
    return isinstance(handler, Interrupt) and handler.number is not None
