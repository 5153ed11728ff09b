package dev.understudy.sidecar.lane;

import dev.understudy.divergence.wire.Protocol;
import dev.understudy.sidecar.tee.Sampling;
import dev.understudy.sidecar.tee.TeeMode;
import dev.understudy.sidecar.tee.TeeSwitch;
import dev.understudy.sidecar.trace.TraceSource;
import dev.understudy.sidecar.verdict.CopyState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the lanes of one listener work.
 *
 * @param listener its name
 * @param debug name of the debug JVM
 * @param state what that JVM began with; null if nobody said
 * @param protocol how its bytes are framed; TCP for not at all
 * @param maxBody bytes of a reply's body that are kept for the comparison; the rest counts by length and hash
 * @param replyTimeout how long an exchange may stand still on the debug side, once its request was handed over
 * @param connectWait how long bytes wait for a debug JVM that can't be reached
 * @param tee whether bytes may go to the debug JVM now, and which requests do
 * @param traces where the traces are from that the debug JVM is told with each request
 * @param sheds whether whole requests are left out before the window overflows, and lanes that overflowed begin again
 * @param patient whether there is room on disk to wait for a debug JVM that stands still as a whole
 */
public record LaneSettings(
        String listener,
        String debug,
        @Nullable CopyState state,
        Protocol protocol,
        int maxBody,
        Duration replyTimeout,
        Duration connectWait,
        TeeSwitch tee,
        TraceSource traces,
        boolean sheds,
        boolean patient) {
    /** The same with another switch. */
    LaneSettings with(TeeSwitch other) {
        return new LaneSettings(
                listener, debug, state, protocol, maxBody, replyTimeout, connectWait, other, traces, sheds, patient);
    }

    /** Whatever the operator has chosen, all goes to the debug JVM, and nothing is waited for longer. */
    LaneSettings apart(Duration patience, TraceSource its) {
        return new LaneSettings(
                listener,
                debug,
                state,
                protocol,
                maxBody,
                patience,
                patience,
                new TeeSwitch(TeeMode.ON, Sampling.ALL, System.nanoTime()),
                its,
                false,
                false);
    }

    /** Whether bytes are cut into exchanges. */
    boolean framed() {
        return protocol != Protocol.TCP;
    }
}
