"""An engine that plays the middle column at first, and then behaves as it is told to.

usage: bad.py HOW; speaks as much UGI and Gomocup as it takes.
"""

import os
import signal
import subprocess
import sys
import time

how = sys.argv[1]
keep = []


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def misbehave():
    if how == "crash":
        sys.stderr.write("it hurts\n")
        sys.stderr.flush()
        os._exit(3)
    if how == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "closes":
        os.close(1)
        time.sleep(60)
    if how == "hang":
        return
    if how == "deaf":
        time.sleep(60)
    if how == "late":
        time.sleep(0.6)
        say("bestmove 4")
    if how == "illegal":
        say("bestmove 4")
    if how == "nonsense":
        say("bestmove pass")
    if how == "garbage":
        say("I am not sure")
        say("{'move': 4}")
    if how == "binary":
        os.write(1, bytes(range(256)) + b"\n")
    if how == "flood":
        while True:
            os.write(1, b"info string and so on\n" * 1000)
    if how == "endless-line":
        for _ in range(100):
            os.write(1, b"x" * 100_000)
        say("")
    if how == "stderr-flood":
        for _ in range(100):
            os.write(2, b"x" * 100_000)
    if how == "memory":
        keep.append(b"x" * 150_000_000)
        say("bestmove 5")


def first_move():
    if how in ("children", "strays", "orphans"):
        new_session = how != "children"
        for _ in range(2):
            command = ["sleep", "60"]
            keep.append(subprocess.Popen(command, start_new_session=new_session))
        say("info " + " ".join(str(child.pid) for child in keep))
    say("bestmove 4")
    if how == "orphans":
        os._exit(0)


moves = 0
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "ugi":
        say("ugiok")
    elif word == "isready":
        say("readyok")
    elif word == "ABOUT":
        say('name="bad"')
    elif word == "START":
        os._exit(1)
    elif word == "quit":
        break
    elif word == "go":
        moves += 1
        if moves == 1:
            first_move()
        else:
            misbehave()
