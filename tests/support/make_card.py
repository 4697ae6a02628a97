"""Write the picture that other sites show next to a link to the landing page.

python tests/support/make_card.py
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from grader.authoring.site import LANDING, landing_files
from support import put
from support.browser import browser
from support.site import served, wait

WIDTH, HEIGHT = 1200, 630
CARD = """const sheet = new CSSStyleSheet();
sheet.replaceSync(`
body { max-width: none; padding: 0 3.5rem; height: 100vh; overflow: hidden; }
header { padding-top: 1.5rem; font-size: 1.6rem; }
.hero { padding: .5rem 0 1rem; }
h1 { font-size: 4rem; white-space: nowrap; }
nav, .examples, .hero p, #given, #trouble, #panel { display: none; }
#bench { display: block; padding: 0; }
#frame { min-height: 23rem; overflow: hidden; }
#frame svg { width: 62rem; height: auto; }`);
document.adoptedStyleSheets = [sheet];"""


def main() -> None:
    """Take the picture from the page itself, in a headless browser."""
    with tempfile.TemporaryDirectory() as folder:
        put(Path(folder), landing_files())
        with browser(WIDTH, HEIGHT) as driver, served(Path(folder)) as address:
            driver.get(f"{address}/#expr=(a*b %2B a) * b&a=2&b=-3&assign&@=5")
            wait(driver, "document.querySelector('#frame .wrong')")
            driver.execute_script(CARD)
            driver.save_screenshot(str(LANDING / "card.png"))


if __name__ == "__main__":
    main()
