//! Which modules of Python are known, and which names in them only compute.

pub(super) fn module(name: &str) -> bool {
    if harmless(name) {
        return true;
    }
    let root = name.split('.').next().unwrap_or_default();
    matches!(
        root,
        "os" | "sys"
            | "subprocess"
            | "shutil"
            | "pathlib"
            | "io"
            | "socket"
            | "urllib"
            | "http"
            | "requests"
            | "httpx"
            | "aiohttp"
            | "ftplib"
            | "smtplib"
            | "telnetlib"
            | "importlib"
            | "builtins"
            | "__builtins__"
            | "runpy"
            | "pty"
            | "commands"
            | "glob"
            | "sqlite3"
            | "tarfile"
            | "zipfile"
            | "gzip"
            | "bz2"
            | "lzma"
            | "asyncio"
            | "signal"
            | "multiprocessing"
            | "code"
            | "codecs"
            | "base64"
            | "binascii"
            | "zlib"
            | "pickle"
            | "marshal"
            | "shelve"
            | "webbrowser"
            | "platform"
            | "posix"
            | "nt"
            | "fileinput"
            | "socketserver"
            | "paramiko"
            | "boto3"
            | "pandas"
            | "numpy"
            | "yaml"
            | "PIL"
            | "psutil"
            | "operator"
            | "functools"
            | "psycopg2"
            | "threading"
            | "concurrent"
            | "xmlrpc"
            | "py_compile"
            | "compileall"
            | "venv"
            | "linecache"
            | "logging"
            | "csv"
            | "json"
            | "fcntl"
            | "pwd"
            | "grp"
            | "sh"
            | "plumbum"
            | "pexpect"
            | "invoke"
            | "distutils"
            | "atexit"
    )
}

pub(super) fn harmless(name: &str) -> bool {
    let root = name.split('.').next().unwrap_or_default();
    if matches!(
        root,
        "json"
            | "re"
            | "math"
            | "cmath"
            | "collections"
            | "itertools"
            | "functools"
            | "operator"
            | "datetime"
            | "time"
            | "calendar"
            | "string"
            | "textwrap"
            | "random"
            | "statistics"
            | "decimal"
            | "fractions"
            | "hashlib"
            | "hmac"
            | "uuid"
            | "csv"
            | "ast"
            | "tokenize"
            | "token"
            | "keyword"
            | "dis"
            | "inspect"
            | "typing"
            | "typing_extensions"
            | "types"
            | "enum"
            | "dataclasses"
            | "abc"
            | "copy"
            | "pprint"
            | "contextlib"
            | "argparse"
            | "html"
            | "xml"
            | "struct"
            | "array"
            | "bisect"
            | "heapq"
            | "difflib"
            | "fnmatch"
            | "locale"
            | "gettext"
            | "unicodedata"
            | "warnings"
            | "traceback"
            | "timeit"
            | "secrets"
            | "numbers"
            | "queue"
            | "threading"
            | "concurrent"
            | "errno"
            | "stat"
            | "filecmp"
            | "tomllib"
            | "toml"
            | "tomli"
            | "configparser"
            | "email"
            | "mimetypes"
            | "ipaddress"
            | "colorsys"
            | "shlex"
            | "zoneinfo"
            | "graphlib"
            | "reprlib"
            | "weakref"
            | "gc"
            | "sysconfig"
            | "site"
            | "platform"
            | "__future__"
            | "numpy"
            | "packaging"
            | "dateutil"
            | "bs4"
            | "tabulate"
            | "rich"
            | "charset_normalizer"
            | "chardet"
            | "pytz"
            | "importlib_metadata"
            | "pkgutil"
            | "getpass"
            | "logging"
            | "tempfile"
            | "linecache"
            | "selectors"
            | "sre_parse"
            | "sre_compile"
            | "symtable"
            | "cProfile"
            | "tracemalloc"
            | "wave"
            | "imghdr"
            | "jsonschema"
            | "pwd"
            | "grp"
            | "curses"
            | "readline"
            | "sched"
            | "stringprep"
            | "quopri"
            | "netrc"
            | "plistlib"
    ) {
        return !matches!(name, "logging.FileHandler" | "logging.config" | "timeit.timeit" | "cProfile.run");
    }
    [
        "os.path",
        "urllib.parse",
        "sys.std",
        "sys.version",
        "importlib.metadata",
        "importlib.util.find_spec",
        "http.HTTPStatus",
        "http.client.responses",
        "io.StringIO",
        "io.BytesIO",
        "io.TextIOWrapper",
        "asyncio.run",
        "asyncio.sleep",
        "asyncio.gather",
        "asyncio.get_event_loop",
        "asyncio.Queue",
        "asyncio.wait_for",
        "requests.exceptions",
        "httpx.HTTP",
        "os.environ",
        "sqlite3.Row",
        "sqlite3.version",
        "yaml.safe_",
        "yaml.dump",
        "yaml.YAMLError",
        "yaml.SafeLoader",
        "subprocess.PIPE",
        "subprocess.STDOUT",
        "subprocess.DEVNULL",
        "subprocess.CalledProcessError",
        "subprocess.TimeoutExpired",
        "urllib.error",
        "pandas.DataFrame",
        "pandas.Series",
        "pandas.to_",
        "pandas.concat",
        "pandas.set_option",
        "signal.SIG",
        "zlib.crc32",
        "zlib.adler32",
        "binascii.crc32",
        "tarfile.TarInfo",
        "tarfile.DIRTYPE",
        "zipfile.ZIP_",
        "zipfile.BadZipFile",
        "psutil.cpu",
        "psutil.virtual",
        "psutil.disk",
        "asyncio.TimeoutError",
        "asyncio.create_task",
        "asyncio.Semaphore",
        "asyncio.to_thread",
        "socket.AF_",
        "socket.SOCK_",
        "socket.SOL",
        "socket.SO_",
        "socket.timeout",
        "socket.error",
        "socket.gethostname",
        "multiprocessing.cpu_count",
        "multiprocessing.Pool",
    ]
    .iter()
    .any(|prefix| name.starts_with(prefix))
}
