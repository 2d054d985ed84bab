/**
 * Finds the first machine of a cluster in the local network by multicast DNS, and announces it there.
 *
 * <p>Anybody in the network can announce anything. An announcement therefore says where somebody may listen, and
 * nothing else: the code's proof decides who is joined.
 *
 * <p><b>Must not</b> announce a secret, or run in the process of the join server, which knows all secrets: JmDNS reads
 * what any machine of the network sends, and keeps as much of it as it gets.
 *
 * <p><b>Threads:</b> the caller's; JmDNS has its own.
 */
@NullMarked
package io.boltshuffle.cli.nearby;

import org.jspecify.annotations.NullMarked;
