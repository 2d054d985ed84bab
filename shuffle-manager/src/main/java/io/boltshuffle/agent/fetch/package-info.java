/**
 * Fetches from other hosts: cutting them into pulls, asking for these, moving what is offered over links, and counting
 * what executors hold of it.
 *
 * <p><b>Must not</b> know peers or sessions: a peer hands in its links ({@link io.boltshuffle.agent.cable.LinkSet}) and
 * a way to send messages, and a session is a {@link io.boltshuffle.agent.fetch.FetchReceiver}. Nor does it know how
 * pulls are served.
 *
 * <p><b>Threads:</b> confined to the agent's loop, in whose place a link's poller may tell that bytes came.
 */
@NullMarked
package io.boltshuffle.agent.fetch;

import org.jspecify.annotations.NullMarked;
