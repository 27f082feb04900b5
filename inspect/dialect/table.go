package dialect

// Table is every library that is known, in the order in which equals are named;
// the plain pattern of Redis's own documentation last, since it steps back behind
// every other.
func Table() []Dialect {
	return []Dialect{
		notALock(),
		redisson(),
		springIntegration(),
		shedlock(),
		sidekiqUniqueJobs(),
		bullMQ(),
		bull(),
		gitlab(),
		redbeat(),
		redisPy(),
		pythonRedisLock(),
		symfony(),
		laravel(),
		pottery(),
		nodeRedlock(),
		redlockPy(),
		redlockRb(),
		redsync(),
		redislock(),
		caddyStorage(),
		rueidislock(),
		goZero(),
		asynq(),
		redlockNet(),
		distributedLock(),
		hangfireRedis(),
		lockTake(),
		setNX(),
	}
}
