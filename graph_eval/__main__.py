"""python -m graph_eval"""

from graph_eval.cli.main import run

if __name__ == "__main__":
    run()
