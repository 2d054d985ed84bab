/**
 * The tab "Boltshuffle" of Spark's UI, live and in the history server: reports and task ends are folded into a
 * {@link io.boltshuffle.spark.ui.ShuffleHistory}, and a {@link io.boltshuffle.spark.ui.Picture} of it is drawn.
 *
 * <p><b>Must not</b> load anything from outside: no scripts, fonts or pictures, so that it works without a network and
 * under Spark's content security policy.
 *
 * <p><b>Threads:</b> folds on Spark's listener and RPC threads, draws on those of its web server.
 */
@NullMarked
package io.boltshuffle.spark.ui;

import org.jspecify.annotations.NullMarked;
