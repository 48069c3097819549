"""A shell in a directory of its own: what one command exports, and where it goes, the next one finds."""
import os
import re
import signal
import subprocess
import time

# On a host that is very busy with other tests:
READY = 300  # s, until a command in the background is up
STOP = 300   # s, until it has ended after SIGINT


class Failure(Exception):
    pass


class Job:
    """A command in the background."""

    def __init__(self, text, process, log, codes):
        self.text, self.process, self.log, self.codes = text, process, log, codes


class Shell:
    def __init__(self, folder, environment):
        self.folder = os.path.join(folder, "work")
        self.state = os.path.join(folder, "state")
        os.makedirs(self.folder)
        os.makedirs(self.state)
        self.environment = environment
        self.jobs = []
        self.logs = 0
        self.write("cwd", self.folder + "\n")
        self.write("env", "")

    def write(self, name, text):
        with open(os.path.join(self.state, name), "w", encoding="utf-8") as file:
            file.write(text)

    def start(self, script, log):
        with open(os.path.join(self.state, "scripts"), "a", encoding="utf-8") as file:
            file.write(time.strftime("%X ") + script)
        # It does not outlive this test, even if that is killed.
        return subprocess.Popen(["setpriv", "--pdeathsig", "KILL", "bash", "-c", script],
                                stdin=subprocess.DEVNULL, stdout=log[0], stderr=log[1],
                                cwd=self.folder, env=self.environment, start_new_session=True)

    def run(self, text, timeout):
        """Returns the exit code, standard output, and it with standard error behind."""
        script = (f'. "{self.state}/env"; cd "$(cat "{self.state}/cwd")"; set -o pipefail\n{text}\n'
                  f'code=$?; pwd >"{self.state}/cwd"; export -p >"{self.state}/env"\n'
                  f'times >"{self.state}/times"; exit $code\n')
        # A file, as what a command leaves in the background keeps a pipe open.
        with open(os.path.join(self.state, "out"), "w+b") as out, \
                open(os.path.join(self.state, "err"), "w+b") as err:
            process = self.start(script, (out, err))
            try:
                code = process.wait(timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                raise Failure(f"it did not end within {timeout} s")
            out.seek(0)
            err.seek(0)
            printed = out.read().decode(errors="replace")
            return code, printed, printed + err.read().decode(errors="replace")

    def cpu_time(self):
        """Returns that of the last command, in s."""
        times = re.findall(r"(\d+)m([\d.]+)s", read(os.path.join(self.state, "times")))
        return sum(60 * int(minutes) + float(seconds) for minutes, seconds in times[2:])

    def run_in_background(self, text, ready, codes):
        """Returns once the pattern `ready` is in what the command has printed."""
        self.logs += 1
        path = os.path.join(self.state, f"log-{self.logs}")
        with open(path, "wb") as log:
            process = self.start(f'. "{self.state}/env"; cd "$(cat "{self.state}/cwd")"\nexec {text}\n',
                                 (log, subprocess.STDOUT))
        self.jobs.append(Job(text, process, path, codes))
        end = time.monotonic() + READY
        while True:
            ended = process.poll() is not None
            printed = read(path)
            if re.search(ready, printed):
                return
            if ended:
                raise Failure(f"it ended with {process.returncode}:\n{printed}")
            if time.monotonic() > end:
                raise Failure(f"it did not print '{ready}' within {READY} s:\n{printed}")
            time.sleep(0.05)

    def end_jobs(self, count=None):
        """Ends what is in the background, the latest first, or so many of it; returns what is wrong."""
        wrong = []
        for _ in range(count or len(self.jobs)):
            job = self.jobs.pop()
            if job.process.poll() is None:
                job.process.send_signal(signal.SIGINT)
            try:
                code = job.process.wait(STOP)
                if code not in job.codes:
                    wrong.append(f"'{job.text}' ended with {code}, expected {job.codes}:\n{read(job.log)}")
            except subprocess.TimeoutExpired:
                wrong.append(f"'{job.text}' did not end within {STOP} s after SIGINT:\n{read(job.log)}")
            try:
                os.killpg(job.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            job.process.wait()
        return wrong


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()
