/**
 * The executors of this host, on the Unix socket: who they are, what they fetch, and which memory they hold.
 *
 * <p><b>Must not</b> be named by another room of the agent: what others tell a session comes through interfaces that
 * they own ({@link io.boltshuffle.agent.fetch.FetchReceiver}, {@link io.boltshuffle.agent.peer.RouteListener}).
 *
 * <p><b>Threads:</b> said at each class.
 */
@NullMarked
package io.boltshuffle.agent.session;

import org.jspecify.annotations.NullMarked;
