/**
 * Micro benchmarks (JMH) of what the tee does for each read: the hand-off to a lane, and the framing there.
 *
 * <pre>java -cp 'it/target/it-0.1.0-SNAPSHOT.jar' org.openjdk.jmh.Main dev.understudy.it.micro -prof gc</pre>
 *
 * <p>For orientation while a hot path is changed; what counts is measured end to end by {@code it/bench}.
 */
@NullMarked
package dev.understudy.it.micro;

import org.jspecify.annotations.NullMarked;
