package dev.understudy.divergence.identity;

import dev.understudy.divergence.content.MediaType;
import dev.understudy.divergence.wire.http.RequestHead;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which value of production stands for which value of debug: one to one, bounded, least recently used out first.
 *
 * <p>Only values that a random generator must have made are learned, and none that both sides have shown alike.
 * A pair is taken on first sight: two opaque values in the same place that came from a common source and were never
 * seen alike are mistaken for a pair once, and no longer after they were. Thread-safe.
 */
public final class IdentityMap {
    private static final int MEAN_LENGTH = 256;
    private static final int SHARED_PER_PAIR = 8;
    private static final int MAX_SHARED = 1 << 17;

    private final int capacity;
    private final long maxChars;
    private final Object lock = new Object(); // guards all below
    private final Map<String, String> toDebug = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, String> toProduction = new HashMap<>();
    private final SharedValues shared;
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
        synchronized (lock) {
            String known = toDebug.get(production);
            if (known != null) {
                return known.equals(debug) && trusted(production, debug);
            }
            if (!learnable(production, debug, true)) {
                return false;
            }
            put(production, debug);
            return true;
        }
    }

    /** Whether the pair is new and could be learned. */
    boolean couldLearn(String production, String debug, boolean weakToo) {
        synchronized (lock) {
            return !toDebug.containsKey(production) && learnable(production, debug, weakToo);
        }
    }

    /** Relates two values for later requests even where one stood for something else before: the newest counts. */
    public void replace(String production, String debug) {
        synchronized (lock) {
            drop(production);
            String former = toProduction.get(debug);
            if (former != null) {
                drop(former);
            }
            if (learnable(production, debug, true)) {
                put(production, debug);
            }
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
            String debug = toDebug.get(production);
            return debug != null && trusted(production, debug) ? debug : null;
        }
    }

    /** The text with every known value of production replaced by debug's; the same object if there is none. */
    public String translate(String text) {
        return size == 0 ? text : Translation.ofText(text, this::debugValueOf);
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
                && !shared.containsTokenOf(production)
                && !shared.containsTokenOf(debug);
    }

    /** Drops a pair of which a value has turned out to be common. */
    private boolean trusted(String production, String debug) {
        if (shared.containsTokenOf(production) || shared.containsTokenOf(debug)) {
            drop(production);
            return false;
        }
        return true;
    }

    private void put(String production, String debug) {
        toDebug.put(production, debug);
        toProduction.put(debug, production);
        chars += production.length() + debug.length();
        Iterator<Map.Entry<String, String>> eldest = toDebug.entrySet().iterator();
        while ((toDebug.size() > capacity || chars > maxChars) && toDebug.size() > 1) {
            Map.Entry<String, String> entry = eldest.next();
            toProduction.remove(entry.getValue());
            chars -= entry.getKey().length() + entry.getValue().length();
            eldest.remove();
        }
        size = toDebug.size();
    }

    private void drop(String production) {
        String debug = toDebug.remove(production);
        if (debug != null) {
            toProduction.remove(debug);
            chars -= production.length() + debug.length();
            size = toDebug.size();
        }
    }
}
