package dev.understudy.sidecar.control;

import dev.understudy.relay.RelayStatus;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import dev.understudy.sidecar.config.ListenerConfig.Framing;
import dev.understudy.sidecar.lane.DebugLanes;
import dev.understudy.sidecar.record.RecordingStatus;
import dev.understudy.sidecar.record.RecordingSwitch;
import dev.understudy.sidecar.tee.Tee;
import dev.understudy.sidecar.verdict.TapGaps;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One listener as the control port sees it.
 *
 * @param protocol how what it relays is cut
 * @param listener what it has relayed
 * @param tee null if it only relays
 * @param recording that can't be started where the settings name no directory
 * @param lanes those to each of its debug JVMs
 * @param operator what was set of it here
 * @param gaps what its copies lack without a lane having counted it
 */
public record Watched(
        String name,
        Framing protocol,
        RelayStatus listener,
        @Nullable Tee tee,
        RecordingSwitch recording,
        List<DebugLanes> lanes,
        OperatorState operator,
        Supplier<TapGaps> gaps) {
    public Watched {
        lanes = List.copyOf(lanes);
    }

    /** Keeps in mind what is being recorded, for a process that follows this one. */
    public void keepRecording() {
        RecordingStatus status = recording.status();
        operator.recording(status.state().equals("off") ? "" : status.file());
    }

    /** That of a name, or null. */
    static @Nullable Watched find(List<Watched> listeners, String name) {
        for (Watched watched : listeners) {
            if (watched.name().equals(name)) {
                return watched;
            }
        }
        return null;
    }

    /** The answer to a call about a listener that there isn't. */
    static Reply unknown(Call call) {
        return Reply.problem(404, "Not found", "no listener " + call.captured("name"));
    }

    /** The lanes to its first debug JVM; null if it only relays. */
    @Nullable
    DebugLanes first() {
        return lanes.isEmpty() ? null : lanes.get(0);
    }
}
