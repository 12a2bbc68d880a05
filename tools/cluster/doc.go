// Command cluster runs three datachain servers on this machine, behind haproxy with the
// configuration in deploy/haproxy, with Redis and S3-compatible storage (versitygw), and
// breaks one part after the other under load:
//
//	make cluster                        # about six minutes
//	make cluster CLUSTER='-short'       # the form for CI
//	make cluster CLUSTER='-only redis -seed 7'
//	make cluster CLUSTER='-capacity'    # breaks nothing, and compares one server with three
//
// Clients send reads, searches, icons, documents and MCP calls from outside, through
// haproxy. Every response is compared byte by byte with that of a server that reads the
// same releases from a directory. In each scenario the program also counts from outside
// how many requests a rate limit lets pass, sent by 16 clients through all servers, and
// whether the page that an MCP session rendered is found on every server. The result is a
// table, and the exit code is 1 if a promise is broken:
//
//   - no request fails, whatever breaks, except for a killed server those whose response
//     had begun;
//   - no response has wrong bytes;
//   - limits are exact while Redis is there, and not exceeded while it is away. On a busy
//     machine checks of limits time out, after which a server decides alone; a count during
//     which that happened is repeated, and shown as 61 (±2) if it happens three times;
//   - the page of an MCP session is found on every server while Redis is there. A count
//     during which pages got lost, because Redis was late, is repeated, too;
//   - limits are exact again at most 2 seconds after Redis is back;
//   - a beta version that is published again is served by every server within --refresh
//     (1 s) and a margin of 4 s, in which a machine that runs all of this reads the
//     release. The table has the longest time that it took;
//   - of 100 publications by four publishers that race for one index, over a network that
//     delays everything and loses every eighth reply, while servers are killed, each is
//     in the index or was refused with a reason, and every release that the index names is
//     whole. The table shows them as 84+16/100: most are versions of one publisher, and
//     each fifth is a stable version that all four publish with different content, of
//     which one may win.
//
// Everything listens on loopback addresses and ends with the program. Processes are
// stopped by their ids, and files are in a temporary directory. It needs Linux, haproxy,
// redis-server and versitygw; tools/cluster/run installs them.
package main
