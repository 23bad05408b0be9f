"""The studio: a browser's view of games, from the user's own machine.

The server itself never reads a rule sheet: whatever a stranger's text makes us compute happens in
processes of their own (`asking`), which have limits and are ended when they pass them.
"""
