"""A language server for rule sheets in KIF: `ggp lsp`.

What is known of a text (`index`) and what is answered from it (`hover`, `completion`, `navigation`,
`rename`, `outline`) is about offsets and plain texts. Only `server`, `answers`, `actions`, `desk`,
`wire` and `serving` know the protocol; they need the extra `ggp[lsp]`.
"""
