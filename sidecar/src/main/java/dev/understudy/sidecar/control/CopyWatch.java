package dev.understudy.sidecar.control;

import dev.understudy.relay.event.EventFeed;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.sidecar.lane.DebugLanes;
import dev.understudy.sidecar.verdict.LossLog;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tells what became of one listener's copies for one debug JVM since it last looked. Confined to one thread. */
final class CopyWatch {
    private final EventFeed feed;
    private final String listener;
    private final DebugLanes lanes;
    private final Map<LossReason, Long> events = new EnumMap<>(LossReason.class);
    private final Map<LossReason, Long> bytes = new EnumMap<>(LossReason.class);
    private final List<LossLog.Lost> untold = new ArrayList<>();
    private String state = "";
    private long answers;

    CopyWatch(EventFeed feed, String listener, DebugLanes lanes) {
        this.feed = feed;
        this.listener = listener;
        this.lanes = lanes;
    }

    void look(long at) {
        for (LossReason reason : LossReason.values()) {
            long newEvents = since(events, reason, lanes.tally().lossEvents(reason));
            long newBytes = since(bytes, reason, lanes.tally().lossBytes(reason));
            if (newEvents > 0 || newBytes > 0) {
                Map<String, Object> said = begun(at);
                said.put("reason", reason.name());
                said.put("connections", newEvents);
                said.put("bytes", newBytes);
                said.put("first", connections(reason));
                feed.publish(isOverflow(reason) ? "overflow" : "loss", said);
            }
        }
        long answersNow = lanes.tally().answeredByDebug();
        boolean reached = lanes.tally().lanesConnected() > 0 || answersNow > answers;
        answers = answersNow;
        String now = lanes.unreachable() > 0 ? "missed" : reached ? "reached" : state;
        if (!now.equals(state)) {
            state = now;
            Map<String, Object> said = begun(at);
            said.put("address", address());
            said.put("state", state);
            said.put("because", state.equals("missed") ? lanes.obstacle() : "");
            feed.publish("debug", said);
        }
    }

    /** Each is logged before it is counted: those that aren't counted yet are told with their count. */
    private List<Long> connections(LossReason reason) {
        untold.addAll(lanes.drainLosses());
        List<Long> connections = untold.stream()
                .filter(one -> one.reason() == reason)
                .map(LossLog.Lost::connection)
                .toList();
        untold.removeIf(one -> one.reason() == reason);
        return connections;
    }

    private static boolean isOverflow(LossReason reason) {
        return switch (reason) {
            case OVERFLOW_LANE, OVERFLOW_GLOBAL, OVERFLOW_DISK, OVERFLOW_RING, SPILL_FAILED -> true;
            default -> false;
        };
    }

    private Map<String, Object> begun(long at) {
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("at", at);
        said.put("listener", listener);
        said.put("debug", lanes.debug());
        return said;
    }

    private String address() {
        return lanes.address() instanceof InetSocketAddress address
                ? address.getHostString() + ":" + address.getPort()
                : lanes.address().toString();
    }

    private static long since(Map<LossReason, Long> seen, LossReason reason, long now) {
        Long before = seen.put(reason, now);
        return now - (before == null ? 0 : before);
    }
}
