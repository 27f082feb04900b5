/* A preload shim that gives one process its own wall clock. Preloaded because
 * the machine's clock belongs to everybody; only CLOCK_REALTIME and its kin are
 * touched, so that timers, which run on the steady clock, stay right.
 *
 * The control file, named by LOCKSCENE_DRILL_CLOCK, holds three 64-bit words:
 * offset in nanoseconds, frozen (0 or 1), and the time shown while frozen. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct control {
	volatile int64_t offset, frozen, frozen_at;
};

static struct control *ctl;

__attribute__((constructor)) static void attach(void)
{
	const char *path = getenv("LOCKSCENE_DRILL_CLOCK");
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return;
	void *p = mmap(NULL, sizeof *ctl, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (p != MAP_FAILED)
		ctl = p;
}

static int wall(clockid_t id)
{
	return id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_TAI;
}

/* The kernel is asked by number: the C library's own entry is this function,
 * and the allocator calls it before the constructor has run. */
int clock_gettime(clockid_t id, struct timespec *ts)
{
	int r = syscall(SYS_clock_gettime, id, ts);
	if (r || !ctl || !wall(id))
		return r;
	int64_t ns = (int64_t)ts->tv_sec * 1000000000 + ts->tv_nsec + ctl->offset;
	if (ctl->frozen)
		ns = ctl->frozen_at;
	ts->tv_sec = ns / 1000000000;
	ts->tv_nsec = ns % 1000000000;
	return 0;
}

int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
	struct timespec ts;
	(void)tz;
	if (clock_gettime(CLOCK_REALTIME, &ts))
		return -1;
	tv->tv_sec = ts.tv_sec;
	tv->tv_usec = ts.tv_nsec / 1000;
	return 0;
}

time_t time(time_t *out)
{
	struct timespec ts;
	clock_gettime(CLOCK_REALTIME, &ts);
	if (out)
		*out = ts.tv_sec;
	return ts.tv_sec;
}
