"""The browser that the tests drive, as the system installs it, and the page in it."""

import os
import shutil
from contextlib import contextmanager

#: Where it is; None where there is none.
CHROMIUM = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
    None,
)
#: What it needs in a container.
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage"]

#: A window, and how it is looked at, where a test asks for nothing else.
WINDOW = {"width": 1280, "height": 720}
LOOKS = {
    "color_scheme": "light",
    "forced_colors": "none",
    "reduced_motion": "no-preference",
}
#: What cannot be taken back from a page.
LASTING = ("add_init_script", "expose_binding", "expose_function", "route_web_socket")


def lasting(*_given, **_named):
    """Stands for these on the page that tests share."""
    raise AssertionError("a page keeps this to its end: open_page(..., alone=True)")


def as_new(page, address, viewport=WINDOW, **looks):
    """Take back what a test may have done to a page, before it opens an address."""
    page.unroute_all(behavior="ignoreErrors")
    page.mouse.up()
    page.mouse.move(0, 0)
    page.set_viewport_size(viewport)
    page.emulate_media(**LOOKS | looks)
    page.context.clear_cookies()
    storage = page.context.new_cdp_session(page)
    kept = {"origin": address.rstrip("/"), "storageTypes": "all"}
    storage.send("Storage.clearDataForOrigin", kept)
    storage.detach()


@contextmanager
def watched(page, address):
    """Leaves a page in the end, so that its server does nothing more for it.

    What it complains about until then, or asks other servers for, fails the test.
    """
    problems = []

    def ask(request):
        if not request.url.startswith((address, "blob:", "data:")):
            problems.append(request.url)

    def complain(error):
        problems.append(str(error))

    page.on("pageerror", complain)
    page.on("request", ask)
    try:
        yield
        page.goto("about:blank")
    finally:
        page.remove_listener("pageerror", complain)
        page.remove_listener("request", ask)
    assert problems == [], problems


def new_page(where, **options):
    """A page of a browser or a context; it waits as long as a busy machine takes."""
    page = where.new_page(**options)
    page.set_default_timeout(120_000)
    return page


@contextmanager
def one_page(chromium, address, prefix=""):
    """A page for one game after another: `page.begin(game, moves, players)`."""
    page = new_page(chromium)
    page.begin = lambda game, *given: begin(page, address, prefix + game, *given)
    with watched(page, address):
        page.goto(address)
        page.wait_for_selector("#games button")
        yield page
    page.close()


def address(game, moves="", players="human human"):
    return f"#game={game}&players={players}&moves={moves}"


def begin(page, at, game, moves="", players="human human"):
    """Begin a game on a page that is open at an address."""
    before = page.evaluate("location.hash")
    page.goto(at + address(game, moves, players))
    page.wait_for_function(
        """([old, n]) => ![old, ''].includes(location.hash) &&
          location.hash.includes('id=') &&
          document.querySelectorAll('#move-list li').length >= n""",
        arg=[before, len(moves.split())],
    )


def labels(page, part):
    """The cells whose labels say this."""
    found = page.locator(f'.cell[aria-label*="{part}"]')
    texts = [each.get_attribute("aria-label") for each in found.all()]
    return sorted(text.partition(",")[0] for text in texts)


def status(page):
    return page.inner_text("#status")


def wait_status(page, text):
    page.wait_for_function(
        "text => document.getElementById('status').textContent.includes(text)", arg=text
    )


def click(page, label):
    page.click(f'.cell[aria-label^="{label},"]')


def played(page):
    return [
        text.rstrip("?") for text in page.locator("#move-list button").all_inner_texts()
    ]


def wait_moves(page, count):
    """Until so many moves are listed."""
    page.wait_for_function(
        "n => document.querySelectorAll('#move-list li').length === n", arg=count
    )


def wait_text(page, id, text):
    """Until an element says this, or nothing where that is awaited."""
    page.wait_for_function(
        """([id, text]) => {
          const found = document.getElementById(id).textContent;
          return text ? found.includes(text) : !found;
        }""",
        arg=[id, text],
    )


def wait_until(page, holds):
    """Until something holds here, while what the page tells is listened to."""
    for _ in range(1000):
        if holds():
            return
        page.wait_for_timeout(30)
    raise TimeoutError("it never held")
