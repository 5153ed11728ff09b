package dev.understudy.standin.trace;

import dev.understudy.divergence.content.Folding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The spans that were read, by their traces; at most 5,000,000 of them. Confined to one thread. */
public final class TraceStore {
    static final int MOST_SPANS = 5_000_000;
    /** Services beyond those that are told apart. */
    public static final String OTHER_SERVICES = "(other services)";
    /** Routes beyond those that are told apart. */
    public static final String OTHER_ROUTES = "(other routes)";

    private static final String NO_NAME = "(no name)";
    private static final int MOST_TEXTS = 200_000;

    private final int most;
    private final Map<TraceKey, List<TracedSpan>> traces = new LinkedHashMap<>();
    private final SharedTexts texts = new SharedTexts(MOST_TEXTS);
    private long spans;
    private long leftOut;
    private long unusable;

    /** Nothing yet. */
    public TraceStore() {
        this(MOST_SPANS);
    }

    TraceStore(int most) {
        this.most = most;
    }

    /** How many spans there were, with those that are left out. */
    long seen() {
        return spans + leftOut + unusable;
    }

    /** How many more it takes. */
    long room() {
        return most - spans;
    }

    /** Counts a span that there was no room for. */
    void leaveOut() {
        leftOut++;
    }

    /**
     * Takes a span, if there is room.
     *
     * @param service whose it is; null if that isn't said
     */
    void add(SpanDraft draft, @Nullable String service) {
        if (!draft.isUsable()) {
            unusable++;
        } else if (spans >= most) {
            leftOut++;
        } else {
            spans++;
            traces.computeIfAbsent(TraceKey.of(draft.trace), first -> new ArrayList<>(2))
                    .add(span(draft, service == null ? NO_NAME : Folding.shortened(service, SpanNames.LONGEST)));
        }
    }

    private TracedSpan span(SpanDraft draft, String service) {
        boolean calling = draft.role.isCalling();
        String peer = calling ? SpanNames.peer(draft) : "";
        return new TracedSpan(
                TraceKey.number(draft.id),
                TraceKey.number(draft.parent),
                draft.role,
                texts.of(service, OTHER_SERVICES),
                texts.of(SpanNames.route(draft), OTHER_ROUTES),
                texts.of(peer, OTHER_SERVICES),
                calling ? SpanNames.peerKind(draft) : NodeKind.PEER,
                draft.start,
                Math.max(draft.start, draft.end));
    }

    /** The spans of each trace, in the order in which they came. */
    public Collection<List<TracedSpan>> traces() {
        return traces.values();
    }

    /** What wasn't taken, in sentences; empty if everything was. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (leftOut > 0) {
            notes.add(leftOut + " spans are left out (at most " + most + " are held)");
        }
        if (unusable > 0) {
            notes.add(unusable + " spans are left out, since they have no ids or times");
        }
        return notes;
    }
}
