package dev.understudy.sidecar.control;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.noise.ValueClass;
import dev.understudy.divergence.noise.learn.Learned;
import dev.understudy.divergence.noise.learn.LearnedNoise;
import dev.understudy.relay.connect.Address;
import dev.understudy.sidecar.finding.Findings;
import dev.understudy.sidecar.finding.Overheads;
import dev.understudy.sidecar.finding.RouteSnapshot;
import dev.understudy.sidecar.lane.DebugLanes;
import dev.understudy.sidecar.resync.Resync;
import dev.understudy.sidecar.verdict.Outgoing;
import dev.understudy.sidecar.verdict.OutgoingStore;
import dev.understudy.sidecar.verdict.Tally;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/report}: what came of the session up to now, which {@code understudy report} makes pages of. */
public final class ReportView {
    private final Instant since = Instant.now();
    private final List<Watched> listeners;
    private final Map<String, Findings> findings;
    private final Map<String, Overheads> overheads;
    private final Map<String, LearnedNoise> noise;
    private final Map<String, OutgoingStore> outgoing;
    private final Resync resync;

    /**
     * @param findings those of each debug JVM
     * @param overheads what each debug JVM's agent tells
     * @param noise that of each debug JVM
     * @param outgoing that of each debug JVM whose upstream calls are compared
     * @param resync knows the session's epochs
     */
    public ReportView(
            List<Watched> listeners,
            Map<String, Findings> findings,
            Map<String, Overheads> overheads,
            Map<String, LearnedNoise> noise,
            Map<String, OutgoingStore> outgoing,
            Resync resync) {
        this.listeners = List.copyOf(listeners);
        this.findings = findings;
        this.overheads = overheads;
        this.noise = noise;
        this.outgoing = outgoing;
        this.resync = resync;
    }

    /** The document. */
    public Map<String, Object> read() {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("since", since.toString());
        seen.put("until", Instant.now().toString());
        List<Map<String, Object>> copies = new ArrayList<>();
        for (Watched watched : listeners) {
            for (DebugLanes lanes : watched.lanes()) {
                Findings ofDebug = findings.get(lanes.debug());
                Overheads taken = overheads.get(lanes.debug());
                copies.add(copy(
                        watched,
                        lanes,
                        (ofDebug == null ? new Findings() : ofDebug).of(watched.name()),
                        taken == null ? Map.of() : taken.of(watched.name())));
            }
        }
        seen.put("copies", copies);
        seen.put(
                "rules",
                noise.entrySet().stream()
                        .flatMap(ofDebug -> rules(ofDebug.getKey(), ofDebug.getValue()))
                        .toList());
        seen.put(
                "learned",
                noise.entrySet().stream()
                        .flatMap(ofDebug -> learned(ofDebug.getKey(), ofDebug.getValue()))
                        .toList());
        seen.put(
                "outgoing",
                outgoing.entrySet().stream()
                        .map(calls -> calls(calls.getKey(), calls.getValue()))
                        .toList());
        seen.put("epochs", ResyncControl.epochs(resync));
        return seen;
    }

    private static Map<String, Object> copy(
            Watched watched, DebugLanes lanes, RouteSnapshot found, Map<String, Overheads.Overhead> overheads) {
        Tally tally = lanes.tally();
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("listener", watched.name());
        seen.put("address", Address.spell(watched.listener().address()));
        seen.put("debug", lanes.debug());
        seen.put("debugAddress", StatusView.address(lanes));
        seen.put("recording", watched.recording().status().file());
        seen.put("fidelity", tally.fidelity().statement());
        seen.put("faithful", tally.fidelity().read().isFaithful());
        Map<String, Object> notCompared = new LinkedHashMap<>();
        for (NotCompared reason : NotCompared.values()) {
            if (tally.notCompared(reason) > 0) {
                notCompared.put(reason.name(), tally.notCompared(reason));
            }
        }
        seen.put("notCompared", notCompared);
        seen.put(
                "routes",
                found.routes().stream()
                        .map(route -> route(route, overheads.get(route.route())))
                        .toList());
        seen.put("causes", found.causes().stream().map(ReportView::cause).toList());
        seen.put("ungrouped", found.ungrouped());
        seen.put("places", found.places().stream().map(ReportView::place).toList());
        seen.put("unplaced", found.unplaced());
        return seen;
    }

    private static Map<String, Object> route(RouteSnapshot.Route route, Overheads.@Nullable Overhead overhead) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("route", route.route());
        Map<String, Object> verdicts = new LinkedHashMap<>();
        for (VerdictKind kind : VerdictKind.values()) {
            verdicts.put(kind.name(), route.verdicts().getOrDefault(kind, 0L));
        }
        seen.put("verdicts", verdicts);
        seen.put("productionMicros", route.production());
        seen.put("debugMicros", route.debug());
        seen.put("overhead", overhead == null ? new Overheads.Overhead(0, 0) : overhead);
        return seen;
    }

    private static Map<String, Object> cause(RouteSnapshot.Cause cause) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("route", cause.route());
        seen.put("places", cause.places());
        seen.put("count", cause.count());
        seen.put("last", cause.last());
        seen.put(
                "examples",
                cause.examples().stream()
                        .map(judged -> VerdictsView.spell(judged, null))
                        .toList());
        return seen;
    }

    private static Map<String, Object> place(RouteSnapshot.Place place) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("route", place.route());
        seen.put("path", place.path());
        seen.put("type", place.type().name());
        seen.put("noise", VerdictsView.name(place.noise()));
        seen.put("value", place.value() == null ? null : place.value().word());
        seen.put("count", place.count());
        return seen;
    }

    private static Stream<Map<String, Object>> rules(String debug, LearnedNoise noise) {
        return noise.rules().fired().entrySet().stream().map(fired -> {
            Map<String, Object> seen = new LinkedHashMap<>();
            seen.put("debug", debug);
            seen.put("route", fired.getKey().route());
            seen.put("path", fired.getKey().path());
            seen.put("value", fired.getKey().value().word());
            seen.put("fired", fired.getValue());
            return seen;
        });
    }

    private static Stream<Map<String, Object>> learned(String debug, LearnedNoise noise) {
        return noise.read().stream().map(place -> learned(debug, place));
    }

    private static Map<String, Object> learned(String debug, Learned place) {
        ValueClass value = place.kind().value();
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("debug", debug);
        seen.put("route", place.route());
        seen.put("path", place.path());
        seen.put("kind", place.kind().word());
        seen.put("value", value == null ? null : value.word());
        seen.put("seen", place.seen());
        seen.put("fired", place.fired());
        seen.put("broken", place.broken());
        return seen;
    }

    private static Map<String, Object> calls(String debug, OutgoingStore calls) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("debug", debug);
        for (VerdictKind kind : OutgoingStore.KINDS) {
            seen.put(kind.name(), calls.count(kind));
        }
        List<Map<String, Object>> first = new ArrayList<>();
        for (Outgoing one : calls.firstDifferent()) {
            Map<String, Object> spelled = new LinkedHashMap<>();
            spelled.put("exchange", one.exchange());
            spelled.putAll(VerdictsView.spell(one));
            first.add(spelled);
        }
        seen.put("first", first);
        return seen;
    }
}
