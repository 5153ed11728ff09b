package dev.understudy.sidecar.control;

import dev.understudy.relay.control.Reply;
import dev.understudy.sidecar.resync.Epoch;
import dev.understudy.sidecar.resync.Resync;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code GET} and {@code POST /v1/resync}: the session's epochs, and asking for another one. */
public final class ResyncControl {
    private final Resync resync;

    public ResyncControl(Resync resync) {
        this.resync = resync;
    }

    /** All epochs. */
    public Reply read() {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("debug", resync.debug());
        seen.put("possible", resync.isPossible());
        seen.put("epochs", epochs(resync));
        return Reply.json(seen);
    }

    /** Begins another one. */
    public Reply ask() {
        if (!resync.isPossible()) {
            return Reply.problem(409, "Nothing can be done", "the settings have nothing to do under resync");
        }
        if (!resync.ask(System.nanoTime(), System.currentTimeMillis())) {
            return Reply.problem(409, "Not now", "it is being done already");
        }
        return read();
    }

    static List<Map<String, Object>> epochs(Resync resync) {
        return resync.epochs().stream().map(ResyncControl::spell).toList();
    }

    static Map<String, Object> spell(Epoch epoch) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("epoch", epoch.number());
        seen.put("cause", epoch.cause().name());
        seen.put("fromMillis", epoch.fromMillis());
        seen.put("state", epoch.state());
        seen.put("tookMillis", Math.max(0, epoch.tookMillis()));
        seen.put("problem", epoch.problem());
        seen.put("patch", epoch.patch());
        seen.put("compared", epoch.counted().compared());
        seen.put("different", epoch.counted().different());
        seen.put("overflows", epoch.counted().overflows());
        return seen;
    }
}
