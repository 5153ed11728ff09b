package dev.understudy.sidecar.control;

import dev.understudy.relay.connect.Address;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.sidecar.lane.DebugLanes;
import dev.understudy.sidecar.verdict.FidelityReading;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code GET /v1/fidelity?connections=100}: how far each debug copy can be trusted, down to each open connection. */
public final class FidelityView {
    private static final int DEFAULT_LIMIT = 100;
    private static final int MOST = 10_000;

    private final List<Watched> listeners;

    public FidelityView(List<Watched> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    /**
     * The document.
     *
     * @throws IllegalArgumentException if the caller asks for a number out of range
     */
    public Map<String, Object> read(Call call) {
        int limit = call.number("connections", DEFAULT_LIMIT, 0, MOST);
        List<Map<String, Object>> copies = new ArrayList<>();
        for (Watched watched : listeners) {
            for (DebugLanes lanes : watched.lanes()) {
                copies.add(copy(watched.name(), lanes, limit));
            }
        }
        return Map.of("listeners", copies);
    }

    private static Map<String, Object> copy(String listener, DebugLanes lanes, int limit) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("listener", listener);
        spelled.put("debug", lanes.debug());
        FidelityReading reading = lanes.tally().fidelity().read();
        spell(spelled, reading);
        spelled.put("tap", StatusView.gaps(reading.gaps()));
        Map<TapConnection, FidelityReading> open = lanes.connections();
        spelled.put("open", open.size());
        spelled.put("connections", connections(open, limit));
        return spelled;
    }

    /** Those that lost something first, then the youngest. */
    private static List<Map<String, Object>> connections(Map<TapConnection, FidelityReading> open, int limit) {
        Comparator<Map.Entry<TapConnection, FidelityReading>> lossesFirst =
                Comparator.comparing(entry -> entry.getValue().lostBytes().isEmpty());
        return open.entrySet().stream()
                .sorted(lossesFirst.thenComparing(entry -> -entry.getKey().id()))
                .limit(limit)
                .map(entry -> connection(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static Map<String, Object> connection(TapConnection connection, FidelityReading reading) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("connection", connection.id());
        spelled.put(
                "client",
                connection.client() instanceof InetSocketAddress client
                        ? Address.spell(client)
                        : String.valueOf(connection.client()));
        spell(spelled, reading);
        return spelled;
    }

    private static void spell(Map<String, Object> spelled, FidelityReading reading) {
        spelled.put("statement", reading.statement());
        spelled.put("copy", reading.state() == null ? null : reading.state().name());
        spelled.put("arrived", reading.arrived());
        spelled.put("delivered", reading.delivered());
        spelled.put("lost", reading.lost());
        spelled.put("faithfulUpTo", reading.faithfulUpTo());
        spelled.put("holes", reading.holes());
        spelled.put("unframedBytes", reading.unframedBytes());
        spelled.put("lostBytes", reading.lostBytes());
    }
}
