"""Start the app from an installed wheel: `python -m tests.wheel_smoke ENVIRONMENT`.

The environment is a fresh one that holds the wheel and what it asks for. The themes and the demo home must
have come with it, and `digit-tui --demo` must show a note and quit with 0. No test of pytest's: `.ci/run`
calls it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.pty_app import PtyApp

CONTENTS = """
import sys, digit_tui, digit_core
from pathlib import Path
from digit_tui.demo import make_demo_home
from digit_tui.look import load_looks, themes_folder
inside = Path(sys.prefix).resolve()
for module in (digit_tui, digit_core):
    assert inside in Path(module.__file__).resolve().parents, module.__file__
assert inside in themes_folder().resolve().parents, themes_folder()
assert {"dark", "light"} <= load_looks().keys(), load_looks().keys()
first = (make_demo_home() / "memories" / "MEMORY.md").read_text("utf-8").splitlines()[0]
print(first.lstrip("# "))
"""


def main(environment: Path) -> None:
    """Check the installed package in `environment`, then run its app. Raises on what is wrong first."""
    programs = environment / "bin"
    with tempfile.TemporaryDirectory(prefix="digit-smoke-") as folder:
        env = {"HOME": folder, "XDG_CONFIG_HOME": folder, "TMPDIR": folder}
        title = subprocess.run(
            [programs / "python", "-I", "-c", CONTENTS],
            check=True,
            capture_output=True,
            text=True,
            env=env,
            cwd=folder,
        ).stdout.strip()
        print(f"themes and demo home are in the wheel; waiting for the note {title!r}")
        with PtyApp([str(programs / "digit-tui"), "--demo"], env=env, cwd=Path(folder)) as app:
            app.wait_for(title, 60)
            app.send("q")
            code = app.wait()
    print(f"the app showed it and quit with {code}")
    if code != 0:
        raise SystemExit(f"digit-tui --demo ended with {code}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
