#!/bin/sh
# Build the source distribution and, from it, the wheel; the first holds all that Git
# has. Install the wheel into an empty environment, and search with it there.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$PYTHON" -m build --outdir "$work/dist" . >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
}
if [ -e .git ]; then
    tar -tzf "$work"/dist/playout-*.tar.gz | sed 's,^[^/]*/,,' >"$work/packed"
    if git ls-files | grep -vxFf "$work/packed" >&2; then
        echo "these files are missing in the source distribution (pyproject.toml)" >&2
        exit 1
    fi
    echo "the source distribution holds all files"
fi
"$PYTHON" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
    "$work"/dist/playout-*.whl
cd "$work"
venv/bin/playout --version
venv/bin/playout analyze tic-tac-toe --simulations 2000 --seed 1 --json >answer.json
venv/bin/python -c "
import json
answer = json.load(open('answer.json'))
assert answer['simulations'] == 2000 and len(answer['actions']) == 9, answer
"
venv/bin/python -c "import playout.ui.tui.app, playout.ui.web.server"
test -f venv/lib/python*/site-packages/playout/py.typed
echo "the wheel installs, with both boards, and searches"
