/**
 * Blocks in the memory of this host's executors and drivers: who can be asked for them, and what has become of each
 * question.
 *
 * <p><b>Must not</b> know sessions, pulls or memory: a session is a {@link io.boltshuffle.agent.live.BlockOwner}, and a
 * pull a {@link io.boltshuffle.agent.live.BlockAsker}.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
@NullMarked
package io.boltshuffle.agent.live;

import org.jspecify.annotations.NullMarked;
