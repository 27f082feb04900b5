package clock

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"time"

	"github.com/facebook/time/ntp/chrony"

	"github.com/lockscene/lockscene/evidence"
)

// ChronyAddress is where chronyd answers commands from its own host. Tracking
// needs no rights there; the UNIX socket would, and a client has to create a
// file of its own to use it.
const ChronyAddress = "127.0.0.1:323"

// maxReply is longer than any reply of protocol version 6.
const maxReply = 1024

// QueryChrony asks chronyd for its tracking record with one datagram and
// returns the reply as it came. Without a deadline in ctx it waits one second:
// chronyd answers at once or not at all.
func QueryChrony(ctx context.Context, addr string) (raw []byte, status evidence.Status, why string) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	raw, err := askChrony(ctx, addr)
	switch {
	case err == nil:
		return raw, evidence.OK, ""
	case errors.Is(err, syscall.ECONNREFUSED):
		return nil, evidence.Unsupported, "no chronyd answers on " + addr
	case errors.Is(err, os.ErrDeadlineExceeded), ctx.Err() != nil:
		return nil, evidence.Timeout, "chronyd did not answer on " + addr
	case errors.Is(err, os.ErrPermission):
		return nil, evidence.Denied, err.Error()
	}
	return nil, evidence.Failed, err.Error()
}

func askChrony(ctx context.Context, addr string) ([]byte, error) {
	var request bytes.Buffer
	packet := chrony.NewTrackingPacket()
	packet.SetSequence(1)
	if err := binary.Write(&request, binary.BigEndian, packet); err != nil {
		return nil, fmt.Errorf("encode tracking request: %w", err)
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "udp", addr)
	if err != nil {
		return nil, fmt.Errorf("dial chronyd: %w", err)
	}
	defer conn.Close()
	// A cancelled context must end the read too, not only its deadline.
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if _, err := conn.Write(request.Bytes()); err != nil {
		return nil, fmt.Errorf("ask chronyd: %w", err)
	}
	reply := make([]byte, maxReply)
	n, err := conn.Read(reply)
	if err != nil {
		return nil, fmt.Errorf("read chronyd's reply: %w", err)
	}
	return reply[:n], nil
}

// DecodeTracking reads chronyd's reply to a tracking request.
func DecodeTracking(reply []byte) (evidence.Tracking, error) {
	if len(reply) > maxReply {
		return evidence.Tracking{}, fmt.Errorf("decode tracking reply: %d bytes", len(reply))
	}
	// The library decodes only what its client has read from a connection.
	client := chrony.Client{Connection: recorded{bytes.NewReader(reply)}}
	packet, err := client.Communicate(chrony.NewTrackingPacket())
	if err != nil {
		return evidence.Tracking{}, fmt.Errorf("decode tracking reply: %w", err)
	}
	r, ok := packet.(*chrony.ReplyTracking)
	if !ok {
		return evidence.Tracking{}, fmt.Errorf("decode tracking reply: it answers another question (type %d)", packet.GetType())
	}
	ref, err := instant(r.RefTime)
	if err != nil {
		return evidence.Tracking{}, fmt.Errorf("decode tracking reply: %w", err)
	}
	leap := "unsynchronised"
	if words := [...]string{"normal", "insert", "delete"}; int(r.LeapStatus) < len(words) {
		leap = words[r.LeapStatus]
	}
	t := evidence.Tracking{
		RefID: chrony.RefidAsHEX(r.RefID), Stratum: int(r.Stratum), Leap: leap, RefTime: ref,
		Correction: seconds(r.CurrentCorrection), LastOffset: seconds(r.LastOffset), RMSOffset: seconds(r.RMSOffset),
		FreqPPM: finite(r.FreqPPM), ResidPPM: finite(r.ResidFreqPPM), SkewPPM: finite(r.SkewPPM),
		RootDelay: seconds(r.RootDelay), RootDisp: seconds(r.RootDispersion), Interval: seconds(r.LastUpdateInterval),
	}
	if r.IPAddr != nil {
		t.Name = r.IPAddr.String()
	}
	return t, limits(t)
}

// recorded plays a reply that was read before.
type recorded struct{ io.Reader }

func (recorded) Write(p []byte) (int, error) { return len(p), nil }
