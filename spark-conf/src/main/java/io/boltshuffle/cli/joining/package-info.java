/**
 * The conversation by which a machine joins the cluster of another one: a code or a key proves who calls, and over the
 * same encrypted connection the machine gets all that it needs.
 *
 * <p>TLS with a certificate that the first machine made itself keeps listeners out. Both sides prove that they know the
 * code by an HMAC over fresh numbers of both and over the certificate that each of them sees, so that a machine in the
 * middle, which has another certificate, passes neither proof on.
 *
 * <p><b>Must not</b> start a process, print or log a secret, or keep anything of a caller who proved nothing.
 *
 * <p><b>Threads:</b> one accepts; each connection has one of a limited number.
 */
@NullMarked
package io.boltshuffle.cli.joining;

import org.jspecify.annotations.NullMarked;
