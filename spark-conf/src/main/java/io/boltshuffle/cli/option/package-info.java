/**
 * Options that several verbs share, as picocli mixins: one name, one meaning, one check, wherever they appear. Also the
 * common steps of the verbs that run Spark on hosts of this machine.
 *
 * <p><b>Must not</b> name a verb.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.cli.option;

import org.jspecify.annotations.NullMarked;
