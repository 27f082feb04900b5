"""Takes a lock with redis-py's own Lock and holds it.

    lockclient.py HOST PORT KEY SECONDS [LEASE]

Without a lease the lock has no expiry, as redis-py's default is.
"""
import sys
import time

import redis

host, port, key, seconds = sys.argv[1:5]
lease = float(sys.argv[5]) if len(sys.argv) > 5 else None
client = redis.Redis(host=host, port=int(port))
lock = client.lock(key, timeout=lease)
lock.acquire()
print("held", flush=True)
end = time.time() + float(seconds)
while time.time() < end:
    sorted("ledger " * 2000)
    time.sleep(0.02)
lock.release()
