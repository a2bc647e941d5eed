"""The command line, one file a command. Loading a command loads nothing heavy."""
