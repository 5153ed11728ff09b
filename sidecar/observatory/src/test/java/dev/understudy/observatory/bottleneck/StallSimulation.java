package dev.understudy.observatory.bottleneck;

import dev.understudy.observatory.event.ExchangeColumns;
import dev.understudy.observatory.event.TierOverflow;
import dev.understudy.observatory.sample.SampleSeries;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * Three tiers with open-loop clients, as a discrete simulation: each request works in web, app and db and then in app
 * and web again, where it waits for one of the tier's servers each time. App has a pool of connections to db. A stall
 * stops all servers of a tier for a while; a resource of that tier is saturated then.
 */
final class StallSimulation {
    static final String[] TIERS = {"web", "app", "db"};
    static final String[] CAUSES = {"disk.sda.busy", "cpu.steal", "gc.pause", "memory.writeback"};
    private static final int[] PATH = {0, 1, 2, 1, 0};
    private static final double[] WORK = {0.6, 0.6, 1, 0.4, 0.4};
    private static final double[] ROUTES = {0.6, 1, 1.6};
    private static final long SAMPLE = 50_000;
    private static final long EPOCH = 1_700_000_000_000_000L;

    /** What was done to a tier. */
    record Injection(int tier, String cause, long startMicros, long endMicros) {}

    private final Random random;
    private final long lengthMicros;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Servers[] servers = new Servers[3];
    private final int pool;
    private final Deque<Job> waitingForPool = new ArrayDeque<>();
    private final double[][] busy;
    private final int[] arrivals;
    private int pooled;
    private long order;

    final List<ExchangeColumns> tiers = new ArrayList<>();
    final List<Injection> injections = new ArrayList<>();
    final List<SampleSeries> samples = new ArrayList<>();
    final double perSecond;

    private static final class Job {
        final int route;
        final long[] arrived = new long[3];
        int stage;
        long finish;
        boolean hasPool;

        Job(int route) {
            this.route = route;
        }
    }

    private record Event(long at, long order, Job job, int stall) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    private static final class Servers {
        final int count;
        final double meanMicros;
        final Deque<Job> queue = new ArrayDeque<>();
        final List<Job> working = new ArrayList<>();
        long stalledUntil;

        Servers(int count, double meanMicros) {
            this.count = count;
            this.meanMicros = meanMicros;
        }
    }

    StallSimulation(long seed, int seconds, int stalls) throws TierOverflow {
        random = new Random(seed);
        lengthMicros = seconds * 1_000_000L;
        perSecond = 400 + random.nextInt(800);
        for (int tier = 0; tier < 3; tier++) {
            int count = 2 + random.nextInt(4);
            double load = 0.3 + 0.3 * random.nextDouble();
            servers[tier] = new Servers(count, load * count / perSecond * 1e6);
            tiers.add(new ExchangeColumns(TIERS[tier]));
        }
        pool = random.nextBoolean() ? Integer.MAX_VALUE : 3 * servers[2].count;
        int windows = (int) (lengthMicros / SAMPLE) + 100;
        busy = new double[3][windows];
        arrivals = new int[windows];
        inject(stalls);
        run();
        sample(windows - 100);
    }

    private void inject(int stalls) {
        while (injections.size() < stalls) {
            long length = 50_000L + random.nextInt(450_001);
            long start = 10_000_000 + (long) (random.nextDouble() * (lengthMicros - 20_000_000));
            boolean apart = injections.stream().allMatch(other -> Math.abs(other.startMicros - start) > 3_000_000);
            if (apart) {
                String cause = CAUSES[random.nextInt(CAUSES.length)];
                injections.add(new Injection(random.nextInt(3), cause, start, start + length));
            }
        }
    }

    private void run() throws TierOverflow {
        for (int i = 0; i < injections.size(); i++) {
            events.add(new Event(injections.get(i).startMicros, order++, null, i));
        }
        events.add(new Event(0, order++, null, -1));
        while (!events.isEmpty()) {
            Event event = events.poll();
            if (event.job != null) {
                finish(event.job, event.at);
            } else if (event.stall >= 0) {
                stall(injections.get(event.stall), event.at);
            } else if (event.stall == -1) {
                Job job = new Job(random.nextInt(ROUTES.length));
                arrivals[(int) (event.at / SAMPLE)]++;
                enter(job, event.at);
                long next = event.at + Math.max(1, Math.round(-Math.log(1 - random.nextDouble()) / perSecond * 1e6));
                if (next < lengthMicros) {
                    events.add(new Event(next, order++, null, -1));
                }
            } else {
                start(-2 - event.stall, event.at);
            }
        }
    }

    private void stall(Injection injection, long now) {
        Servers tier = servers[injection.tier];
        tier.stalledUntil = injection.endMicros;
        for (Job job : tier.working) {
            job.finish += injection.endMicros - now;
        }
        events.add(new Event(injection.endMicros, order++, null, -2 - injection.tier));
    }

    private void enter(Job job, long now) {
        int tier = PATH[job.stage];
        if (job.stage <= 2) {
            if (tier == 2 && !job.hasPool) {
                if (pooled == pool) {
                    waitingForPool.add(job);
                    return;
                }
                pooled++;
                job.hasPool = true;
            }
            job.arrived[tier] = now;
        }
        servers[tier].queue.add(job);
        start(tier, now);
    }

    private void start(int number, long now) {
        Servers tier = servers[number];
        while (now >= tier.stalledUntil && tier.working.size() < tier.count && !tier.queue.isEmpty()) {
            Job job = tier.queue.poll();
            // lognormal with a coefficient of variation of 1
            double noise = Math.exp(0.8326 * random.nextGaussian() - 0.3466);
            long work = Math.max(1, Math.round(tier.meanMicros * WORK[job.stage] * noise * ROUTES[job.route] / 1.067));
            job.finish = now + work;
            tier.working.add(job);
            spread(busy[number], now, now + work, 1.0 / tier.count);
            events.add(new Event(job.finish, order++, job, 0));
        }
    }

    private static void spread(double[] into, long from, long to, double level) {
        for (long at = from; at < to; ) {
            int window = (int) (at / SAMPLE);
            long end = Math.min(to, (window + 1) * SAMPLE);
            if (window < into.length) {
                into[window] += level * (end - at) / SAMPLE;
            }
            at = end;
        }
    }

    private void finish(Job job, long now) throws TierOverflow {
        if (now < job.finish) {
            events.add(new Event(job.finish, order++, job, 0));
            return;
        }
        int tier = PATH[job.stage];
        servers[tier].working.remove(job);
        start(tier, now);
        if (job.stage >= 2) {
            tiers.get(tier).add("GET /" + job.route, EPOCH + job.arrived[tier], EPOCH + now, true);
            if (tier == 2) {
                pooled--;
                Job next = waitingForPool.poll();
                if (next != null) {
                    enter(next, now);
                }
            }
        }
        if (++job.stage < PATH.length) {
            enter(job, now);
        }
    }

    private void sample(int windows) {
        for (int tier = 0; tier < 3; tier++) {
            for (String cause : CAUSES) {
                double[] values = noise(windows, 0.8, 0.15, 0.08);
                for (Injection injection : injections) {
                    if (injection.tier == tier && injection.cause.equals(cause)) {
                        double[] saturated = new double[windows];
                        spread(saturated, injection.startMicros, injection.endMicros, 0.8 + 0.2 * random.nextDouble());
                        for (int i = 0; i < windows; i++) {
                            values[i] = Math.min(1, values[i] + saturated[i]);
                        }
                    }
                }
                add(TIERS[tier], cause, values);
            }
            add(TIERS[tier], "cpu.busy", Arrays.copyOf(busy[tier], windows));
        }
        for (int i = 0; i < 6; i++) {
            add("other", "noise" + i, noise(windows, 0.5 + 0.08 * i, 0.4, 0.3));
        }
        for (int period : new int[] {7, 20, 100}) {
            double[] values = noise(windows, 0, 0, 0.02);
            for (int i = 0; i < windows; i++) {
                values[i] += i % period < 2 ? 1 : 0;
            }
            add("other", "periodic" + period, values);
        }
        // not a cause, but what follows: how many connections of clients are waiting
        TierQueue front = new TierQueue(tiers.get(0));
        double[] backlog = noise(windows, 0.5, 0, 1);
        for (int i = 0; i < windows; i++) {
            backlog[i] += front.at(EPOCH + (i + 1) * SAMPLE);
        }
        add("web", "tcp.backlog", backlog);
        double[] load = noise(windows, 0.5, 0, 2);
        double[] network = noise(windows, 0.9, 0, 2);
        for (int i = 0; i < windows; i++) {
            load[i] += arrivals[i];
            network[i] += 3 * arrivals[i];
        }
        add("host", "load", load);
        add("host", "network", network);
    }

    /** Autocorrelated, of the first order. */
    private double[] noise(int count, double memory, double mean, double deviation) {
        double[] values = new double[count];
        double now = 0;
        for (int i = 0; i < count; i++) {
            now = memory * now + Math.sqrt(1 - memory * memory) * random.nextGaussian();
            values[i] = Math.max(0, mean + deviation * now);
        }
        return values;
    }

    private void add(String source, String metric, double[] values) {
        long phase = random.nextInt((int) SAMPLE / 4);
        long[] micros = new long[values.length];
        for (int i = 0; i < micros.length; i++) {
            micros[i] = EPOCH + (i + 1) * SAMPLE + phase;
        }
        samples.add(new SampleSeries(source, metric, micros, values));
    }

    static long epochMicros() {
        return EPOCH;
    }
}
