package dev.understudy.sidecar.control;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.TargetStatus;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.loop.Transport;
import dev.understudy.relay.stream.Spill;
import dev.understudy.relay.tap.Direction;
import dev.understudy.sidecar.lane.DebugLanes;
import dev.understudy.sidecar.resync.Resync;
import dev.understudy.sidecar.tee.Tee;
import dev.understudy.sidecar.verdict.CopyState;
import dev.understudy.sidecar.verdict.Latency;
import dev.understudy.sidecar.verdict.OutgoingStore;
import dev.understudy.sidecar.verdict.Tally;
import dev.understudy.sidecar.verdict.TapGaps;
import dev.understudy.sidecar.verdict.VerdictStore;
import dev.understudy.sidecar.window.WindowModel;
import dev.understudy.sidecar.window.WindowState;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/status}: all counters at one moment, listener by listener. */
public final class StatusView {
    private final Transport transport;
    private final String transportMissing;
    private final List<Watched> listeners;
    private final List<WatchedWindow> windows;
    private final Map<String, VerdictStore> verdicts;
    private final Map<String, OutgoingStore> outgoing;
    private final @Nullable Spill spill;
    private final Resync resync;
    private final OrdersView orders;
    private final Duration replyTimeout;

    /**
     * @param wanted what should serve the sockets
     * @param transport what does
     * @param windows that of each debug JVM; at least one
     * @param verdicts those of each debug JVM by its name
     * @param outgoing that of each debug JVM whose upstream calls are compared
     * @param resync knows the session's epochs
     * @param orders what the operator wants of the debug JVMs
     * @param replyTimeout how long an exchange may stand still on the debug side
     */
    public StatusView(
            Transport wanted,
            Transport transport,
            List<Watched> listeners,
            List<WatchedWindow> windows,
            Map<String, VerdictStore> verdicts,
            Map<String, OutgoingStore> outgoing,
            @Nullable Spill spill,
            Resync resync,
            OrdersView orders,
            Duration replyTimeout) {
        this.transportMissing = wanted == transport ? "" : wanted.missing();
        this.transport = transport;
        this.listeners = List.copyOf(listeners);
        this.windows = List.copyOf(windows);
        this.verdicts = verdicts;
        this.outgoing = outgoing;
        this.spill = spill;
        this.resync = resync;
        this.orders = orders;
        this.replyTimeout = replyTimeout;
    }

    /** The document. */
    public Map<String, Object> read() {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("transport", transport.word());
        status.put("transportMissing", transportMissing);
        status.put("listeners", listeners.stream().map(StatusView::listener).toList());
        status.put("window", window(fullest()));
        status.put(
                "windows",
                windows.stream()
                        .map(window -> {
                            Map<String, Object> seen = new LinkedHashMap<>();
                            seen.put("debug", window.debug());
                            seen.putAll(window(window));
                            return seen;
                        })
                        .toList());
        status.put(
                "verdictsKept",
                verdicts.entrySet().stream()
                        .map(store -> {
                            Map<String, Object> seen = new LinkedHashMap<>();
                            seen.put("debug", store.getKey());
                            seen.putAll(VerdictsView.kept(store.getValue()));
                            return seen;
                        })
                        .toList());
        status.put(
                "outgoing",
                outgoing.entrySet().stream()
                        .map(calls -> outgoing(calls.getKey(), calls.getValue()))
                        .toList());
        Map<String, Object> epoch = new LinkedHashMap<>();
        epoch.put("debug", resync.debug());
        epoch.putAll(ResyncControl.spell(resync.current()));
        status.put("epoch", epoch);
        status.put("orders", orders.standing());
        status.put("agents", orders.budgets());
        return status;
    }

    private static Map<String, Object> outgoing(String debug, OutgoingStore calls) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("debug", debug);
        for (VerdictKind kind : OutgoingStore.KINDS) {
            seen.put(kind.name(), calls.count(kind));
        }
        return seen;
    }

    /** The window of the debug JVM that is nearest to its overflow. */
    public WatchedWindow fullest() {
        WatchedWindow fullest = windows.get(0);
        for (WatchedWindow window : windows) {
            if (window.model().state().utilisation() > fullest.model().state().utilisation()) {
                fullest = window;
            }
        }
        return fullest;
    }

    /** How that one's window stands. */
    public Map<String, Object> followed() {
        Map<String, Object> seen = new LinkedHashMap<>();
        state(seen, fullest().model().state());
        return seen;
    }

    /** Each debug JVM's window as it stands. */
    public List<Map<String, Object>> windows() {
        return windows.stream()
                .map(window -> {
                    Map<String, Object> seen = new LinkedHashMap<>();
                    seen.put("debug", window.debug());
                    state(seen, window.model().state());
                    return seen;
                })
                .toList();
    }

    private Map<String, Object> window(WatchedWindow watched) {
        WindowModel window = watched.model();
        MemoryBudget memory = watched.memory();
        Map<String, Object> seen = new LinkedHashMap<>();
        state(seen, window.state());
        seen.put("memoryBytes", memory.used());
        seen.put("diskBytes", spill == null ? 0L : spill.used());
        seen.put("peakBytes", memory.peak());
        seen.put("peakLagMillis", window.peakLagMillis());
        seen.put("peakUtilisation", window.peakUtilisation());
        double stop = window.stopSeconds();
        seen.put("stopMillis", stop < 0 ? -1L : (long) (1_000 * stop));
        seen.put("replyTimeoutMillis", replyTimeout.toMillis());
        return seen;
    }

    private static void state(Map<String, Object> seen, WindowState state) {
        seen.put("at", state.at());
        seen.put("utilisation", state.utilisation());
        seen.put("occupancyBytes", state.occupancyBytes());
        seen.put("capacityBytes", state.capacityBytes());
        seen.put("lagMillis", state.lagMillis());
        seen.put("pending", state.pending());
        seen.put("arrivalRate", state.arrivalRate());
        seen.put("serviceRate", state.serviceRate());
        seen.put("estimate", state.estimate());
    }

    private static Map<String, Object> listener(Watched watched) {
        Map<String, Object> seen = new LinkedHashMap<>();
        DebugLanes lanes = watched.first();
        seen.put("name", watched.name());
        seen.put("address", Address.spell(watched.listener().address()));
        Tee tee = watched.tee();
        seen.put("tee", tee == null ? "none" : tee.mode().word());
        seen.put("recording", RecordControl.spell(watched.recording().status()));
        seen.put(
                "connections",
                Map.of(
                        "opened",
                        watched.listener().opened(),
                        "open",
                        watched.listener().open()));
        seen.put(
                "production",
                watched.listener().production().stream().map(StatusView::target).toList());
        Map<String, Object> bytes = new LinkedHashMap<>();
        bytes.put("request", watched.listener().bytes(Direction.REQUEST));
        bytes.put("reply", watched.listener().bytes(Direction.REPLY));
        bytes.put("teed", lanes == null ? 0L : lanes.metrics().bytes(Direction.REQUEST));
        seen.put("bytes", bytes);
        seen.put("tap", gaps(watched.gaps().get()));
        Tally tally = lanes == null ? new Tally() : lanes.tally();
        debug(seen, lanes, tally);
        seen.put(
                "notSampled",
                Map.of("connections", tee == null ? 0L : tee.leftOut(), "requests", tally.requestsNotSampled()));
        seen.put("debugs", watched.lanes().stream().map(StatusView::debug).toList());
        return seen;
    }

    /** What the copies lack without a lane having counted it. */
    static Map<String, Object> gaps(TapGaps gaps) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("restarts", gaps.restarts());
        seen.put("unknownBytes", gaps.unknownBytes());
        seen.put("lostBytes", gaps.lostBytes());
        seen.put("lostConnections", gaps.lostConnections());
        seen.put("requestBytesBefore", gaps.requestBytesBefore());
        return seen;
    }

    private static Map<String, Object> debug(DebugLanes lanes) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("debug", lanes.debug());
        seen.put("address", address(lanes));
        CopyState copy = lanes.tally().fidelity().state();
        seen.put("copy", copy == null ? null : copy.name());
        debug(seen, lanes, lanes.tally());
        return seen;
    }

    /** Where a debug JVM is. */
    static String address(DebugLanes lanes) {
        return lanes.address() instanceof InetSocketAddress address
                ? address.getHostString() + ":" + address.getPort()
                : lanes.address().toString();
    }

    /** What became of the copies for one debug JVM. */
    private static void debug(Map<String, Object> seen, @Nullable DebugLanes lanes, Tally tally) {
        seen.put("exchanges", Map.of("production", tally.answeredByProduction(), "debug", tally.answeredByDebug()));
        seen.put("latencyMillis", Map.of("production", latency(tally.production()), "debug", latency(tally.debug())));
        seen.put("verdicts", verdicts(tally));
        seen.put("notCompared", notCompared(tally));
        seen.put("losses", losses(tally));
        seen.put("inSnapshot", tally.requestsInSnapshot());
        seen.put("lateReplies", tally.answeredLate());
        seen.put("unframedConnections", tally.unframedConnections());
        seen.put("joinedConnections", tally.joinedConnections());
        seen.put("rejoinedConnections", tally.rejoinedConnections());
        seen.put("unjoinedConnections", tally.unjoinedConnections());
        Map<String, Object> open = new LinkedHashMap<>();
        open.put("open", tally.lanesOpen());
        open.put("connected", tally.lanesConnected());
        open.put("unreachable", lanes == null ? 0L : lanes.unreachable());
        open.put("obstacle", lanes == null ? "" : lanes.obstacle());
        open.put("failedHandshakes", lanes == null ? 0L : lanes.failedHandshakes());
        seen.put("lanes", open);
        seen.put("fidelity", lanes == null ? "no debug JVM" : tally.fidelity().statement());
    }

    private static Map<String, Object> target(TargetStatus target) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("set", target.set());
        seen.put("address", target.address());
        seen.put("up", target.up());
        seen.put("accepted", target.accepted());
        seen.put("failed", target.failed());
        return seen;
    }

    private static Map<String, Object> latency(Latency latency) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("p50", latency.percentile(50));
        seen.put("p99", latency.percentile(99));
        seen.put("max", latency.max());
        return seen;
    }

    private static Map<String, Object> verdicts(Tally tally) {
        Map<String, Object> counted = new LinkedHashMap<>();
        for (VerdictKind kind : VerdictKind.values()) {
            counted.put(kind.name(), tally.verdicts(kind));
        }
        return counted;
    }

    private static Map<String, Object> notCompared(Tally tally) {
        Map<String, Object> counted = new LinkedHashMap<>();
        for (NotCompared reason : NotCompared.values()) {
            if (tally.notCompared(reason) > 0) {
                counted.put(reason.name(), tally.notCompared(reason));
            }
        }
        return counted;
    }

    private static Map<String, Object> losses(Tally tally) {
        Map<String, Object> counted = new LinkedHashMap<>();
        for (LossReason reason : LossReason.values()) {
            if (tally.lossEvents(reason) > 0 || tally.lossBytes(reason) > 0) {
                counted.put(
                        reason.name(), Map.of("events", tally.lossEvents(reason), "bytes", tally.lossBytes(reason)));
            }
        }
        return counted;
    }
}
