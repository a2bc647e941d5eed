"""The command line, one file per command. Importing a command imports no large packages."""
