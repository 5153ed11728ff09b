package dev.understudy.divergence.identity;

import dev.understudy.divergence.content.MediaType;
import dev.understudy.divergence.wire.http.RequestHead;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which value of production stands for which value of debug: one to one, bounded, least recently used out first.
 *
 * <p>Only values that a random generator must have made are learned, and none that both sides have shown alike. A pair
 * belongs to the place where it was learned: when that turns out to show the same on both sides, the pair is withdrawn.
 * Thread-safe.
 */
public final class IdentityMap {
    private static final int MEAN_LENGTH = 256;
    private static final int SHARED_PER_PAIR = 8;
    private static final int MAX_SHARED = 1 << 17;
    /** Of pairs that no place speaks for or against. */
    private static final long NOWHERE = 0;

    /** @param explains whether a difference between the two is none; else requests are rewritten only */
    private record Pair(String debug, long place, boolean explains) {}

    private final int capacity;
    private final long maxChars;
    private final Object lock = new Object(); // guards all below
    private final Map<String, Pair> toDebug = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, String> toProduction = new HashMap<>();
    private final SharedValues shared;
    private final PlaceEvidence evidence = new PlaceEvidence();
    private long chars;
    private volatile int size;

    /** @param capacity the most pairs kept; longer values than usual count for more */
    public IdentityMap(int capacity) {
        if (capacity <= 0) {
            throw new IllegalArgumentException("capacity: " + capacity + " (expected: > 0)");
        }
        this.capacity = capacity;
        maxChars = (long) capacity * MEAN_LENGTH;
        shared = new SharedValues((int) Math.min(MAX_SHARED, (long) capacity * SHARED_PER_PAIR));
    }

    /**
     * Relates two values that stood in the same place.
     *
     * @return whether they stand for each other now; false if they are short or guessable, come from a common source,
     *     or one of them already stands for something else
     */
    public boolean learn(String production, String debug) {
        return learn(NOWHERE, production, debug);
    }

    /** As {@link #learn(String, String)}, at a place for whose sake the pair may be withdrawn. */
    boolean learn(long place, String production, String debug) {
        synchronized (lock) {
            Pair known = toDebug.get(production);
            if (known != null && (known.explains || !mayExplain(known, debug))) {
                return known.debug.equals(debug) && known.explains && trusted(production, known);
            }
            if (known != null) {
                drop(production);
            }
            if (evidence.of(place) == PlaceEvidence.Standing.COMMON || !learnable(production, debug, true)) {
                return false;
            }
            put(production, new Pair(debug, place, true));
            return true;
        }
    }

    /** Whether a pair that only rewrites requests would explain a difference, were its place known to be made up. */
    private static boolean mayExplain(Pair known, String debug) {
        return !known.explains && known.place != NOWHERE && known.debug.equals(debug);
    }

    /** Relates two values for later requests, if nothing is known of either: no difference is explained by it yet. */
    void rewrite(long place, String production, String debug) {
        synchronized (lock) {
            if (!toDebug.containsKey(production) && learnable(production, debug, false)) {
                put(production, new Pair(debug, place, false));
            }
        }
    }

    /** Whether these two stand for each other, be it for requests only. */
    boolean knows(String production, String debug) {
        synchronized (lock) {
            Pair known = toDebug.get(production);
            return known != null && known.debug.equals(debug);
        }
    }

    /** Whether the pair could be learned: it is new, or didn't explain a difference before. */
    boolean couldLearn(String production, String debug, boolean weakToo) {
        synchronized (lock) {
            Pair known = toDebug.get(production);
            return known == null ? learnable(production, debug, weakToo) : mayExplain(known, debug);
        }
    }

    /** Relates two values for later requests even where one stood for something else before: the newest counts. */
    public void replace(String production, String debug) {
        replace(production, debug, true);
    }

    /** @param explains whether a difference between the two is none from now on */
    void replace(String production, String debug, boolean explains) {
        synchronized (lock) {
            drop(production);
            String former = toProduction.get(debug);
            if (former != null) {
                drop(former);
            }
            if (learnable(production, debug, true)) {
                put(production, new Pair(debug, NOWHERE, explains));
            }
        }
    }

    /** What is known of a place. */
    PlaceEvidence.Standing standing(long place) {
        synchronized (lock) {
            return evidence.of(place);
        }
    }

    /** Whether an equal reply of that route is worth looking into. */
    boolean wantsEqual(long route) {
        synchronized (lock) {
            return evidence.wantsEqual(route);
        }
    }

    /** Takes down what one exchange has shown at the places of a route. */
    void observe(long route, Set<Long> agreed, Set<Long> differed) {
        synchronized (lock) {
            agreed.forEach(evidence::agreed);
            differed.forEach(place -> evidence.differed(route, place));
        }
    }

    /** Both sides have shown this text alike: its tokens come from a common source. */
    public void shared(String text) {
        if (text.length() >= OpaqueValue.MIN_LENGTH) {
            synchronized (lock) {
                shared.addTokens(text);
            }
        }
    }

    /** As {@link #shared(String)}, for a text in any encoding that contains ASCII. */
    public void shared(byte[] text) {
        synchronized (lock) {
            shared.addTokens(text);
        }
    }

    /** What stands for this value on the debug side, or null if nothing is known. */
    public @Nullable String debugValueOf(String production) {
        if (size == 0 || production.length() < OpaqueValue.MIN_LENGTH) {
            return null;
        }
        synchronized (lock) {
            Pair pair = toDebug.get(production);
            return pair != null && trusted(production, pair) ? pair.debug : null;
        }
    }

    /** As {@link #debugValueOf}, if that explains a difference. */
    @Nullable
    String explanationOf(String production) {
        if (size == 0 || production.length() < OpaqueValue.MIN_LENGTH) {
            return null;
        }
        synchronized (lock) {
            Pair pair = toDebug.get(production);
            return pair != null && pair.explains && trusted(production, pair) ? pair.debug : null;
        }
    }

    /**
     * The head with production's values replaced by debug's in cookies, other headers and target; the same object
     * if there is none.
     */
    public RequestHead rewrite(RequestHead head) {
        return size == 0 ? head : Translation.ofHead(head, this::debugValueOf);
    }

    /**
     * The body of a request with production's values replaced by debug's, whose length may differ; the same array if
     * there is none.
     */
    public byte[] rewrite(MediaType type, byte[] body) {
        boolean unknown = size == 0 || body.length < OpaqueValue.MIN_LENGTH || !reads(type);
        return unknown ? body : BodyTranslation.ofBody(type, body, this::debugValueOf);
    }

    /** Whether {@link #rewrite(MediaType, byte[])} looks into bodies of that type. */
    public static boolean reads(MediaType type) {
        return BodyTranslation.reads(type);
    }

    /** Forgets all pairs: either side has begun anew. What both have shown alike stays known. */
    public void clear() {
        synchronized (lock) {
            toDebug.clear();
            toProduction.clear();
            chars = 0;
            size = 0;
        }
    }

    /** The number of pairs known. */
    public int size() {
        return size;
    }

    private boolean learnable(String production, String debug, boolean weakToo) {
        return !production.equals(debug)
                && !toProduction.containsKey(debug)
                && !toDebug.containsKey(debug)
                && !toProduction.containsKey(production)
                && OpaqueValue.alike(production, debug, weakToo)
                && !shared.contains(production)
                && !shared.contains(debug);
    }

    /** Drops a pair of which a value, or the place, has turned out to be common. */
    private boolean trusted(String production, Pair pair) {
        if (evidence.of(pair.place) == PlaceEvidence.Standing.COMMON
                || shared.contains(production)
                || shared.contains(pair.debug)) {
            drop(production);
            return false;
        }
        return true;
    }

    private void put(String production, Pair pair) {
        toDebug.put(production, pair);
        toProduction.put(pair.debug, production);
        chars += production.length() + pair.debug.length();
        Iterator<Map.Entry<String, Pair>> eldest = toDebug.entrySet().iterator();
        while ((toDebug.size() > capacity || chars > maxChars) && toDebug.size() > 1) {
            Map.Entry<String, Pair> entry = eldest.next();
            toProduction.remove(entry.getValue().debug);
            chars -= entry.getKey().length() + entry.getValue().debug.length();
            eldest.remove();
        }
        size = toDebug.size();
    }

    private void drop(String production) {
        Pair pair = toDebug.remove(production);
        if (pair != null) {
            toProduction.remove(pair.debug);
            chars -= production.length() + pair.debug.length();
            size = toDebug.size();
        }
    }
}
