# Runs a program at a terminal of its own: waits for words, then types. A key is pressed once the terminal takes single
# keys, a line is typed once it takes lines. Says what stood there, and ends as the program ended.
import fcntl, json, os, pty, select, struct, sys, termios, time

PATIENCE = 60
turns, program = json.loads(sys.argv[1]), sys.argv[2:]
pid, screen = pty.fork()
if pid == 0:
    os.execv(program[0], program)
fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
seen, read_to, deadline = b"", 0, time.monotonic() + PATIENCE


def more(within=PATIENCE):
    global seen
    ready, _, _ = select.select([screen], [], [], within)
    if not ready and time.monotonic() < deadline:
        return True
    if not ready:
        sys.stdout.write(seen.decode(errors="replace") + "\n(nothing more came)\n")
        sys.exit(99)
    try:
        data = os.read(screen, 65536)
    except OSError:
        data = b""
    seen += data
    return bool(data)


def takes_lines():
    return bool(termios.tcgetattr(screen)[3] & termios.ICANON)


for words, keys in turns:
    while (at := seen.find(words.encode(), read_to)) < 0:
        if not more():
            break
    if at < 0:
        break
    read_to = at + len(words.encode())
    while takes_lines() != keys.endswith("\n") and more(0.01):
        pass
    os.write(screen, keys.encode())
while more():
    pass
sys.stdout.write(seen.decode(errors="replace"))
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status))
