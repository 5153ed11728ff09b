package dev.understudy.sidecar.experiment;

import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.sidecar.experiment.Requests.Sample;
import dev.understudy.sidecar.inbound.RerunNotice;
import dev.understudy.sidecar.label.ReplyFacts;
import dev.understudy.sidecar.reduce.CallText;
import dev.understudy.sidecar.reduce.CopyCaller;
import dev.understudy.sidecar.reduce.HttpInput;
import dev.understudy.sidecar.reduce.Reducer;
import dev.understudy.sidecar.reduce.Reduction;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One experiment: a request that failed and two that went well are sent to the copy while its agent records what they
 * do, and where the executions part is sought. The failing one may be made smaller before; then a part of it that goes
 * well takes the place of the others.
 *
 * <p>Runs on one thread; anybody may read.
 */
final class Comparison {
    private static final Logger LOG = LoggerFactory.getLogger(Comparison.class);
    private static final long LOOK_MILLIS = 50;
    /** So many are kept, the earliest. */
    private static final int MOST_PARTINGS = 500;

    /** Smaller requests, beside the first and last few. */
    private static final int MOST_ATTEMPTS = 400;

    private static final Duration MOST_REDUCING = Duration.ofSeconds(30);
    private static final Duration REDUCING_PATIENCE = Duration.ofSeconds(5);
    private static final int SENT_BETWEEN_STEPS = 20;

    private final Requests requests;
    private final RecordingOrders orders;
    private final @Nullable CallText texts;
    private final InetSocketAddress copy;
    private final IdentityMap identities;
    private final RerunNotice notice;
    private final List<String> classes;
    private final Duration patience;
    private final SecureRandom random = new SecureRandom();
    /** Guarded by itself; large, and gone when it is over. */
    private final Map<String, ExecutionTree> recorded = new LinkedHashMap<>();

    private volatile ComparedRequests compared;
    private volatile Result result = new Result(State.RUNNING, "begins", List.of(), List.of(), 0, 0);

    /** How far it is. */
    enum State {
        RUNNING,
        DONE,
        GIVEN_UP
    }

    /**
     * What is known of it. Immutable.
     *
     * @param words what is done now, or why it was given up
     * @param asked what the copy answered, in the order in which it was asked
     * @param calls recorded in all
     * @param left calls that weren't recorded
     */
    record Result(State state, String words, List<Asked> asked, List<ExecutionParting> partings, int calls, long left) {
        Result {
            asked = List.copyOf(asked);
            partings = List.copyOf(partings);
        }
    }

    /**
     * A request that was sent once more.
     *
     * @param isFailing whether it is the request that failed before
     * @param reply its status, or why there is none
     * @param fails whether its reply is a failing one
     * @param isAsBefore whether its status is the one that the copy gave before, if both are known
     */
    record Asked(long exchange, boolean isFailing, String reply, boolean fails, boolean isAsBefore) {}

    /**
     * One to be run.
     *
     * @param compared which requests
     * @param texts how the failing one is shown once it is made as small as it can be, which is done first; null if it
     *     isn't
     * @param identities what the copy made up itself; requests are sent with it
     * @param notice has them get the upstream replies that they got before
     * @param classes whose calls are recorded
     * @param patience how long an agent, and each reply, is waited for
     */
    Comparison(
            Requests requests,
            RecordingOrders orders,
            ComparedRequests compared,
            @Nullable CallText texts,
            InetSocketAddress copy,
            IdentityMap identities,
            RerunNotice notice,
            List<String> classes,
            Duration patience) {
        this.requests = requests;
        this.orders = orders;
        this.compared = compared;
        this.texts = texts;
        this.copy = copy;
        this.identities = identities;
        this.notice = notice;
        this.classes = List.copyOf(classes);
        this.patience = patience;
    }

    Result result() {
        return result;
    }

    /** Which requests: smaller ones once the failing one was made smaller. */
    ComparedRequests compared() {
        return compared;
    }

    /** How many classes are recorded. */
    int classes() {
        return classes.size();
    }

    /** Blocks until it is over; however it ends, it says so, and agents record nothing any more. */
    void run() {
        Result end;
        try (CopyCaller caller = new CopyCaller(copy, patience)) {
            end = run(caller);
        } catch (IOException | CancellationException problem) {
            end = gaveUp(String.valueOf(problem.getMessage()));
        } catch (InterruptedException ended) {
            end = gaveUp("the sidecar ended");
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error defect) {
            LOG.error("a comparison ended", defect);
            end = gaveUp("a defect of the sidecar, see its log: " + defect);
        }
        orders.takeBack();
        synchronized (recorded) {
            recorded.clear();
        }
        result = end;
    }

    private Result gaveUp(String why) {
        return new Result(State.GIVEN_UP, why, result.asked(), List.of(), result.calls(), result.left());
    }

    private Result run(CopyCaller caller) throws IOException, InterruptedException {
        if (texts != null) {
            compared = reduced(texts);
        }
        if (compared.passing().isEmpty()) {
            throw new CancellationException("each smaller request fails or is refused, and no request of the route"
                    + " that went well is kept");
        }
        Sample failing = compared.failing();
        List<Sample> order = compared.order();
        List<String> traces = new ArrayList<>();
        List<CopyCaller.Line> lines = new ArrayList<>();
        try {
            List<RecordingOrders.Run> runs = new ArrayList<>();
            for (Sample ignored : order) {
                CopyCaller.Line line = caller.open();
                lines.add(line);
                traces.add(hex(16));
                runs.add(new RecordingOrders.Run(traces.get(traces.size() - 1), line.port()));
            }
            step("the agent prepares " + classes.size() + " classes");
            orders.order(classes, runs);
            await("the agent didn't follow in time", orders::areFollowed);
            List<Asked> asked = new ArrayList<>();
            for (int i = 0; i < order.size(); i++) {
                step("request " + (i + 1) + " of " + order.size() + " is sent");
                Sample sample = order.get(i);
                ReplyFacts reply = send(sample, traces.get(i), lines.get(i));
                asked.add(new Asked(
                        sample.entry().judged().exchange(),
                        ComparedRequests.isFailing(i),
                        reply.toString(),
                        requests.fails(sample, reply),
                        sample.isAnsweredAsBefore(reply)));
                result = new Result(State.RUNNING, result.words(), asked, List.of(), 0, 0);
            }
            if (!asked.get(0).fails()) {
                throw gone(asked.get(0).reply());
            }
            if (!asked.get(0).isAsBefore()) {
                throw otherwise("the request fails otherwise now", asked.get(0), failing);
            }
            if (good(asked).isEmpty()) {
                throw noneGood(asked.get(1), order.get(1));
            }
            step("what was recorded is awaited");
            await("the agent told nothing of a request: it isn't one that the agent follows", () -> {
                synchronized (recorded) {
                    return recorded.size() == order.size();
                }
            });
            return compare(traces, asked);
        } finally {
            lines.forEach(CopyCaller.Line::close);
        }
    }

    /** Sends parts of the failing request until nothing more can be left out of it. */
    private ComparedRequests reduced(CallText shown) throws IOException, InterruptedException {
        Sample failing = compared.failing();
        Duration quickly = patience.compareTo(REDUCING_PATIENCE) < 0 ? patience : REDUCING_PATIENCE;
        try (CopyCaller caller = new CopyCaller(copy, quickly)) {
            Reduction made = Reducer.ofWholeValues(
                            input -> {
                                try (CopyCaller.Line line = caller.open()) {
                                    return send(
                                            new Sample(failing.entry(), input.last(), failing.status()), hex(16), line);
                                }
                            },
                            reply -> requests.fails(failing, reply) && reply.status() == failing.status(),
                            MOST_ATTEMPTS,
                            MOST_REDUCING,
                            this::reducing)
                    .reduce(HttpInput.of(failing.call()));
            return switch (made.behaviour()) {
                case GONE -> throw gone(made.first().toString());
                case FLAKY ->
                    throw new CancellationException("the request fails by chance, %d of %d times: what fails each time"
                                    .formatted(made.failed(), made.asked())
                            + " can be made smaller, and nothing else");
                case STABLE -> compared.reduced(made, shown);
            };
        }
    }

    private void reducing(int sent, int bytes) {
        if (sent % SENT_BETWEEN_STEPS == 0) {
            step("the failing request is made smaller: %d were sent, the last of %d bytes".formatted(sent, bytes));
        }
    }

    /** Upstreams answer what they answered the exchange that it is of. */
    private ReplyFacts send(Sample sample, String trace, CopyCaller.Line line) throws InterruptedException {
        long exchange = sample.entry().judged().exchange();
        try {
            if (!notice.give(trace, exchange).join()) {
                throw new CancellationException("the aggregator can't be told of what is sent");
            }
            return line.ask(sample.call().with(identities).with("traceparent", "00-" + trace + "-" + hex(8) + "-01"));
        } finally {
            notice.over(trace, exchange);
        }
    }

    private static CancellationException gone(String reply) {
        return new CancellationException("the request doesn't fail again, it was answered " + reply
                + ": the failure needs a state, or upstream replies, that aren't there any longer");
    }

    private static CancellationException otherwise(String what, Asked asked, Sample sample) {
        return new CancellationException(what + ": " + asked.reply() + " instead of "
                + sample.status()
                + "; it may need a state, or upstream replies, that aren't there any longer");
    }

    private static CancellationException noneGood(Asked asked, Sample sample) {
        return asked.fails()
                ? new CancellationException("the request that went well fails now, too: " + asked.reply()
                        + "; it may need a state, or upstream replies, that aren't there any longer")
                : otherwise("the request that went well is answered otherwise now", asked, sample);
    }

    /** Places of the requests that went well, and do so again. */
    private static List<Integer> good(List<Asked> asked) {
        return IntStream.of(1, 3)
                .filter(n -> n < asked.size()
                        && !asked.get(n).fails()
                        && asked.get(n).isAsBefore())
                .boxed()
                .toList();
    }

    private Result compare(List<String> traces, List<Asked> asked) {
        List<ExecutionTree> executions = new ArrayList<>();
        synchronized (recorded) {
            traces.forEach(trace -> executions.add(recorded.get(trace)));
        }
        List<ExecutionTree> good = good(asked).stream().map(executions::get).toList();
        ExecutionDiff diff = ExecutionDiff.of(executions.get(0), good.get(0));
        if (asked.get(2).fails()) {
            diff = diff.without(ExecutionDiff.of(executions.get(0), executions.get(2)));
        }
        if (good.size() > 1) {
            diff = diff.without(ExecutionDiff.of(good.get(1), good.get(0)));
        }
        int calls = executions.stream().mapToInt(ExecutionTree::calls).sum();
        long left = executions.stream().mapToLong(ExecutionTree::left).sum();
        List<ExecutionParting> first =
                diff.partings().stream().limit(MOST_PARTINGS).toList();
        return new Result(State.DONE, "", asked, first, calls, left);
    }

    /** Takes what an agent recorded; false if it isn't of this one. */
    boolean take(ExecutionTree execution) {
        synchronized (recorded) {
            if (orders.isExpected(execution.trace())) {
                recorded.putIfAbsent(execution.trace(), execution);
                return true;
            }
            return false;
        }
    }

    private void step(String words) {
        result = new Result(State.RUNNING, words, result.asked(), List.of(), 0, 0);
    }

    private void await(String otherwise, BooleanSupplier holds) throws InterruptedException {
        long since = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - since > patience.toNanos()) {
                throw new CancellationException(otherwise);
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    private String hex(int bytes) {
        byte[] drawn = new byte[bytes];
        random.nextBytes(drawn);
        drawn[0] |= 1; // never all zeros
        return HexFormat.of().formatHex(drawn);
    }
}
