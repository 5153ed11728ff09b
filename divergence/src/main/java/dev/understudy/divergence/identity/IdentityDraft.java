package dev.understudy.divergence.identity;

import dev.understudy.divergence.content.Folding;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one comparison learns, before it is known whether the replies are about the same things. Confined to one thread.
 *
 * <p>Where replies really differ, a key of one may stand beside an unrelated key of the other. Then only session ids
 * and tokens are kept, which belong to no record.
 *
 * <p>Evidence is counted by route and place. Where both sides have mostly shown the same, nothing is learned. What a
 * reading request (GET, HEAD, OPTIONS) shows is learned only where the two sides have differed before, or where the
 * place's name says that it belongs to a session or to this reply: else it may be another record.
 */
public final class IdentityDraft {
    /** Characters of the shortest value that may be one; {@link #sharedAt} needn't be given shorter ones. */
    public static final int SHORTEST = OpaqueValue.MIN_LENGTH;

    private static final int MOST_UNPROVEN = 1000;
    private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");

    private final IdentityMap identities;
    private final String request;
    /** A hash; 0 until it is needed, as in most comparisons it isn't. */
    private long route;

    // empty and shared until something is learned, as in most comparisons nothing is
    private Map<String, Learned> toDebug = Map.of();
    private Map<String, String> toProduction = Map.of();
    private Set<Long> agreed = Set.of();
    private Set<Long> differed = Set.of();
    /** Pairs that nothing speaks against but that their places have been seen too seldom, by path. */
    private Map<String, Unproven> unproven = Map.of();

    private record Learned(String debug, long place) {}

    private record Unproven(String production, String debug, long place) {}

    /** One for a request that nobody knows. */
    public IdentityDraft(IdentityMap identities) {
        this(identities, "");
    }

    /** @param request method and target */
    public IdentityDraft(IdentityMap identities, String request) {
        this.identities = identities;
        this.request = request;
    }

    /** As {@link IdentityMap#learn(String, String)}, at once, for a cookie, whose name says what belongs together. */
    public boolean learnCookie(String path, String production, String debug) {
        long place = differed(path, production, debug);
        return identities.learn(place, production, debug);
    }

    /** As {@link IdentityMap#replace}, at once, for a cookie of which debug wants its own value back. */
    public void replaceCookie(String path, String production, String debug) {
        boolean common = identities.standing(place(path)) == PlaceEvidence.Standing.COMMON;
        identities.replace(production, debug, !common);
    }

    /** As {@link IdentityMap#replace}, at once. */
    public void replace(String production, String debug) {
        identities.replace(production, debug);
    }

    /**
     * As {@link IdentityMap#learn(String, String)}, more careful: refuses content hashes, what isn't clearly random
     * where the place isn't clearly an identity's, and what the place speaks against. Counts in this draft; for others
     * only after {@link #commit}.
     *
     * @param path of the values in the reply
     * @param name of the JSON member or header that holds them
     */
    public boolean learnAt(CharSequence path, String name, String production, String debug) {
        if (IdentityPlace.holdsContentHash(name)) {
            return false;
        }
        Learned known = toDebug.get(production);
        if (known != null || toProduction.containsKey(debug)) {
            return known != null && known.debug.equals(debug);
        }
        String lasting = identities.explanationOf(production);
        if (lasting != null) {
            return lasting.equals(debug);
        }
        long place = differed(path, production, debug);
        PlaceEvidence.Standing standing = identities.standing(place);
        boolean token = IdentityPlace.holdsToken(name);
        boolean atFirstSight = token || !reads() || IdentityPlace.holdsReplyName(name) || name.equals("Location");
        if (standing == PlaceEvidence.Standing.COMMON) {
            return false;
        }
        if (standing == PlaceEvidence.Standing.UNKNOWN && !atFirstSight) {
            unproven = unproven.isEmpty() ? new HashMap<>() : unproven;
            if (unproven.size() < MOST_UNPROVEN && OpaqueValue.alike(production, debug, false)) {
                unproven.put(path.toString(), new Unproven(production, debug, place));
            }
            return false;
        }
        if (token) {
            return identities.learn(place, production, debug);
        }
        if (!identities.couldLearn(production, debug, IdentityPlace.holdsIdentity(name))) {
            return false;
        }
        toDebug = toDebug.isEmpty() ? new LinkedHashMap<>() : toDebug;
        toProduction = toProduction.isEmpty() ? new HashMap<>() : toProduction;
        toDebug.put(production, new Learned(debug, place));
        toProduction.put(debug, production);
        return true;
    }

    /**
     * As {@link IdentityMap#shared(String)}, at once.
     *
     * @return whether it looks like an identity, so that {@link #agreedAt} should be told of its place
     */
    public boolean shared(String text) {
        identities.shared(text);
        return text.length() >= SHORTEST && OpaqueValue.isOpaque(text);
    }

    /** Both sides show the same identity at a place: what stands there comes from a common source. */
    public void agreedAt(CharSequence path) {
        agreed = agreed.isEmpty() ? new HashSet<>() : agreed;
        agreed.add(place(path));
    }

    /** Both sides show this text alike at a place. */
    public void sharedAt(CharSequence path, String text) {
        if (shared(text)) {
            agreedAt(path);
        }
    }

    /** As {@link IdentityMap#shared(byte[])}, at once. */
    public void shared(byte[] text) {
        identities.shared(text);
    }

    /** Whether two equal replies are worth looking into, for {@link #sharedAt}. */
    public boolean wantsEqual() {
        return identities.wantsEqual(route());
    }

    /** The text with every value of production replaced by debug's, as far as either this draft or the map knows. */
    public String translate(String text) {
        boolean unknown = toDebug.isEmpty() && identities.size() == 0;
        return unknown ? text : Translation.ofText(text, this::debugValueOf);
    }

    private @Nullable String debugValueOf(String production) {
        Learned drafted = toDebug.get(production);
        return drafted != null ? drafted.debug : identities.explanationOf(production);
    }

    /**
     * Ends the draft. What was learned counts for others if the replies are about the same things: nothing differs
     * really, but for values whose places have been seen too seldom.
     *
     * @param real the paths of what differs, and not by noise
     */
    public void commit(Collection<String> real) {
        if (unproven.keySet().containsAll(real)) {
            toDebug.forEach((production, learned) -> identities.learn(learned.place, production, learned.debug));
            unproven.values().forEach(pair -> identities.rewrite(pair.place, pair.production, pair.debug));
        } else {
            differed = Set.of();
        }
        if (!agreed.isEmpty() || !differed.isEmpty()) {
            identities.observe(route(), agreed, differed);
        }
    }

    private long differed(CharSequence path, String production, String debug) {
        long place = place(path);
        boolean opaque = OpaqueValue.isOpaque(production) && OpaqueValue.isOpaque(debug);
        if (opaque && !identities.knows(production, debug)) {
            differed = differed.isEmpty() ? new HashSet<>() : differed;
            differed.add(place);
        }
        return place;
    }

    /** Without the numbers of items: {@code body.items[3].id} is where {@code body.items[0].id} is. */
    private long place(CharSequence path) {
        long hash = route();
        boolean digits = false;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            digits = c == '[' || (digits && c >= '0' && c <= '9');
            hash = digits && c != '[' ? hash : step(hash, c);
        }
        return hash == 0 ? 1 : hash;
    }

    private long route() {
        if (route == 0) {
            String name = Folding.route(request);
            long hash = 1;
            for (int i = 0; i < name.length(); i++) {
                hash = step(hash, name.charAt(i));
            }
            route = hash == 0 ? 1 : hash;
        }
        return route;
    }

    private boolean reads() {
        int blank = request.indexOf(' ');
        return blank > 0 && READS.contains(request.substring(0, blank));
    }

    private static long step(long hash, char c) {
        long mixed = (hash ^ c) * 0x9E3779B97F4A7C15L;
        return mixed ^ (mixed >>> 29);
    }
}
