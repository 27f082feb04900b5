package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	redsyncredis "github.com/go-redsync/redsync/v4/redis"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	goredislib "github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidislock"
	"github.com/zeromicro/go-zero/core/stores/redis"
)

func holdRedsync(ctx context.Context, o options, held func()) error {
	var pools []redsyncredis.Pool
	for _, addr := range strings.Split(o.addr, ",") {
		client := goredislib.NewClient(&goredislib.Options{Addr: addr})
		defer client.Close()
		pools = append(pools, goredis.NewPool(client))
	}
	var opts []redsync.Option
	if o.lease > 0 {
		opts = append(opts, redsync.WithExpiry(o.lease))
	}
	m := redsync.New(pools...).NewMutex(o.key, opts...)
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	held()
	// One extension that fails is no loss: a majority may serve the next.
	err := every(ctx, o.renew, func() error {
		if _, err := m.ExtendContext(ctx); err != nil {
			fmt.Println("not extended:", err)
		} else {
			fmt.Println("extended")
		}
		return nil
	})
	m.Unlock()
	return err
}

func holdRedislock(ctx context.Context, o options, held func()) error {
	client := goredislib.NewClient(&goredislib.Options{Addr: o.addr})
	defer client.Close()
	lease := max(o.lease, time.Second)
	l, err := redislock.New(client).Obtain(ctx, o.key, lease, nil)
	if err != nil {
		return err
	}
	held()
	err = every(ctx, o.renew, func() error { return l.Refresh(ctx, lease, nil) })
	l.Release(context.WithoutCancel(ctx))
	return err
}

func holdRueidis(ctx context.Context, o options, held func()) error {
	l, err := rueidislock.NewLocker(rueidislock.LockerOption{
		ClientOption: rueidis.ClientOption{InitAddress: strings.Split(o.addr, ",")}, KeyValidity: o.lease,
	})
	if err != nil {
		return err
	}
	defer l.Close()
	_, release, err := l.WithContext(ctx, o.key)
	if err != nil {
		return err
	}
	defer release()
	held()
	return every(ctx, 0, nil)
}

func holdGoZero(ctx context.Context, o options, held func()) error {
	l := redis.NewRedisLock(redis.MustNewRedis(redis.RedisConf{Host: o.addr, Type: redis.NodeType}), o.key)
	l.SetExpire(int(max(o.lease, time.Second).Seconds()))
	for {
		ok, err := l.AcquireCtx(ctx)
		if err != nil || ctx.Err() != nil {
			return err
		}
		if ok {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	held()
	err := every(ctx, o.renew, func() error { _, err := l.AcquireCtx(ctx); return err })
	l.Release()
	return err
}
