/**
 * Finished map outputs that lie in registered memory, so that they can be served without reading their files.
 *
 * <p>The file stays the truth: what is not here, or is here no more, is read from it. So an output may be taken away at
 * any moment at which nothing reads it.
 *
 * <p><b>Must not</b> know files, links, pulls or sessions. Of ports it knows that they can be opened to an output.
 *
 * <p><b>Threads:</b> safe from any.
 */
@NullMarked
package io.boltshuffle.agent.output;

import org.jspecify.annotations.NullMarked;
