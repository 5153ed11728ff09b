package dev.understudy.sidecar.control;

import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import dev.understudy.sidecar.record.RecordingStatus;
import dev.understudy.sidecar.record.RecordingSwitch;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code GET}, {@code PUT} and {@code POST /v1/listeners/{name}/recording}: starts and stops one listener's recording.
 */
public final class RecordControl {
    private static final Set<String> MODES = Set.of("on", "next", "off");

    private final List<Watched> listeners;

    public RecordControl(List<Watched> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    /** How it fares. */
    public Reply read(Call call) {
        Watched watched = Watched.find(listeners, call.captured("name"));
        return watched == null
                ? Watched.unknown(call)
                : answer(watched, watched.recording().status());
    }

    /**
     * Starts or stops it, as the body's {@code mode} says: on, off, or next for a new file without a gap.
     *
     * @throws IllegalArgumentException if it says none of them
     */
    public Reply turn(Call call) {
        String mode = TeeControl.mode(call.body(), "{\"mode\": \"on\"}, \"next\" or \"off\"");
        if (!MODES.contains(mode)) {
            throw new IllegalArgumentException("mode: " + mode + " (expected: one of on, next, off)");
        }
        Watched watched = Watched.find(listeners, call.captured("name"));
        if (watched == null) {
            return Watched.unknown(call);
        }
        RecordingSwitch recording = watched.recording();
        if (!recording.possible()) {
            return Reply.problem(409, "Nothing can be recorded", "the settings have no record.directory");
        }
        try {
            return answer(
                    watched,
                    switch (mode) {
                        case "on" -> recording.start();
                        case "next" -> recording.next();
                        default -> recording.stop();
                    });
        } catch (IOException refused) {
            return Reply.problem(409, "Can't record", String.valueOf(refused.getMessage()));
        }
    }

    static Map<String, Object> spell(RecordingStatus status) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("state", status.state());
        spelled.put("file", status.file());
        spelled.put("sinceMillis", status.sinceMillis());
        spelled.put("bytes", status.bytes());
        spelled.put("connections", status.connections());
        spelled.put("incomplete", status.incomplete());
        spelled.put("lostBytes", status.lostBytes());
        spelled.put("unjoined", status.unjoined());
        spelled.put("ended", status.ended());
        return spelled;
    }

    private static Reply answer(Watched watched, RecordingStatus status) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("listener", watched.name());
        spelled.putAll(spell(status));
        return Reply.json(spelled);
    }
}
