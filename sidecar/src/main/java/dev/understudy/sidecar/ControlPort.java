package dev.understudy.sidecar;

import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.noise.NoiseRules;
import dev.understudy.divergence.noise.learn.LearnedNoise;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.control.ApiDocument;
import dev.understudy.relay.control.Body;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.ControlConfig;
import dev.understudy.relay.control.ControlServer;
import dev.understudy.relay.control.Metrics;
import dev.understudy.relay.control.Reply;
import dev.understudy.relay.control.Routes;
import dev.understudy.relay.control.access.Access;
import dev.understudy.relay.control.access.SignIn;
import dev.understudy.relay.event.EventFeed;
import dev.understudy.relay.loop.Transport;
import dev.understudy.relay.stream.Spill;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.SidecarConfig;
import dev.understudy.sidecar.console.Console;
import dev.understudy.sidecar.console.Timeline;
import dev.understudy.sidecar.control.AgentMeters;
import dev.understudy.sidecar.control.AgentReports;
import dev.understudy.sidecar.control.AlertControl;
import dev.understudy.sidecar.control.CallsView;
import dev.understudy.sidecar.control.DivergencesView;
import dev.understudy.sidecar.control.EventWatch;
import dev.understudy.sidecar.control.ExchangesView;
import dev.understudy.sidecar.control.FidelityView;
import dev.understudy.sidecar.control.MethodsView;
import dev.understudy.sidecar.control.OrdersView;
import dev.understudy.sidecar.control.OtlpForward;
import dev.understudy.sidecar.control.OverheadControl;
import dev.understudy.sidecar.control.PatchControl;
import dev.understudy.sidecar.control.PlaybackControl;
import dev.understudy.sidecar.control.PointControl;
import dev.understudy.sidecar.control.ProbeControl;
import dev.understudy.sidecar.control.RecordControl;
import dev.understudy.sidecar.control.ReplayControl;
import dev.understudy.sidecar.control.ReportView;
import dev.understudy.sidecar.control.ResyncControl;
import dev.understudy.sidecar.control.SettingControl;
import dev.understudy.sidecar.control.StatusView;
import dev.understudy.sidecar.control.TeeControl;
import dev.understudy.sidecar.control.VerdictsView;
import dev.understudy.sidecar.control.Watched;
import dev.understudy.sidecar.control.WatchedWindow;
import dev.understudy.sidecar.control.flame.FlameRoutes;
import dev.understudy.sidecar.experiment.ComparisonControl;
import dev.understudy.sidecar.finding.Findings;
import dev.understudy.sidecar.finding.Overheads;
import dev.understudy.sidecar.flame.RecentExchanges;
import dev.understudy.sidecar.handshake.DebugDials;
import dev.understudy.sidecar.handshake.HandshakeControl;
import dev.understudy.sidecar.inbound.RerunNotice;
import dev.understudy.sidecar.noise.NoiseControl;
import dev.understudy.sidecar.ranking.LabelsControl;
import dev.understudy.sidecar.ranking.SuspectsView;
import dev.understudy.sidecar.resync.Resync;
import dev.understudy.sidecar.source.SourceView;
import dev.understudy.sidecar.steer.DeepOrders;
import dev.understudy.sidecar.steer.Orders;
import dev.understudy.sidecar.steer.Parts;
import dev.understudy.sidecar.steer.Patches;
import dev.understudy.sidecar.steer.PointOrders;
import dev.understudy.sidecar.steer.ProbeOrders;
import dev.understudy.sidecar.steer.Redacted;
import dev.understudy.sidecar.steer.SettingOrders;
import dev.understudy.sidecar.suspect.Suspects;
import dev.understudy.sidecar.upstream.AggregatorRoutes;
import dev.understudy.sidecar.verdict.ExchangeLog;
import dev.understudy.sidecar.verdict.OutgoingStore;
import dev.understudy.sidecar.verdict.VerdictStore;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that the control port answers, put together; and what it tells those who follow the events. */
final class ControlPort implements AutoCloseable {
    private static final int EVENTS_KEPT = 1024;
    private static final int MOST_CALLERS = 16;

    private static final int LARGE = 4 << 20;
    private static final Body REPORT = Body.json(LARGE);
    private static final Body TELEMETRY = Body.of(LARGE, "application/x-protobuf", "application/json");
    private static final Body PATCH = Body.of(LARGE, "application/java-archive");

    private static final Duration WINDOW_PACE = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(ControlPort.class);

    private final List<Watched> listeners;
    private final Metrics metrics;
    private final Map<String, VerdictStore> verdicts = new LinkedHashMap<>();
    private final Map<String, Findings> findings = new LinkedHashMap<>();
    private final Map<String, Overheads> overheads = new LinkedHashMap<>();
    private final Map<String, LearnedNoise> noise = new LinkedHashMap<>();
    private final Map<String, OutgoingStore> outgoing;
    private final StatusView status;
    private final Orders orders = new Orders();
    private final DeepOrders deep = new DeepOrders(orders);
    private final Parts parts;
    private final SettingOrders settings;
    private final AgentReports agents;
    private final OrdersView ordered;
    private final ReportView report;
    private final Resync resync;
    private final PlaybackControl playbacks;
    private final ResyncControl epochs;
    private final SuspectsView suspects;
    private final ExchangesView newestExchanges;
    private final ReplayControl replays;
    private final Console console;
    private final CallsView calls;
    private final AlertControl alerts;
    private final SourceView sources;
    private final NoiseControl rules;
    private final LabelsControl labels;
    private final ComparisonControl comparisons;
    private final SignIn signIn = new SignIn(System::nanoTime, System::currentTimeMillis);
    private final HandshakeControl handshake;
    private final OtlpForward forward;
    private final AggregatorRoutes aggregator;
    private final FlameRoutes flames;
    private final EventFeed events;
    private final Timeline timeline = new Timeline();
    private final EventWatch watch;
    private Map<String, Set<String>> answered = Map.of();
    private @Nullable ControlServer server;

    ControlPort(
            SidecarConfig config,
            Transport transport,
            List<Watched> listeners,
            Collection<DebugJvm> jvms,
            Map<String, OutgoingStore> outgoing,
            ExchangeLog exchanges,
            Suspects suspects,
            RecentExchanges endings,
            Function<String, RerunNotice> notices,
            @Nullable Spill spill,
            Resync resync,
            PlaybackControl playbacks,
            Runnable reported,
            Metrics metrics) {
        this.settings = new SettingOrders(orders, config.window().wanted());
        this.parts = new Parts(orders, config.sharedProbes());
        new Redacted(orders).order(config.redact().names());
        this.listeners = listeners;
        this.outgoing = outgoing;
        this.metrics = metrics;
        List<WatchedWindow> windows = new ArrayList<>();
        Map<String, IdentityMap> identities = new HashMap<>();
        for (DebugJvm jvm : jvms) {
            identities.put(jvm.name, jvm.identities);
            windows.add(new WatchedWindow(jvm.name, jvm.window, jvm.memory));
            verdicts.put(jvm.name, jvm.verdicts);
            findings.put(jvm.name, jvm.findings);
            overheads.put(jvm.name, jvm.overheads);
            noise.put(jvm.name, jvm.noise);
        }
        agents = new AgentReports(
                reported,
                () -> noise.values().forEach(learned -> learned.instrumented(Instant.now())),
                new AgentMeters(metrics.registry(), System::nanoTime));
        ordered = new OrdersView(orders, agents, settings::wanted);
        status = new StatusView(
                config.transport(),
                transport,
                listeners,
                windows,
                verdicts,
                outgoing,
                spill,
                resync,
                ordered,
                config.window().replyTimeout());
        Masking masking = new Masking(config.redact());
        newestExchanges = new ExchangesView(exchanges, listeners, outgoing, masking, config.telemetry()::pageOf);
        replays = new ReplayControl(newestExchanges, notices);
        report = new ReportView(listeners, findings, overheads, noise, outgoing, resync);
        this.resync = resync;
        this.playbacks = playbacks;
        epochs = new ResyncControl(resync);
        handshake = new HandshakeControl(config.agentKey(), debugCalls(config));
        flames = new FlameRoutes(endings, findings, exchanges);
        forward = new OtlpForward(config.telemetry().otlp());
        aggregator = new AggregatorRoutes(config.link());
        events = new EventFeed(
                EVENTS_KEPT,
                MOST_CALLERS,
                System.currentTimeMillis(),
                new EventFeed.State("window", WINDOW_PACE, status::windows));
        events.listen(timeline::add);
        alerts = new AlertControl(events, masking, System::currentTimeMillis);
        console = new Console(signIn, status::read, exchanges, timeline, System::currentTimeMillis, System::nanoTime);
        calls = new CallsView(newestExchanges, () -> forward.isHeard() || console.isOpen(), System::nanoTime);
        sources = new SourceView(config.sources());
        List<NoiseRules> ruled =
                noise.values().stream().map(LearnedNoise::rules).toList();
        rules = new NoiseControl(config.noise(), ruled, exchanges);
        labels = new LabelsControl(suspects.labels());
        comparisons = new ComparisonControl(
                exchanges,
                newestExchanges,
                orders,
                ordered,
                suspects,
                identities,
                notices,
                config.experiments(),
                masking,
                System::nanoTime);
        this.suspects = new SuspectsView(suspects, agents, deep, comparisons::shown, System::nanoTime);
        watch = new EventWatch(events, listeners, verdicts, resync);
    }

    /**
     * Begins to listen.
     *
     * @param turned is run when a tee's switch was turned
     * @throws IOException if the address can't be had; the message names it
     */
    void open(ControlConfig config, Runnable turned) throws IOException {
        Routes routes = routes(turned);
        server = ControlServer.open(config, routes, signIn, this::ordered);
        server.counts().addTo(metrics.registry());
        answered = routes.listed();
    }

    private void ordered(Map<String, Object> order) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("at", System.currentTimeMillis());
        event.putAll(order);
        events.publish("order", event);
    }

    /** Publishes what has changed; one thread, at a steady pace. */
    void look() {
        try {
            parts.follow(agents.names());
            watch.look();
            comparisons.look();
        } catch (RuntimeException defect) {
            LOG.error("events weren't looked for", defect);
        }
    }

    /** A tee's switch was turned, and not by a call. Any thread. */
    void turned(Watched watched) {
        watch.turned(watched);
    }

    /** Where it listens. */
    InetSocketAddress address() {
        if (server == null) {
            throw new IllegalStateException("the control port isn't open");
        }
        return server.address();
    }

    /** What it answers: the methods of each path. */
    Map<String, Set<String>> answered() {
        return answered;
    }

    OtlpForward forward() {
        return forward;
    }

    EventFeed events() {
        return events;
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
        forward.close();
        aggregator.close();
        sources.close();
        rules.close();
        comparisons.close();
    }

    private static DebugDials debugCalls(SidecarConfig config) {
        Set<InetSocketAddress> debug = new HashSet<>();
        Set<InetSocketAddress> production = new HashSet<>();
        for (ListenerConfig listener : config.listeners()) {
            listener.debug().forEach(target -> debug.add(target.address()));
            for (Address address : listener.production().addresses()) {
                if (address instanceof Address.Inet inet) {
                    production.add(InetSocketAddress.createUnresolved(inet.host(), inet.port()));
                }
            }
        }
        return new DebugDials(debug, production);
    }

    /**
     * What agents follow: the window that is nearest to its overflow, whether the operator wants something else by now,
     * and whether spans get anywhere.
     */
    private Map<String, Object> followed() {
        Map<String, Object> said = status.followed();
        said.put("orders", orders.revision());
        said.put("spans", calls.isWanted());
        Duration wantedWindow = settings.wanted();
        if (!wantedWindow.isZero()) {
            said.put("wantedMillis", wantedWindow.toMillis());
            double needed = status.fullest().model().neededRate(wantedWindow);
            if (needed >= 0) {
                said.put("neededRate", needed);
            }
        }
        return said;
    }

    private Reply spans(Call call) {
        calls.passing(call.body());
        return forward.post("/v1/traces", call);
    }

    private Routes routes(Runnable turned) {
        VerdictsView newest = new VerdictsView(verdicts, outgoing);
        FidelityView faith = new FidelityView(listeners);
        TeeControl tees = new TeeControl(listeners, watched -> {
            turned.run();
            watch.turned(watched);
        });
        ProbeControl probes = new ProbeControl(new ProbeOrders(orders, deep), ordered);
        SettingControl changes = new SettingControl(settings, ordered);
        PatchControl patches = new PatchControl(new Patches(orders), ordered, resync);
        agents.onPatch(patches::reported);
        PointControl points = new PointControl(new PointOrders(orders), ordered);
        RecordControl recordings = new RecordControl(listeners);
        DivergencesView divergences = new DivergencesView(report, System::nanoTime);
        MethodsView methods = new MethodsView(agents);
        Routes routes = new Routes()
                .get("/v1/status", call -> Reply.json(status.read())).stream("/v1/window", Ticker.PACE, this::followed)
                        .events("/v1/events", events)
                        .get("/v1/fidelity", call -> Reply.json(faith.read(call)))
                        .get("/v1/verdicts", call -> Reply.json(newest.read(call)))
                        .get("/v1/exchanges", call -> Reply.json(newestExchanges.list(call)))
                        .get("/v1/exchanges/{exchange}", newestExchanges::one)
                        .get(Access.OPERATE, "/v1/exchanges/{exchange}/body", newestExchanges::body)
                        .get("/v1/exchanges/{exchange}/calls", calls::read)
                        .get("/v1/exchanges/{exchange}/replay", replays::read)
                        .post(Access.OPERATE, "/v1/exchanges/{exchange}/replay", replays::start)
                        .get("/v1/divergences", call -> Reply.json(divergences.read()))
                        .get("/v1/report", call -> Reply.json(report.read()))
                        .get("/v1/resync", call -> epochs.read())
                        .post(Access.ADMIN, "/v1/resync", call -> epochs.ask())
                        .get("/v1/listeners/{name}/tee", tees::read)
                        .put(Access.OPERATE, "/v1/listeners/{name}/tee", tees::turn)
                        .post(Access.OPERATE, "/v1/listeners/{name}/tee", tees::turn)
                        .get("/v1/listeners/{name}/recording", recordings::read)
                        .put(Access.ADMIN, "/v1/listeners/{name}/recording", recordings::turn)
                        .post(Access.ADMIN, "/v1/listeners/{name}/recording", recordings::turn)
                        .get("/v1/listeners/{name}/playback", playbacks::read)
                        .post(Access.ADMIN, "/v1/listeners/{name}/playback", playbacks::play)
                        .get("/v1/agent", call -> Reply.json(agents.read(parts.inForce())))
                        .post(Access.AGENT, "/v1/agent", agents::post)
                        .post(Access.AGENT, "/v1/handshake", handshake::post)
                        .get(Access.ANY_ROLE, "/v1/orders", call -> Reply.json(ordered.read()))
                        .post(Access.OPERATE, "/v1/orders/probes", probes::order)
                        .delete(Access.OPERATE, "/v1/orders/probes", call -> probes.reset())
                        .post(Access.OPERATE, "/v1/orders/settings", changes::order)
                        .delete(Access.OPERATE, "/v1/orders/settings", call -> changes.reset())
                        .get("/v1/orders/patch", call -> patches.read())
                        .put(Access.ADMIN, "/v1/orders/patch", PATCH, patches::apply)
                        .delete(Access.ADMIN, "/v1/orders/patch", call -> patches.takeBack())
                        .get(Access.ANY_ROLE, "/v1/orders/patch/{name}", patches::jar)
                        .get("/v1/orders/points", call -> Reply.json(points.list()))
                        .post(Access.OPERATE, "/v1/orders/points", points::add)
                        .delete(Access.OPERATE, "/v1/orders/points/{name}", points::remove)
                        .get("/v1/hits", call -> Reply.json(points.read(call)))
                        .post(Access.AGENT, "/v1/hits", REPORT, points::post)
                        .post(Access.AGENT, "/v1/observations", REPORT, suspects::post)
                        .post(Access.AGENT, "/v1/overheads", new OverheadControl(overheads.values())::post)
                        .get("/v1/methods", call -> Reply.json(methods.read(call)))
                        .get("/v1/suspects", call -> Reply.json(suspects.read()))
                        .post(Access.AGENT, "/otlp/v1/traces", TELEMETRY, this::spans)
                        .post(Access.AGENT, "/otlp/v1/metrics", TELEMETRY, call -> forward.post("/v1/metrics", call));
        console.addTo(routes);
        sources.addTo(routes);
        aggregator.addTo(routes);
        rules.addTo(routes);
        labels.addTo(routes);
        comparisons.addTo(routes);
        flames.addTo(routes);
        alerts.addTo(routes);
        return ApiDocument.addTo(metrics.addTo(routes), StatusView.class);
    }
}
