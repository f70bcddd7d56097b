"""Players of which every move is known."""


def first(game):
    return lambda position: position.legal_actions()[0]


def last(game):
    return lambda position: position.legal_actions()[-1]
