package dev.understudy.sidecar.experiment;

import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.sidecar.experiment.Requests.Sample;
import dev.understudy.sidecar.inbound.RerunNotice;
import dev.understudy.sidecar.label.ReplyFacts;
import dev.understudy.sidecar.reduce.CopyCaller;
import dev.understudy.sidecar.verdict.Judged;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One experiment: a request that failed and two that went well are sent to the copy while its agent records what they
 * do, and where the executions part is sought. The failing one is sent twice, and what differs between two executions
 * that end alike is left out.
 *
 * <p>Runs on one thread; anybody may read.
 */
final class Comparison {
    private static final Logger LOG = LoggerFactory.getLogger(Comparison.class);
    private static final long LOOK_MILLIS = 50;
    /** So many are kept, the earliest. */
    private static final int MOST_PARTINGS = 500;

    private final Requests requests;
    private final RecordingOrders orders;
    final Sample failing;
    final List<Sample> passing;
    private final InetSocketAddress copy;
    private final IdentityMap identities;
    private final RerunNotice notice;
    private final List<String> classes;
    private final Duration patience;
    private final SecureRandom random = new SecureRandom();
    /** Guarded by itself; large, and gone when it is over. */
    private final Map<String, ExecutionTree> recorded = new LinkedHashMap<>();

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
     * @param reply its status, or why there is none
     * @param fails whether its reply is a failing one
     * @param isAsBefore whether its status is the one that the copy gave before, if both are known
     */
    record Asked(long exchange, String reply, boolean fails, boolean isAsBefore) {}

    /**
     * One to be run.
     *
     * @param passing one or two
     * @param identities what the copy made up itself; requests are sent with it
     * @param notice has them get the upstream replies that they got before
     * @param classes whose calls are recorded
     * @param patience how long an agent, and each reply, is waited for
     */
    Comparison(
            Requests requests,
            RecordingOrders orders,
            Sample failing,
            List<Sample> passing,
            InetSocketAddress copy,
            IdentityMap identities,
            RerunNotice notice,
            List<String> classes,
            Duration patience) {
        this.requests = requests;
        this.orders = orders;
        this.failing = failing;
        this.passing = List.copyOf(passing);
        this.copy = copy;
        this.identities = identities;
        this.notice = notice;
        this.classes = List.copyOf(classes);
        this.patience = patience;
    }

    Result result() {
        return result;
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
        List<Sample> order = new ArrayList<>(List.of(failing, passing.get(0), failing));
        order.addAll(passing.subList(1, passing.size()));
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
                long exchange = sample.entry().judged().exchange();
                if (!notice.give(traces.get(i), exchange).join()) {
                    throw new CancellationException("the aggregator can't be told of what is sent");
                }
                String traceparent = "00-" + traces.get(i) + "-" + hex(8) + "-01";
                ReplyFacts reply;
                try {
                    reply = lines.get(i).ask(sample.call().with(identities).with("traceparent", traceparent));
                } finally {
                    notice.over(traces.get(i), exchange);
                }
                asked.add(new Asked(
                        exchange,
                        reply.toString(),
                        requests.fails(sample, reply),
                        isAsBefore(reply, sample.entry().judged())));
                result = new Result(State.RUNNING, result.words(), asked, List.of(), 0, 0);
            }
            if (!asked.get(0).fails()) {
                throw new CancellationException("the request doesn't fail again, it was answered "
                        + asked.get(0).reply() + ": the failure needs a state, or upstream replies, that aren't"
                        + " there any longer");
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

    private static boolean isAsBefore(ReplyFacts reply, Judged before) {
        return reply.status() == before.debugStatus() || reply.status() == 0 || before.debugStatus() == 0;
    }

    private static CancellationException otherwise(String what, Asked asked, Sample sample) {
        return new CancellationException(what + ": " + asked.reply() + " instead of "
                + sample.entry().judged().debugStatus()
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
