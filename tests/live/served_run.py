"""A run of the program that is served, for the tests in Python."""
import json
import os
import re
import signal
import subprocess
import time
import urllib.error
import urllib.request

DEADLINE = 120  # s, for everything that a test waits for


def wait_for(what, holds):
    """Returns the first true result of holds(); fails after the deadline."""
    end = time.monotonic() + DEADLINE
    while True:
        result = holds()
        if result:
            return result
        if time.monotonic() > end:
            raise AssertionError(f"did not happen within {DEADLINE} s: {what}")
        time.sleep(0.02)


class ServedRun:
    """`troupe run CONFIG --serve` with more options; ends with the test."""

    def __init__(self, program, config, out, *options, address="127.0.0.1:0"):
        self.process = subprocess.Popen(
            [program, "run", config, "--quiet", "--out", out, "--overwrite", "--serve", address, *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.url = None
        lines = []
        for line in self.process.stderr:
            lines.append(line)
            found = re.search(r"the live page is at (\S+)", line)
            if found:
                self.url = found[1]
                break
        assert self.url, "no address on stderr: " + "".join(lines)
        self.port = int(re.search(r":(\d+)/", self.url)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end(signal.SIGKILL)

    def ask(self, path, body=None, headers=None):
        """Returns the status, the content type and the text of a response."""
        data = None if body is None else json.dumps(body).encode()
        more = dict(headers or {})
        if data is not None:
            more.setdefault("Content-Type", "application/json")
        request = urllib.request.Request(self.url.split("#")[0].rstrip("/") + path, data, more)
        try:
            with urllib.request.urlopen(request, timeout=DEADLINE) as response:
                return response.status, response.headers.get_content_type(), response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers.get_content_type(), error.read().decode()

    def state(self):
        status, _, text = self.ask("/api/v1/state")
        assert status == 200, text
        return json.loads(text)

    def control(self, body):
        status, _, text = self.ask("/api/v1/control", body)
        assert status == 200, text
        return json.loads(text)

    def end(self, by=signal.SIGINT):
        """Ends the program; returns its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(by)
        self.process.stderr.close()
        return self.process.wait(timeout=DEADLINE)


class ServedCluster:
    """`troupe cluster up CONFIG OPTIONS` with three nodes that run commands, in a directory of its own."""

    def __init__(self, program, config, folder, *options):
        self.program, self.folder = os.path.abspath(program), folder
        os.makedirs(folder)
        said = os.path.join(folder, "said")
        with open(said, "w") as out:
            self.process = subprocess.Popen(
                [self.program, "cluster", "up", os.path.abspath(config), "--nodes", "3", *options], cwd=folder,
                stdout=out, stderr=subprocess.STDOUT)

        def address():
            with open(said) as text:
                return re.search(r"The live page is at (\S+)", text.read())

        self.url = wait_for("a cluster with a page", address)[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=DEADLINE)

    def run(self, *words):
        """Runs a command of the program for this cluster."""
        subprocess.run([self.program, *words], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)


def same_results(one, other):
    """Compares all files of results but for what depends on the host."""
    names = sorted(os.listdir(one))
    assert names == sorted(os.listdir(other)), (names, os.listdir(other))
    for name in names:
        if name == "report.html":
            continue  # names its folder
        with open(os.path.join(one, name), "rb") as a, open(os.path.join(other, name), "rb") as b:
            left, right = a.read(), b.read()
        if name == "summary.json":
            left, right = json.loads(left), json.loads(right)
            left.pop("host")
            right.pop("host")
        assert left == right, name + " differs"
