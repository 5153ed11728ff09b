package dev.understudy.observatory.event;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All exchanges of one tier as columns of numbers: 16 bytes an exchange, and no object.
 *
 * <p>Confined to one thread while it is filled; may be read by any number of threads afterwards.
 */
public final class ExchangeColumns {
    /** How many exchanges a tier may have unless the caller says otherwise: 320 MB. */
    public static final int MOST = 20_000_000;

    /** Routes that are told apart; those that come later are one. */
    static final int MOST_ROUTES = 10_000;

    private static final String OTHER = "(other routes)";
    private static final int FIRST = 1024;

    private final String tier;
    private final int most;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> routes = new ArrayList<>();
    private long[] starts = new long[FIRST];
    private int[] durations = new int[FIRST];
    private int[] routeOf = new int[FIRST];
    private int size;
    private int unsure;

    public ExchangeColumns(String tier) {
        this(tier, MOST);
    }

    /**
     * None yet.
     *
     * @param tier the tier's name
     * @param most how many exchanges it may have, at least 1
     */
    public ExchangeColumns(String tier, int most) {
        if (most < 1) {
            throw new IllegalArgumentException("most: " + most + " (expected: > 0)");
        }
        this.tier = tier;
        this.most = most;
    }

    /**
     * Adds an exchange.
     *
     * @throws TierOverflow if there are as many as there may be
     */
    public void add(TierExchange exchange) throws TierOverflow {
        add(exchange.route(), exchange.startMicros(), exchange.endMicros(), exchange.sure());
    }

    /**
     * Adds an exchange. One of more than 35 minutes counts as 35 minutes.
     *
     * @throws TierOverflow if there are as many as there may be
     */
    public void add(String route, long startMicros, long endMicros, boolean sure) throws TierOverflow {
        if (size == most) {
            throw new TierOverflow(tier, most);
        }
        if (size == starts.length) {
            int larger = (int) Math.min(most, size * 2L);
            starts = Arrays.copyOf(starts, larger);
            durations = Arrays.copyOf(durations, larger);
            routeOf = Arrays.copyOf(routeOf, larger);
        }
        starts[size] = startMicros;
        durations[size] = (int) Math.max(0, Math.min(Integer.MAX_VALUE, endMicros - startMicros));
        routeOf[size] = number(route);
        unsure += sure ? 0 : 1;
        size++;
    }

    private int number(String route) {
        Integer known = numbers.get(route);
        if (known != null) {
            return known;
        }
        String name = routes.size() < MOST_ROUTES ? route : OTHER;
        return numbers.computeIfAbsent(name, added -> {
            routes.add(added);
            return routes.size() - 1;
        });
    }

    /** The tier's name. */
    public String tier() {
        return tier;
    }

    /** How many there are. */
    public int size() {
        return size;
    }

    /** How many of them were not framed as their protocol says. */
    public int unsure() {
        return unsure;
    }

    /** The routes, by number. */
    public List<String> routes() {
        return List.copyOf(routes);
    }

    /** When the request's first byte arrived, epoch microseconds. */
    public long startMicros(int index) {
        return starts[index];
    }

    /** From then to the reply's last byte, microseconds. */
    public int durationMicros(int index) {
        return durations[index];
    }

    /** When the reply's last byte had come, epoch microseconds. */
    public long endMicros(int index) {
        return starts[index] + durations[index];
    }

    /** Which of {@link #routes} it took. */
    public int route(int index) {
        return routeOf[index];
    }
}
