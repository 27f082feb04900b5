/* reuse PID PROGRAM [ARG]...
 *
 * Starts PROGRAM under exactly the pid given, which must be free, and waits for
 * it. In C because a child born of clone3 may run nothing of a language runtime
 * before it executes the new program. */
#define _GNU_SOURCE
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	pid_t want = atoi(argv[1]);
	struct clone_args args;
	memset(&args, 0, sizeof args);
	args.exit_signal = SIGCHLD;
	args.set_tid = (uint64_t)(uintptr_t)&want;
	args.set_tid_size = 1;
	pid_t pid = syscall(SYS_clone3, &args, sizeof args);
	if (pid < 0) {
		perror("clone3");
		return 1;
	}
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	printf("started %d\n", pid);
	fflush(stdout);
	waitpid(pid, NULL, 0);
	return 0;
}
