"""python -m graph_eval, and the console script.

Nothing is imported before `run` handles Ctrl-C.
"""


def run() -> None:
    """Runs the command line and exits with its code, 130 for Ctrl-C.

    While the modules load nothing has to be cleaned up, and an exception could end up in a callback of the import
    machinery, which prints it and goes on. So Ctrl-C ends the process at once.
    """
    import os
    import signal
    import sys

    def leave(*_: object) -> None:
        os.write(2, b"interrupted\n")
        os._exit(130)

    signal.signal(signal.SIGINT, leave)
    from graph_eval.cli.main import main

    code = main()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the work is done, what is left is the end of the interpreter
    if code == 128 + signal.SIGINT:
        # Python would end itself by the signal if the interrupt came inside an eval, e.g. that of a named tuple.
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    run()
