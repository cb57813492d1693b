//! What calling the functions and methods of Python does.

use super::super::value::{Act, RECEIVER};
use hookgate_facts::Kind;

#[expect(clippy::too_many_lines, reason = "one flat table")]
pub(super) fn function(name: &str) -> Option<Act> {
    use Act::{
        Decode, Directory, Does, Eval, Import, Nothing, On, Open, Parent, Program, Same, Shell, Tree, Two,
        Web,
    };
    let name = name.strip_prefix("builtins.").or_else(|| name.strip_prefix("__builtins__.")).unwrap_or(name);
    let name = name.strip_prefix("posix.").map_or_else(|| name.to_owned(), |rest| format!("os.{rest}"));
    Some(match name.as_str() {
        "print" | "len" | "range" | "dict" | "set" | "tuple" | "int" | "float" | "bool" | "sum" | "min"
        | "max" | "any" | "all" | "zip" | "enumerate" | "repr" | "type" | "isinstance" | "issubclass"
        | "hasattr" | "id" | "hash" | "abs" | "round" | "ord" | "hex" | "bin" | "oct" | "divmod" | "pow"
        | "callable" | "super" | "object" | "format" | "ascii" | "input" | "slice" | "frozenset"
        | "complex" | "memoryview" | "property" | "staticmethod" | "classmethod" | "dir" | "help"
        | "exit" | "quit" | "setattr" | "delattr" | "Exception" | "bytearray" | "next" | "anext"
        | "aiter" => Nothing,
        "map" | "filter" => Act::Map,
        "threading.Thread" | "threading.Timer" | "multiprocessing.Process" => Act::Thread,
        "atexit.register" | "asyncio.to_thread" | "contextlib.ExitStack.callback" => Act::Apply,
        "tempfile.gettempdir" => Act::Gives("/tmp"),
        "tempfile.mkdtemp" | "tempfile.mktemp" | "tempfile.TemporaryDirectory" => Act::Gives("/tmp/tempfile"),
        "str" | "list" | "sorted" | "reversed" | "iter" | "bytes" => Same(0),
        "chr" => Decode,
        "open" | "io.open" | "codecs.open" | "gzip.open" | "bz2.open" | "lzma.open" | "tarfile.open"
        | "zipfile.ZipFile" | "tarfile.TarFile" | "os.fdopen" | "PIL.Image.open" | "fileinput.input" => {
            Open(0, 1)
        }
        "exec" | "eval" | "code.interact" => Eval(0),
        "compile" => Same(0),
        "__import__" | "importlib.import_module" | "importlib.__import__" => Import,
        "getattr" => Act::Attribute,
        "globals" | "locals" | "vars" => Act::Names,
        "breakpoint" => Act::Unknown,
        "sys.argv"
        | "sys.path"
        | "sys.modules"
        | "sys.exit"
        | "sys.executable"
        | "sys.getsizeof"
        | "sys.maxsize"
        | "sys.platform"
        | "sys.stdin"
        | "sys.stdout"
        | "sys.stderr"
        | "sys.byteorder"
        | "sys.prefix"
        | "sys.base_prefix"
        | "sys.setrecursionlimit"
        | "sys.path.insert"
        | "sys.path.append"
        | "sys.flags"
        | "sys.getrecursionlimit"
        | "sys.getdefaultencoding"
        | "sys.getfilesystemencoding"
        | "sys.exc_info"
        | "sys.implementation"
        | "sys.builtin_module_names"
        | "sys.stdlib_module_names"
        | "sys.hexversion"
        | "sys.float_info"
        | "sys.intern"
        | "sys.dont_write_bytecode"
        | "sys.warnoptions" => Nothing,
        "os.getcwd"
        | "os.getpid"
        | "os.getppid"
        | "os.getuid"
        | "os.geteuid"
        | "os.getgid"
        | "os.getlogin"
        | "os.cpu_count"
        | "os.name"
        | "os.sep"
        | "os.linesep"
        | "os.pathsep"
        | "os.uname"
        | "os.times"
        | "os.getpgid"
        | "os.urandom"
        | "os.get_terminal_size"
        | "os.isatty"
        | "os.strerror"
        | "os.devnull"
        | "os.getpgrp"
        | "os.curdir"
        | "os.getloadavg"
        | "os.sched_getaffinity"
        | "os.fspath"
        | "os.fsencode"
        | "os.fsdecode"
        | "os.close"
        | "os.pipe"
        | "os.dup2"
        | "os.dup"
        | "os.wait"
        | "os.waitpid"
        | "os.read"
        | "os.write"
        | "os.PathLike"
        | "os.cpu_count.bit_length"
        | "os.sysconf"
        | "os.umask"
        | "os.fsync"
        | "os.R_OK"
        | "os.W_OK"
        | "os.X_OK"
        | "os.F_OK"
        | "os.error"
        | "os.extsep"
        | "os.altsep"
        | "os.SEEK_END"
        | "os.SEEK_SET"
        | "os.O_RDONLY"
        | "os._exit"
        | "os.fstat"
        | "os.WEXITSTATUS"
        | "os.getgroups" => Nothing,
        "os.environ" | "os.getenv" | "os.environ.get" => Act::Variable,
        "os.putenv" | "os.environ.update" | "os.environ.setdefault" => Nothing,
        "os.walk" => Act::Walk(0),
        "os.listdir" | "os.scandir" | "os.stat" | "os.lstat" | "os.access" | "os.readlink" | "os.fwalk"
        | "os.path.getsize" | "os.statvfs" => On(Kind::Read, 0),
        "os.path.join"
        | "pathlib.Path"
        | "pathlib.PurePath"
        | "pathlib.PosixPath"
        | "pathlib.PurePosixPath" => Act::Path,
        "os.path.abspath" | "os.path.realpath" | "os.path.normpath" | "os.path.normcase" => Same(0),
        "os.path.expanduser" | "os.path.expandvars" => Act::Expand(0),
        "os.path.dirname" => Parent(0),
        "glob.glob" | "glob.iglob" => Act::Path,
        "glob.escape" => Same(0),
        "os.remove" | "os.unlink" | "os.rmdir" => On(Kind::Delete, 0),
        "os.removedirs" | "shutil.rmtree" => Tree(Kind::Delete, 0),
        "os.mkdir" | "os.makedirs" | "os.mkfifo" | "os.mknod" | "os.open" | "os.utime" => On(Kind::Write, 0),
        "os.truncate" => On(Kind::Destroy, 0),
        "os.rename" | "os.replace" | "os.renames" | "shutil.move" => Two(Kind::Move, 0, Kind::Write, 1),
        "os.symlink" => On(Kind::Link, 1),
        // A second name of the file itself: what is written under it is written to both.
        "os.link" => Two(Kind::Link, 0, Kind::Link, 1),
        "os.chmod" | "os.fchmod" | "os.lchmod" | "os.setxattr" => On(Kind::Permission, 0),
        "os.chown" | "os.lchown" | "shutil.chown" => On(Kind::Ownership, 0),
        "shutil.copy" | "shutil.copy2" | "shutil.copyfile" | "shutil.copytree" => {
            Two(Kind::Read, 0, Kind::Write, 1)
        }
        "shutil.copymode" | "shutil.copystat" => On(Kind::Permission, 1),
        "shutil.make_archive" => On(Kind::Write, 0),
        "shutil.unpack_archive" => Two(Kind::Read, 0, Kind::Write, 1),
        "shutil.which"
        | "shutil.disk_usage"
        | "shutil.get_terminal_size"
        | "shutil.copyfileobj"
        | "shutil.Error"
        | "shutil.ignore_patterns" => Nothing,
        "os.chdir" | "contextlib.chdir" => Directory(0),
        "os.chroot" | "os.fchdir" => Act::Unknown,
        "os.system"
        | "os.popen"
        | "commands.getoutput"
        | "commands.getstatusoutput"
        | "subprocess.getoutput"
        | "subprocess.getstatusoutput"
        | "asyncio.create_subprocess_shell"
        | "asyncio.subprocess.create_subprocess_shell"
        | "invoke.run"
        | "platform.popen"
        | "fabric.api.local"
        | "fabric.operations.local"
        | "os.popen2"
        | "os.popen3" => Shell(0),
        "subprocess.run"
        | "subprocess.call"
        | "subprocess.check_call"
        | "subprocess.check_output"
        | "subprocess.Popen" => Act::Run,
        "subprocess.list2cmdline" => Nothing,
        "asyncio.create_subprocess_exec"
        | "asyncio.subprocess.create_subprocess_exec"
        | "pty.spawn"
        | "distutils.spawn.spawn"
        | "setuptools.distutils.spawn.spawn" => Program(0),
        "pexpect.run"
        | "pexpect.runu"
        | "pexpect.spawn"
        | "pexpect.spawnu"
        | "pexpect.popen_spawn.PopenSpawn" => Act::System,
        "os.startfile" => Program(0),
        "os.execv" | "os.execve" | "os.execvp" | "os.execvpe" | "os.posix_spawn" | "os.posix_spawnp"
        | "os.execl" | "os.execle" | "os.execlp" | "os.execlpe" => Act::Replaced(0),
        "os.spawnl" | "os.spawnle" | "os.spawnlp" | "os.spawnlpe" | "os.spawnv" | "os.spawnve"
        | "os.spawnvp" | "os.spawnvpe" => Act::Replaced(1),
        "runpy.run_path" => On(Kind::ProjectCode, 0),
        "runpy.run_module" => Act::Unknown,
        "os.kill" | "os.killpg" | "signal.pthread_kill" | "os.abort" => Does(Kind::Kill),
        "signal.signal" | "signal.alarm" | "signal.pause" => Nothing,
        "os.fork" | "os.forkpty" => Does(Kind::Exhaust),
        "os.setuid" | "os.setgid" | "os.seteuid" | "os.setreuid" => Does(Kind::Privilege),
        "socket.socket" | "socket.create_connection" | "asyncio.open_connection" => Does(Kind::Upload),
        "socket.create_server"
        | "http.server.HTTPServer"
        | "http.server.test"
        | "http.server.ThreadingHTTPServer"
        | "socketserver.TCPServer"
        | "asyncio.start_server" => Does(Kind::Listen),
        "http.server.SimpleHTTPRequestHandler" | "http.server.BaseHTTPRequestHandler" => Nothing,
        "socket.getaddrinfo" | "socket.gethostbyname" => Web(Kind::Download, 0),
        "urllib.request.urlopen"
        | "requests.get"
        | "requests.head"
        | "requests.options"
        | "httpx.get"
        | "httpx.head"
        | "urllib.urlopen"
        | "urllib2.urlopen"
        | "urllib.request.Request" => Web(Kind::Download, 0),
        "urllib.request.urlretrieve" => Act::Fetch(0, 1),
        "requests.post"
        | "requests.put"
        | "requests.patch"
        | "requests.delete"
        | "httpx.post"
        | "httpx.put"
        | "httpx.patch"
        | "httpx.delete"
        | "xmlrpc.client.ServerProxy" => Web(Kind::Upload, 0),
        "requests.request" | "httpx.request" | "httpx.stream" => Web(Kind::Upload, 1),
        "http.client.HTTPSConnection"
        | "http.client.HTTPConnection"
        | "ftplib.FTP"
        | "smtplib.SMTP"
        | "smtplib.SMTP_SSL"
        | "telnetlib.Telnet" => Web(Kind::Upload, 0),
        "requests.Session"
        | "requests.session"
        | "httpx.Client"
        | "httpx.AsyncClient"
        | "aiohttp.ClientSession" => Does(Kind::Upload),
        "base64.b64encode"
        | "base64.urlsafe_b64encode"
        | "base64.b32encode"
        | "binascii.hexlify"
        | "zlib.compress"
        | "gzip.compress"
        | "codecs.encode"
        | "codecs.BOM_UTF8"
        | "base64.encodebytes" => Nothing,
        "base64.b64decode"
        | "base64.urlsafe_b64decode"
        | "base64.b32decode"
        | "base64.b16decode"
        | "base64.a85decode"
        | "base64.b85decode"
        | "base64.decodebytes"
        | "codecs.decode"
        | "binascii.unhexlify"
        | "binascii.a2b_base64"
        | "zlib.decompress"
        | "gzip.decompress"
        | "bytes.fromhex"
        | "bytearray.fromhex"
        | "lzma.decompress"
        | "bz2.decompress"
        | "marshal.loads" => Decode,
        "pickle.dump" | "pickle.dumps" => Nothing,
        "pickle.load" | "pickle.loads" | "yaml.load" | "yaml.unsafe_load" | "shelve.open" => Act::Unknown,
        "webbrowser.open" => Web(Kind::Download, 0),
        "sqlite3.connect" | "psycopg2.connect" => Nothing,
        "zipfile.is_zipfile" | "tarfile.is_tarfile" => On(Kind::Read, 0),
        "py_compile.compile" | "compileall.compile_dir" | "compileall.compile_file" => On(Kind::Write, 0),
        "venv.create" => On(Kind::Generate, 0),
        "pandas.read_csv"
        | "pandas.read_json"
        | "pandas.read_excel"
        | "pandas.read_parquet"
        | "pandas.read_table"
        | "numpy.load"
        | "numpy.loadtxt"
        | "numpy.genfromtxt"
        | "linecache.getlines"
        | "xml.etree.ElementTree.parse"
        | "plistlib.readPlist"
        | "netrc.netrc" => On(Kind::Read, 0),
        "numpy.save" | "numpy.savetxt" | "numpy.savez" | "logging.FileHandler" => On(Kind::Write, 0),
        "ast.parse" | "ast.literal_eval" | "ast.dump" => Nothing,
        "timeit.timeit" | "timeit.repeat" | "cProfile.run" => Eval(0),
        "functools.reduce" | "functools.partial" | "operator.attrgetter" | "operator.methodcaller" => {
            Act::Apply
        }
        "psutil.Process" | "psutil.process_iter" | "psutil.pid_exists" => Nothing,
        "logging.basicConfig" => Nothing,
        "pathlib.Path.home" | "pathlib.PosixPath.home" => Act::Home,
        "pathlib.Path.cwd" => Act::Path,
        "fcntl.ioctl" => Does(Kind::Device),
        "fcntl.flock" | "fcntl.fcntl" | "fcntl.LOCK_EX" => Nothing,
        _ => return None,
    })
}

pub(super) fn method(name: &str, arguments: usize) -> Option<Act> {
    use Act::{Nothing, On, Open, Parent, Same, Tree, Two};
    Some(match name {
        "write_text" | "write_bytes" | "mkdir" | "touch" => On(Kind::Write, RECEIVER),
        "read_text" | "read_bytes" => On(Kind::Read, RECEIVER),
        "unlink" | "rmdir" => On(Kind::Delete, RECEIVER),
        "rmtree" => Tree(Kind::Delete, 0),
        "rename" | "replace" if arguments == 1 => Two(Kind::Move, RECEIVER, Kind::Write, 0),
        "replace" | "rename" => Nothing,
        "chmod" | "lchmod" => On(Kind::Permission, RECEIVER),
        "symlink_to" | "hardlink_to" | "link_to" => On(Kind::Link, RECEIVER),
        "open" => Open(RECEIVER, 0),
        "stat" | "lstat" => On(Kind::Read, RECEIVER),
        "iterdir" => Act::Listing(RECEIVER),
        "glob" | "rglob" | "joinpath" | "with_name" | "with_suffix" => Act::Path,
        "parent" => Parent(RECEIVER),
        "resolve" | "absolute" | "as_posix" => Same(RECEIVER),
        "expanduser" => Act::Expand(RECEIVER),
        "join" => Act::JoinText,
        "extractall" | "extract" => On(Kind::Write, usize::from(name == "extract")),
        "to_csv" | "to_json" | "to_excel" | "to_parquet" | "savefig" | "save" => On(Kind::Write, 0),
        "submit" => Act::Apply,
        // Whatever it is called on, it most likely is what the library calls so.
        "system" | "popen" if arguments > 0 => Act::Shell(0),
        "execute" | "executemany" | "executescript" => Act::Sql(0),
        "fromhex" => Act::Decode,
        // The clients of search services and of MongoDB call them so.
        "delete_index" | "clear_objects" | "delete_by_query" | "delete_collection" => {
            Act::Does(Kind::RemoteDelete)
        }
        "drop_database" | "drop_collection" | "flushall" | "flushdb" => Act::Does(Kind::DatabaseDestroy),
        "kill" | "terminate" | "send_signal" => Act::Does(Kind::Kill),
        "post" | "put" | "patch" | "request" => Act::Web(Kind::Upload, 0),
        "exists" | "is_file" | "is_dir" | "is_symlink" | "is_absolute" | "relative_to" | "is_relative_to"
        | "samefile" | "match" | "full_match" | "walk" | "owner" => Nothing,
        "get"
        | "items"
        | "keys"
        | "values"
        | "pop"
        | "popitem"
        | "setdefault"
        | "update"
        | "copy"
        | "clear"
        | "append"
        | "extend"
        | "insert"
        | "sort"
        | "reverse"
        | "index"
        | "count"
        | "add"
        | "discard"
        | "union"
        | "intersection"
        | "difference"
        | "symmetric_difference"
        | "issubset"
        | "issuperset"
        | "remove"
        | "popleft"
        | "appendleft"
        | "rotate"
        | "most_common"
        | "elements"
        | "subtract"
        | "total"
        | "move_to_end" => Nothing,
        "strip" | "lstrip" | "rstrip" | "split" | "rsplit" | "splitlines" | "partition" | "rpartition"
        | "startswith" | "endswith" | "lower" | "upper" | "title" | "capitalize" | "casefold"
        | "swapcase" | "find" | "rfind" | "rindex" | "isdigit" | "isalpha" | "isalnum" | "isspace"
        | "isupper" | "islower" | "isnumeric" | "isdecimal" | "isidentifier" | "istitle" | "isascii"
        | "isprintable" | "zfill" | "ljust" | "rjust" | "center" | "format" | "format_map" | "encode"
        | "decode" | "expandtabs" | "translate" | "maketrans" | "removeprefix" | "removesuffix" | "hex"
        | "bit_length" | "to_bytes" | "from_bytes" | "as_integer_ratio" | "is_integer" => Nothing,
        "search" | "fullmatch" | "findall" | "finditer" | "sub" | "subn" | "group" | "groups"
        | "groupdict" | "start" | "end" | "span" | "expand" => Nothing,
        "read" | "readline" | "readlines" | "write" | "writelines" | "close" | "flush" | "seek" | "tell"
        | "fileno" | "isatty" | "reconfigure" | "readable" | "writable" | "getvalue" | "detach"
        | "buffer" => Nothing,
        "namelist" | "infolist" | "getinfo" | "getnames" | "getmembers" | "getmember" | "testzip"
        | "extractfile" | "is_dir_entry" | "isfile" | "isdir" | "issym" | "printdir" | "addfile"
        | "writestr" | "gettarinfo" => Nothing,
        "json" | "raise_for_status" | "iter_content" | "iter_lines" | "getcode" | "geturl" | "info"
        | "getheader" | "getheaders" => Nothing,
        "fetchone" | "fetchall" | "fetchmany" | "cursor" | "commit" | "rollback" => Nothing,
        "isoformat" | "strftime" | "strptime" | "timestamp" | "date" | "time" | "now" | "utcnow"
        | "today" | "fromtimestamp" | "fromisoformat" | "total_seconds" | "astimezone" | "weekday"
        | "isoweekday" | "isocalendar" | "combine" | "utcoffset" | "toordinal" => Nothing,
        "hexdigest" | "digest" | "next" | "send" | "throw" | "writerow" | "writerows" | "writeheader"
        | "add_argument" | "parse_args" | "parse_known_args" | "print_help" | "add_parser"
        | "add_subparsers" | "getroot" | "iter" | "findtext" | "itertext" | "tostring" | "iterfind"
        | "getchildren" | "getattribute" | "get_text" | "find_all" | "select" | "select_one" | "parse"
        | "feed" | "visit" | "generic_visit" | "sections" | "options" | "getint" | "getboolean"
        | "has_option" | "has_section" | "read_string" | "read_file" | "read_dict" => Nothing,
        "communicate" | "wait" | "poll" | "check_returncode" => Nothing,
        "head" | "tail" | "describe" | "groupby" | "mean" | "sum" | "min" | "max" | "std" | "median"
        | "value_counts" | "to_string" | "to_dict" | "tolist" | "apply" | "agg" | "sort_values"
        | "sort_index" | "reset_index" | "set_index" | "merge" | "dropna" | "fillna" | "astype" | "isna"
        | "isnull" | "notna" | "unique" | "nunique" | "reshape" | "flatten" | "transpose" | "dot"
        | "argmax" | "argmin" | "cumsum" | "any" | "all" | "round" | "nlargest" | "nsmallest"
        | "iterrows" | "itertuples" | "to_markdown" | "quantile" | "corr" | "shape" => Nothing,
        "debug" | "warning" | "error" | "critical" | "exception" | "setLevel" | "addHandler" | "result"
        | "shutdown" | "join_thread" | "is_alive" | "acquire" | "release" | "put_nowait" | "get_nowait"
        | "empty" | "qsize" | "cleanup" | "getLogger" | "lock" | "done" | "cancel" | "as_completed" => {
            Nothing
        }
        "with_stem" | "as_uri" | "parts" | "cache_clear" | "cache_info" | "randint" | "choice"
        | "shuffle" | "sample" => Nothing,
        "__init__" | "__len__" | "__str__" | "__repr__" | "__iter__" | "__next__" | "__enter__"
        | "__exit__" | "__getitem__" | "__contains__" | "__eq__" | "__hash__" => Nothing,
        _ => return None,
    })
}
