package dev.understudy.sidecar.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.divergence.content.Folding;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.relay.control.AnswerThread;
import dev.understudy.relay.control.Body;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import dev.understudy.relay.control.Routes;
import dev.understudy.relay.control.access.Access;
import dev.understudy.sidecar.config.Experiments;
import dev.understudy.sidecar.control.ExchangesView;
import dev.understudy.sidecar.control.OrdersView;
import dev.understudy.sidecar.experiment.Requests.Sample;
import dev.understudy.sidecar.inbound.RerunNotice;
import dev.understudy.sidecar.label.ExchangeOutcome;
import dev.understudy.sidecar.lane.DebugLanes;
import dev.understudy.sidecar.reduce.CallText;
import dev.understudy.sidecar.steer.Orders;
import dev.understudy.sidecar.suspect.Suspect;
import dev.understudy.sidecar.suspect.Suspects;
import dev.understudy.sidecar.verdict.ExchangeLog;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/comparisons}: compares the execution of a failing request with those of requests that went well, on
 * the copy; {@code GET}: the newest ones; {@code POST /v1/executions}: what an agent recorded for one.
 *
 * <p>One runs at a time, on a thread of its own, and {@value #KEPT} are kept. The copy alone is asked, never
 * production. Where the settings allow it, some begin by themselves. Guarded by {@code this}.
 */
public final class ComparisonControl implements AutoCloseable {
    private static final int KEPT = 8;
    private static final int WAITING = 4;
    private static final int PASSING = 2;
    private static final int MOST_CLASSES = 400;
    /** Hundreds of classes are woven meanwhile, and a small JVM may have other work. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int MOST_SHOWN = 3;
    private static final int LONGEST_WORDS = 100;
    private static final Body ASKED = Body.json(4 << 10);
    private static final Body EXECUTION = Body.json(4 << 20);

    private final ExchangesView exchanges;
    private final Requests requests;
    private final Orders orders;
    private final OrdersView ordered;
    private final Suspects suspects;
    private final Map<String, IdentityMap> identities;
    private final Function<String, RerunNotice> notices;
    private final Experiments allowed;
    private final CallText texts;
    private final ComparisonReport report;
    private final ExperimentSchedule schedule;
    private final Deque<Numbered> newest = new ArrayDeque<>();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread made = new Thread(work, "understudy-comparison");
        made.setDaemon(true);
        return made;
    });
    /** Looks through many requests, for which the control port's own thread isn't. */
    private final AnswerThread choosing = new AnswerThread("understudy-comparison-requests", WAITING);

    private int last;

    /**
     * None was made yet.
     *
     * @param exchanges knows the debug JVM of each
     * @param suspects know which classes take part in failing
     * @param identities what each debug JVM made up itself, by its name
     * @param notices has requests to a debug JVM, by its name, get the upstream replies that they got before
     * @param allowed whether any is made
     * @param masking of requests that are shown
     */
    public ComparisonControl(
            ExchangeLog log,
            ExchangesView exchanges,
            Orders orders,
            OrdersView ordered,
            Suspects suspects,
            Map<String, IdentityMap> identities,
            Function<String, RerunNotice> notices,
            Experiments allowed,
            Masking masking,
            LongSupplier nanoTime) {
        this.exchanges = exchanges;
        this.requests = new Requests(log, suspects.labels());
        this.orders = orders;
        this.ordered = ordered;
        this.suspects = suspects;
        this.identities = Map.copyOf(identities);
        this.notices = notices;
        this.allowed = allowed;
        this.texts = new CallText(masking);
        this.report = new ComparisonReport(texts);
        this.schedule = new ExperimentSchedule(nanoTime);
    }

    /**
     * One with its number.
     *
     * @param automatic whether it has begun by itself
     */
    private record Numbered(int number, Comparison comparison, boolean automatic) {}

    /** Adds its paths to {@code routes}. */
    public Routes addTo(Routes routes) {
        return routes.get("/v1/comparisons", call -> Reply.json(read(call.number("from", 0, 0, Integer.MAX_VALUE))))
                .later(Access.OPERATE, "POST", "/v1/comparisons", ASKED, this::asked)
                .post(Access.AGENT, "/v1/executions", EXECUTION, this::take);
    }

    @Override
    public void close() {
        choosing.close();
        thread.shutdownNow();
    }

    /**
     * Begins one; 409 with the reason if that can't be.
     *
     * @throws IllegalArgumentException if the body isn't {@code {"exchange": 7, "reduce": true}}, or a part of that
     */
    private CompletableFuture<Reply> asked(Call call) {
        JsonNode body = JsonBody.object(call.body());
        for (Map.Entry<String, JsonNode> member : body.properties()) {
            boolean isKnown = member.getKey().equals("exchange")
                    ? member.getValue().canConvertToLong()
                    : member.getKey().equals("reduce") && member.getValue().isBoolean();
            if (!isKnown) {
                throw new IllegalArgumentException(
                        member.getKey() + ": unknown (expected: exchange, a number; reduce, true or false)");
            }
        }
        if (allowed == Experiments.OFF) {
            return CompletableFuture.completedFuture(
                    Reply.problem(409, "Experiments are off", "the setting experiments is off (expected: ask or on)"));
        }
        return choosing.answer(() -> start(
                requests.failing(body.path("exchange").asLong(0)),
                body.path("reduce").asBoolean(false),
                false));
    }

    /** Begins one by itself if that is allowed and due. Returns at once; any thread, again and again. */
    public void look() {
        if (allowed == Experiments.ON && !isRunning() && schedule.isDue()) {
            choosing.answer(this::startByItself);
        }
    }

    private Reply startByItself() {
        List<Suspect> standing = suspects.standing().suspects();
        if (standing.isEmpty()) {
            return Reply.json(Map.of());
        }
        ExchangeOutcome example = standing.get(0).example();
        String route = Folding.route(example.request());
        if (!schedule.begin(example.listener() + " " + route)) {
            return Reply.json(Map.of());
        }
        return start(requests.failing(example.exchange()).or(() -> requests.failing(route)), false, true);
    }

    private Reply start(Optional<Sample> failing, boolean reduces, boolean automatic) {
        if (isRunning()) {
            return busy();
        }
        if (failing.isEmpty()) {
            return Reply.problem(
                    409,
                    "Nothing to compare",
                    "no failing request is kept (expected: one of HTTP/1.1 of at most 16 KiB, among the newest)");
        }
        List<Sample> passing =
                reduces ? requests.passingOfRoute(failing.get(), PASSING) : requests.passing(failing.get(), PASSING);
        if (reduces && Requests.failedByDiffering(failing.get())) {
            return Reply.problem(
                    409,
                    "Can't be made smaller",
                    "it failed as the replies differ: whether a part of it would fail isn't known without production's"
                            + " reply (expected: an exchange that fails by its status, a rule, or its time)");
        }
        if (passing.isEmpty() && !reduces) {
            return Reply.problem(
                    409,
                    "Nothing to compare with",
                    "no request of " + failing.get().entry().route() + " that went well is kept");
        }
        DebugLanes lanes = exchanges.lanes(failing.get().entry());
        IdentityMap own = identities.get(failing.get().entry().debug());
        if (lanes == null || own == null || !(lanes.address() instanceof InetSocketAddress copy)) {
            return Reply.problem(409, "No debug JVM", "its debug JVM isn't in the settings, or isn't reached by TCP");
        }
        List<String> classes = suspects.classes(MOST_CLASSES);
        if (classes.isEmpty()) {
            return Reply.problem(
                    409,
                    "Nothing observed",
                    "no agent has observed a failing exchange yet (expected: a debug JVM with the agent)");
        }
        Comparison next = new Comparison(
                requests,
                new RecordingOrders(orders, ordered),
                ComparedRequests.recorded(failing.get(), passing),
                reduces ? texts : null,
                copy,
                own,
                notices.apply(failing.get().entry().debug()),
                classes,
                PATIENCE);
        return begin(next, automatic);
    }

    private synchronized Reply begin(Comparison next, boolean automatic) {
        if (isRunning()) {
            return busy();
        }
        newest.addFirst(new Numbered(++last, next, automatic));
        while (newest.size() > KEPT) {
            newest.removeLast();
        }
        thread.execute(next::run);
        return Reply.json(read(0));
    }

    private static Reply busy() {
        return Reply.problem(409, "Not now", "another comparison is running");
    }

    private synchronized boolean isRunning() {
        Numbered first = newest.peekFirst();
        return first != null && first.comparison().result().state() == Comparison.State.RUNNING;
    }

    private Reply take(Call call) {
        ExecutionTree execution = ExecutionReader.read(JsonBody.objectOfNumbers(call.body()));
        Comparison running = newest();
        return running != null && running.take(execution)
                ? Reply.json(Map.of("taken", execution.calls()))
                : Reply.json(Map.of("taken", 0)); // too late for anybody
    }

    private synchronized @Nullable Comparison newest() {
        Numbered first = newest.peekFirst();
        return first == null ? null : first.comparison();
    }

    /**
     * What comparisons have shown of exchanges of the same route as this one: the {@linkplain ExecutionParting#telling
     * telling} partings of the comparison whose executions part at the fewest places. One that shows many says nothing:
     * its requests differ too much.
     */
    public synchronized List<Suspect.Alike> shown(ExchangeOutcome example) {
        String route = Folding.route(example.request());
        return newest.stream()
                .map(Numbered::comparison)
                .filter(one ->
                        isOf(example.listener(), route, one.compared().failing().entry()))
                .sorted(Comparator.comparingInt(one -> one.result().partings().size()))
                .map(one -> ExecutionParting.telling(
                        one.result().partings(), one.compared().isPart()))
                .filter(telling -> !telling.isEmpty() && telling.size() <= MOST_SHOWN)
                .findFirst()
                .map(telling -> telling.stream().map(ComparisonControl::alike).toList())
                .orElse(List.of());
    }

    private static boolean isOf(String listener, String route, ExchangeLog.Entry failing) {
        return failing.judged().listener().equals(listener) && failing.route().equals(route);
    }

    private static Suspect.Alike alike(ExecutionParting parting) {
        String words = shortened(parting.failing()) + ", where a good execution " + shortened(parting.passing());
        return new Suspect.Alike(parting.method(), words, 0, 0, false);
    }

    private static String shortened(String words) {
        return words.length() <= LONGEST_WORDS ? words : words.substring(0, LONGEST_WORDS) + "…";
    }

    /** @param from how many partings of each are left out before the first that is shown */
    private synchronized Map<String, Object> read(int from) {
        List<Map<String, Object>> all = new ArrayList<>();
        newest.forEach(one -> all.add(report.of(one.number(), one.automatic(), one.comparison(), from)));
        return Map.of("comparisons", all);
    }
}
