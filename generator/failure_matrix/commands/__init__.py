"""One module a command. Nothing but argparse is imported before a command runs, so that each starts quickly."""
