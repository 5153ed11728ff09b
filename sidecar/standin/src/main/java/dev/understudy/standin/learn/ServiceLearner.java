package dev.understudy.standin.learn;

import dev.understudy.standin.learn.PathWords.ParsedPath;
import dev.understudy.standin.learn.RecordedCalls.Omissions;
import dev.understudy.standin.model.ArrivalModel;
import dev.understudy.standin.model.RouteModel;
import dev.understudy.standin.model.ServiceModel;
import dev.understudy.standin.value.SampleReservoir;
import dev.understudy.standin.value.Shares;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Learns a model of a service from a recording of its HTTP/1.1 traffic. Confined to its caller. */
public final class ServiceLearner {
    private static final int MOST_ROUTES = 200;
    private static final int SAMPLES = 20_000;
    private static final double NANOS = 1e9;

    private final LearnOptions options;
    private final PathWords words = new PathWords();
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<RouteLearner> routes = new ArrayList<>();
    private final CallTimes times = new CallTimes();
    private final Map<Long, Integer> perConnection = new HashMap<>();
    private long leftOut;
    private long firstNanos = Long.MAX_VALUE;

    private ServiceLearner(LearnOptions options) {
        this.options = options;
    }

    /**
     * Learns.
     *
     * @param recording what {@code understudy record} or a sidecar wrote
     * @throws IOException if it can't be read, or has no exchange of HTTP/1.1
     */
    public static LearnResult learn(Path recording, LearnOptions options) throws IOException {
        ServiceLearner learner = new ServiceLearner(options);
        RecordedCalls.read(recording, 0, call -> {
            learner.firstNanos = Math.min(learner.firstNanos, call.arrivedNanos());
            learner.words.add(call.request().method(), call.request().target());
        });
        Omissions omissions = RecordedCalls.read(recording, KeptBytes.MOST, learner::add);
        if (learner.times.count() < 2) {
            throw new IOException(recording + ": " + learner.times.count()
                    + " whole exchanges of HTTP/1.1 (expected: at least 2; HTTP/2 and other protocols aren't learned)");
        }
        return new LearnResult(learner.model(omissions), learner.notes(omissions));
    }

    private void add(RecordedCall call) {
        if (call.arrivedNanos() - firstNanos < options.skip().toNanos()) {
            return;
        }
        ParsedPath parsed = words.parse(call.request().method(), call.request().target());
        String route = call.request().method() + " " + parsed.path();
        Integer number = numbers.get(route);
        boolean odd = !call.request().method().matches("[A-Z]{1,20}");
        if (odd || times.isFull() || (number == null && routes.size() >= MOST_ROUTES)) {
            leftOut++;
            return;
        }
        if (number == null) {
            number = routes.size();
            numbers.put(route, number);
            routes.add(new RouteLearner(call.request().method(), parsed.path()));
        }
        routes.get(number).add(call, parsed);
        times.add(number, call.arrivedNanos(), call.endedNanos());
        perConnection.merge(call.connection(), 1, Integer::sum);
    }

    private ServiceModel model(Omissions omissions) {
        CallTimes sorted = times.sorted();
        long[] arrived = sorted.arrived();
        long[] ended = sorted.ended();
        WorkerEstimate estimate = new WorkerEstimate(arrived, ended);
        Integer known = options.workers();
        int workers = known == null ? estimate.workers() : known;
        long[] begun = estimate.begun(workers);
        double[] sums = new double[routes.size()];
        List<SampleReservoir> own = new ArrayList<>();
        routes.forEach(any -> own.add(new SampleReservoir(SAMPLES)));
        double sum = 0;
        for (int i = 0; i < arrived.length; i++) {
            double millis = Math.max(0, ended[i] - begun[i]) / 1e6;
            own.get(sorted.route(i)).add(millis);
            sums[sorted.route(i)] += millis;
            sum += millis;
        }
        double seconds = Math.max(1e-3, (arrived[arrived.length - 1] - arrived[0]) / NANOS);
        List<RouteModel> models = new ArrayList<>();
        for (int i = 0; i < routes.size(); i++) {
            models.add(route(routes.get(i), own.get(i), sum == 0 ? 0 : sums[i] / sum));
        }
        models.sort(Comparator.comparingDouble(RouteModel::share).reversed());
        return new ServiceModel(
                options.service(),
                arrived.length,
                rounded(seconds),
                workers,
                arrivals(arrived, seconds, omissions),
                models);
    }

    /** Processor time and allocation are known of all routes together; each gets of them as of time. */
    private RouteModel route(RouteLearner route, SampleReservoir own, double shareOfTime) {
        double processor = options.processorSeconds() * 1000 * shareOfTime / route.count();
        double allocated = options.allocatedBytes() * shareOfTime / route.count();
        return new RouteModel(
                Shares.of(route.count(), times.count()),
                route.request(),
                route.replies(),
                own.quantiles(),
                rounded(processor),
                Math.min(RouteModel.MOST_ALLOCATED, Math.round(allocated)));
    }

    private ArrivalModel arrivals(long[] arrived, double seconds, Omissions omissions) {
        SampleReservoir gaps = new SampleReservoir(SAMPLES);
        for (int i = 1; i < arrived.length; i++) {
            gaps.add((arrived[i] - arrived[i - 1]) / 1e6);
        }
        SampleReservoir requests = new SampleReservoir(SAMPLES);
        perConnection.values().forEach(requests::add);
        return new ArrivalModel(
                Math.max(1e-4, rounded((arrived.length - 1) / seconds)),
                gaps.quantiles(),
                Math.max(1, omissions.mostOpen),
                requests.quantiles());
    }

    private static double rounded(double value) {
        return Math.round(value * 1e4) / 1e4;
    }

    private List<String> notes(Omissions omissions) {
        List<String> notes = new ArrayList<>();
        note(notes, omissions.unread, "connections weren't, or not to their end, HTTP/1.1");
        note(notes, omissions.unanswered, "requests have no whole reply");
        note(notes, leftOut, "exchanges are beyond " + MOST_ROUTES + " routes or " + CallTimes.MOST + " exchanges");
        if (omissions.torn != null) {
            notes.add("the recording's end is torn: " + omissions.torn);
        }
        return notes;
    }

    private static void note(List<String> notes, long count, String what) {
        if (count > 0) {
            notes.add(count + " " + what);
        }
    }
}
