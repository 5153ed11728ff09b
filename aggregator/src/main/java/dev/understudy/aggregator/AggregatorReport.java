package dev.understudy.aggregator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.journal.JournalCounts;
import dev.understudy.aggregator.limit.DebugBudget;
import dev.understudy.aggregator.limit.DebugLimit;
import dev.understudy.aggregator.match.CallerNotes;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.match.MatchReason;
import dev.understudy.aggregator.outgoing.OutgoingCalls;
import dev.understudy.aggregator.policy.CallPolicy;
import dev.understudy.aggregator.production.ProductionSide;
import dev.understudy.aggregator.production.RecordingGaps;
import dev.understudy.aggregator.record.RecordCounts;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.aggregator.replay.AskedCounts;
import dev.understudy.aggregator.replay.CallerLookup;
import dev.understudy.aggregator.replay.Matches;
import dev.understudy.aggregator.replay.Misses;
import dev.understudy.aggregator.replay.ReplayCounts;
import dev.understudy.aggregator.tls.DebugTls;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.control.ApiDocument;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import dev.understudy.relay.control.Routes;
import dev.understudy.relay.control.access.Access;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** What operators are told: the control API's documents and the lines that the command prints. */
final class AggregatorReport {
    private AggregatorReport() {}

    static Routes addTo(
            Routes routes,
            List<Upstream<?>> upstreams,
            Misses misses,
            Matches matches,
            InboundExchanges inbound,
            CallerNotes callers,
            CallerLookup lookup,
            OutgoingCalls outgoing,
            DebugTls tls,
            DebugBudget budget,
            ProductionSide side) {
        MatchReport matched = new MatchReport(matches, rules(upstreams));
        routes.get(
                        "/v1/status",
                        call -> Reply.json(Map.of(
                                "inbound",
                                inbound(inbound),
                                "callers",
                                Map.of("linked", callers.linked()),
                                "outgoing",
                                OutgoingReport.counts(outgoing),
                                "debugMemory",
                                new TreeMap<>(
                                        Map.of("usedBytes", budget.usedMemory(), "capacityBytes", budget.memory())),
                                "upstreams",
                                upstreams.stream()
                                        .map(upstream -> status(upstream, side))
                                        .toList())))
                .post(Access.SIDECAR, "/v1/inbound", new InboundNews(inbound, outgoing, upstreams)::take)
                .post(
                        Access.AGENT,
                        "/v1/callers",
                        new CallerRoute(
                                lookup::told,
                                upstreams.stream().map(Upstream::dialledPort).toList(),
                                upstreams.stream().map(Upstream::debugPort).toList())::take)
                .post(Access.OPERATE, "/v1/forget", call -> forget(upstreams, call))
                .get("/v1/outgoing", call -> OutgoingReport.latest(outgoing, call))
                .get("/v1/recorded", new JournalReport(upstreams, System::nanoTime)::newest)
                .get("/v1/matches", matched::latest)
                .get("/v1/matches/{id}", matched::one)
                .get(Access.ANY_ROLE, "/v1/ca.crt", call -> new Reply(200, "application/x-pem-file", tls.pem()))
                .get(Access.ANY_ROLE, "/v1/ca.p12", call -> new Reply(200, "application/x-pkcs12", tls.truststore()))
                .get(
                        "/v1/misses",
                        call -> Reply.json(Map.of(
                                "misses",
                                misses.latest(call.number("limit", 10, 1, 1000)).stream()
                                        .map(AggregatorReport::miss)
                                        .toList(),
                                "kinds",
                                MatchReport.kinds(misses.kinds(), call, AggregatorReport::miss))));
        return ApiDocument.addTo(routes, AggregatorReport.class);
    }

    /** Answers {@code POST /v1/forget}; how many replies that were. */
    private static Reply forget(List<Upstream<?>> upstreams, Call call) {
        JsonNode age = JsonBody.object(call.body()).path("olderThanMillis");
        if (!age.isIntegralNumber() || !age.canConvertToInt() || age.asInt() < 0) {
            throw new IllegalArgumentException(
                    "olderThanMillis: " + age + " (expected: a whole number from 0 to " + Integer.MAX_VALUE + ")");
        }
        long nanos = TimeUnit.MILLISECONDS.toNanos(age.asInt());
        return Reply.json(Map.of(
                "forgotten",
                upstreams.stream()
                        .mapToLong(upstream -> upstream.journal().forget(nanos))
                        .sum()));
    }

    /** For the last line of a run: every debug request with a recorded twin was answered, or how many were not. */
    static String fidelity(List<Upstream<?>> upstreams, ProductionSide side) {
        return upstreams.stream()
                .map(upstream -> fidelity(upstream) + gaps(upstream, side).sentence() + begunBefore(upstream))
                .collect(Collectors.joining("; "));
    }

    private static String begunBefore(Upstream<?> upstream) {
        long connections = upstream.recorded().unrecorded(Unrecorded.BEGUN_BEFORE);
        return connections == 0 ? "" : ", %d connections not recorded since they began before".formatted(connections);
    }

    private static RecordingGaps gaps(Upstream<?> upstream, ProductionSide side) {
        return upstream.config().listen() == null ? RecordingGaps.NONE : side.gaps(upstream.config());
    }

    /** Where production finds an upstream, or that it doesn't. */
    static String listening(Upstream<?> upstream) {
        return upstream.productionAddress().map(AggregatorReport::text).orElse("none");
    }

    static String text(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? Address.spell(inet) : address.toString();
    }

    private static String fidelity(Upstream<?> upstream) {
        ReplayCounts debug = upstream.replayed();
        long asked = debug.requests() - debug.local();
        CallPolicy policy = upstream.config().policy();
        String live = policy.isLive() ? ", %d read live".formatted(debug.live().answered()) : "";
        String standin = policy.asksStandin()
                ? ", %d answered by a stand-in".formatted(debug.standin().answered())
                : "";
        return "%s: %d exchanges recorded, %d of %d debug requests replayed, %d missed%s%s"
                .formatted(
                        upstream.config().name(),
                        upstream.recorded().exchanges(),
                        debug.replayed() + debug.repeated(),
                        asked,
                        debug.missed(),
                        live,
                        standin);
    }

    /** What counts for the forms of an upstream, for those that have a rule that can be set. */
    private static Map<String, String> rules(List<Upstream<?>> upstreams) {
        Map<String, String> rules = new LinkedHashMap<>();
        for (Upstream<?> upstream : upstreams) {
            String rule = upstream.config().rule();
            if (rule != null) {
                rules.put(upstream.config().name(), rule);
            }
        }
        return rules;
    }

    private static Map<String, Object> inbound(InboundExchanges inbound) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("linked", inbound.linked());
        told.put("known", inbound.known());
        told.put("serving", inbound.serving());
        return told;
    }

    private static Map<String, Object> status(Upstream<?> upstream, ProductionSide side) {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("name", upstream.config().name());
        status.put("protocol", upstream.config().protocol().word());
        String rule = upstream.config().rule();
        if (rule != null) {
            status.put("form", rule);
        }
        status.put("production", production(upstream, side));
        status.put("journal", journal(upstream.journal().counts()));
        status.put("debug", debug(upstream));
        return status;
    }

    private static Map<String, Object> production(Upstream<?> upstream, ProductionSide side) {
        RecordCounts counts = upstream.recorded();
        Map<String, Long> unframed = new TreeMap<>();
        for (Unrecorded reason : Unrecorded.values()) {
            if (counts.unrecorded(reason) > 0) {
                unframed.put(reason.name(), counts.unrecorded(reason));
            }
        }
        Map<String, Object> production = new LinkedHashMap<>();
        production.put("address", listening(upstream));
        production.put("upstream", upstream.targets());
        production.put("connections", counts.connections());
        production.put("open", counts.open());
        production.put("exchanges", counts.exchanges());
        production.put("background", counts.background());
        production.put("requestBytes", counts.requestBytes());
        production.put("replyBytes", counts.replyBytes());
        production.put("unframed", unframed);
        production.put("gaps", gaps(upstream, side));
        return production;
    }

    private static Map<String, Object> journal(JournalCounts counts) {
        Map<String, Object> journal = new LinkedHashMap<>();
        journal.put("exchanges", counts.exchanges());
        journal.put("unused", counts.unused());
        journal.put("bytes", counts.bytes());
        journal.put("capacityBytes", counts.capacityBytes());
        journal.put("evicted", counts.evicted());
        journal.put("disk", counts.disk());
        journal.put("large", counts.large());
        return journal;
    }

    private static Map<String, Object> debug(Upstream<?> upstream) {
        ReplayCounts counts = upstream.replayed();
        Map<String, Object> debug = new LinkedHashMap<>();
        debug.put("address", text(upstream.debugAddress()));
        debug.put("connections", counts.connections());
        debug.put("open", counts.open());
        debug.put("refused", counts.refused());
        Map<String, Long> limited = new TreeMap<>();
        for (DebugLimit limit : DebugLimit.values()) {
            if (counts.limited(limit) > 0) {
                limited.put(limit.name(), counts.limited(limit));
            }
        }
        debug.put("limited", limited);
        debug.put(
                "tls",
                new TreeMap<>(Map.of(
                        "succeeded",
                        upstream.tls().succeeded(),
                        "failed",
                        upstream.tls().failed())));
        debug.put("requests", counts.requests());
        debug.put("replayed", counts.replayed());
        debug.put("repeated", counts.repeated());
        debug.put("background", counts.background());
        debug.put("local", counts.local());
        debug.put("pushed", counts.pushed());
        debug.put("waited", counts.waited());
        debug.put("stubbed", counts.stubbed());
        CallPolicy policy = upstream.config().policy();
        debug.put("live", asked(policy.isLive(), counts.live()));
        debug.put("standin", asked(policy.asksStandin(), counts.standin()));
        debug.put("missed", counts.missed());
        debug.put("faulted", counts.faulted());
        debug.put("hampered", counts.hampered());
        Map<String, Long> faults = new TreeMap<>();
        for (Fault.Kind kind : Fault.Kind.values()) {
            faults.put(kind.word(), counts.faults(kind));
        }
        debug.put("faults", faults);
        Map<String, Long> matched = new TreeMap<>();
        for (MatchReason basis : MatchReason.values()) {
            matched.put(basis.name(), counts.matched(basis));
        }
        debug.put("matched", matched);
        debug.put("ambiguous", counts.ambiguous());
        debug.put("unfit", counts.unfit());
        debug.put(
                "waitMillis",
                Map.of("p50", counts.waitMillis(50), "p99", counts.waitMillis(99), "max", counts.waitMillis(100)));
        return debug;
    }

    /** @param allowed whether the settings let the server be asked */
    private static Map<String, Object> asked(boolean allowed, AskedCounts counts) {
        Map<String, Object> asked = new LinkedHashMap<>();
        asked.put("allowed", allowed);
        asked.put("answered", counts.answered());
        asked.put("refused", counts.refused());
        asked.put("failed", counts.failed());
        return asked;
    }

    private static Map<String, Object> miss(Misses.Missed missed) {
        Map<String, Object> miss = new LinkedHashMap<>();
        miss.put("upstream", missed.upstream());
        miss.put("form", missed.form());
        miss.put("why", missed.why());
        miss.put("nearest", missed.nearest());
        miss.put("at", missed.at().toString());
        return miss;
    }
}
