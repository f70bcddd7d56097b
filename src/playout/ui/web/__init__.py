"""The browser board: a server of games, and the page that plays them."""
