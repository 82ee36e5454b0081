/**
 * Installs what a Python tree needs into the folder given first, without the tree's own package: that one is under test.
 * pip itself says what is needed (`--report`), so every build back end is understood. Further arguments are packages.
 * A bare `dist-info` stands for the tree's package, because many ask for their own version when they are imported.
 */
export const INSTALL_SCRIPT = `
import configparser, json, os, re, subprocess, sys
target, wanted, report = sys.argv[1], sys.argv[2:], os.path.join(sys.argv[1], "report.json")
pip = [sys.executable, "-I", "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--quiet"]
groups = ("test", "tests", "testing", "dev")
os.makedirs(target, exist_ok=True)
# Packages that take their version from a history find none here, and would not be built at all.
for name in ("SETUPTOOLS_SCM_PRETEND_VERSION", "PBR_VERSION"):
    os.environ.setdefault(name, "0.0.0")

def resolve(names):
    subprocess.run([*pip, "--dry-run", "--ignore-installed", "--report", report, *names], check=True)
    with open(report, encoding="utf-8") as file:
        return json.load(file)["install"]

def group(table, name):
    entries = [entry for entry in table.get(name, [])]
    nested = [entry["include-group"] for entry in entries if isinstance(entry, dict)]
    return [e for e in entries if isinstance(e, str)] + [e for n in nested for e in group(table, n)]

def toml():
    try:
        import tomllib
    except ImportError:
        from pip._vendor import tomli as tomllib
    with open("pyproject.toml", "rb") as file:
        return tomllib.load(file)

def ini(path):
    config = configparser.RawConfigParser(strict=False)
    if os.path.exists(path):
        config.read(path, encoding="utf-8")
    return config

def lines(config, section, name):
    text = config.get(section, name, fallback="")
    return [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]

def of_tox(line):
    # A line for one of several environments begins with its name; one with a variable means nothing here.
    line = re.sub(r"^[\\w,!{}.-]+:\\s+", "", line)
    if "{" in line or line.startswith(("-e", ".")):
        return []
    return line.split(None, 1) if line.startswith("-") else [line]

is_package = False
if os.path.exists("pyproject.toml"):
    config = toml()
    is_package = "project" in config or "build-system" in config
    for name in groups:
        wanted += group(config.get("dependency-groups", {}), name)
        poetry = config.get("tool", {}).get("poetry", {}).get("group", {}).get(name, {})
        wanted += list(poetry.get("dependencies", {}))
is_package = is_package or os.path.exists("setup.py")
if not is_package:
    # pip builds nothing from a setup.cfg alone, but it may still say what the code needs.
    setup = ini("setup.cfg")
    wanted += lines(setup, "options", "install_requires")
    wanted += [need for name in groups for need in lines(setup, "options.extras_require", name)]
wanted += [word for line in lines(ini("tox.ini"), "testenv", "deps") for word in of_tox(line)]
files = [f for part in ("", "test", "tests", "dev") for f in (
    f"requirements-{part}.txt" if part else "requirements.txt",
    f"{part}-requirements.txt", f"requirements_{part}.txt", f"requirements/{part}.txt") if os.path.exists(f)]
wanted += [word for file in files for word in ("-r", file)]
own = [i for i in resolve(["."]) if "dir_info" in i["download_info"]] if is_package else []
extras = [e for i in own for e in i["metadata"].get("provides_extra", []) if e in groups]
itself = f".[{','.join(extras)}]" if extras else "."
items = resolve([*([itself] if is_package else []), *wanted]) if is_package or wanted else []
found = [i for i in items if "dir_info" not in i["download_info"]]
pins = [f"{i['metadata']['name']}=={i['metadata']['version']}" if not i["is_direct"]
        else f"{i['metadata']['name']} @ {i['download_info']['url']}" for i in found]
if pins:
    with open(os.path.join(target, "pins.txt"), "w", encoding="utf-8") as file:
        file.write("".join(sorted(f"{pin}\\n" for pin in pins)))
    subprocess.run([*pip, "--target", target, "--no-deps", *pins], check=True)
for i in own:
    name, version = i["metadata"]["name"], i["metadata"]["version"]
    folder = os.path.join(target, re.sub(r"[-_.]+", "_", name) + f"-{version}.dist-info")
    os.makedirs(folder)
    with open(os.path.join(folder, "METADATA"), "w", encoding="utf-8") as file:
        file.write(f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
if os.path.exists(report):
    os.remove(report)
`.trimStart();
