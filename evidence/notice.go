package evidence

// The classes of a ServerNotice. A class says what the line says happened, not
// what it did to the lock.
const (
	NoticeStarted       = "started"        // a new process began
	NoticeReady         = "ready"          // it accepts connections
	NoticeNoKeys        = "no-keys"        // it accepts connections, and loaded nothing since it began: every key is gone
	NoticeLoading       = "loading"        // it reads its data from disk
	NoticeLoaded        = "loaded"         // it has read them
	NoticeLoadFailed    = "load-failed"    // it could not read them
	NoticeStopping      = "stopping"       // it was told to stop
	NoticeStopped       = "stopped"        // its last words
	NoticeCrashed       = "crashed"        // it died of a signal or of a failed assertion
	NoticeOOM           = "oom"            // it could not allocate memory
	NoticeFailover      = "failover"       // a step of a failover, by Sentinel, a replica or an order
	NoticeSwitch        = "switch"         // Sentinel names another primary; Node is the new one
	NoticePromoted      = "promoted"       // a replica became primary; the text may give the offset
	NoticeDemoted       = "demoted"        // a primary became replica; Node is its primary where that is told
	NoticeSDown         = "sdown"          // one Sentinel misses the primary
	NoticeSDownOver     = "sdown-over"     //
	NoticeODown         = "odown"          // a quorum of Sentinels misses the primary
	NoticeODownOver     = "odown-over"     //
	NoticePeerDown      = "peer-down"      // a replica or another Sentinel is missed, or no longer
	NoticeReboot        = "reboot"         // Sentinel saw another run id at the same address
	NoticeTilt          = "tilt"           // Sentinel's own clock jumped, or it was not scheduled
	NoticeTiltOver      = "tilt-over"      //
	NoticeFullResync    = "full-resync"    // a replica's data were, or are to be, replaced by the primary's
	NoticeResync        = "resync"         // a replica goes on where it was
	NoticeLinkLost      = "link-lost"      // a primary and a replica lost each other
	NoticeSlowScript    = "slow-script"    // a script or function blocks the server
	NoticeStall         = "stall"          // the server's own watchdog found it stuck
	NoticeAOFSlow       = "aof-slow"       // writes wait for the disk
	NoticeSaveFailed    = "save-failed"    // data were not saved; by default writes are refused from then on
	NoticeRefusedWrites = "refused-writes" // writes are refused
	NoticeMaxClients    = "max-clients"    // connections are refused
	NoticeClientClosed  = "client-closed"  // a connection was closed by a limit of the server
	NoticeClusterFail   = "cluster-fail"   // a node of the cluster is marked as failing
	NoticeClusterClear  = "cluster-clear"  // … or no longer
	NoticeClusterDown   = "cluster-down"   // this node refuses commands, because slots are not covered or it is in the minority
	NoticeClusterUp     = "cluster-up"     // it accepts them again
)
