package dev.understudy.sidecar.frame.redis;

import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.frame.FrameSession;
import dev.understudy.sidecar.frame.Opening;
import dev.understudy.sidecar.frame.ReplyCopy;
import dev.understudy.sidecar.frame.Request;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who a Redis connection is, which database it selected and what else it told the server of itself, as the commands
 * that production agreed to, in the client's own words; and whether it is in a transaction. Confined to its lane loop.
 *
 * <p>Holds at most {@value #MOST_HELD} bytes of commands, charged to the lane's budget. A command that isn't kept, or
 * that was queued in a transaction, leaves the parts that it may have set unsure until they are set again.
 */
final class RedisSession implements FrameSession {
    static final int MOST_HELD = 16 * 1024;

    private static final int OVERHEAD = 256;
    private static final Set<String> TRANSACTION = Set.of("MULTI", "EXEC", "DISCARD", "WATCH", "UNWATCH", "RESET");

    private final MemoryBudget budget;
    private final Deque<Asked> unanswered = new ArrayDeque<>();
    private final List<Asked> agreed = new ArrayList<>();
    private final Set<SessionPart> unsure = EnumSet.noneOf(SessionPart.class);
    private int held;
    private boolean within;
    private boolean watching;
    private boolean asking;
    private boolean released;

    /** A command that may change the session; its words are null if they aren't kept. */
    private record Asked(
            String name,
            Set<SessionPart> sets,
            byte @Nullable [] words,
            RedisReplyCopy production,
            RedisReplyCopy debug) {}

    RedisSession(MemoryBudget budget) {
        this.budget = budget;
    }

    @Override
    public void asked(Request request, ByteBuf bytes, ReplyCopy production, ReplyCopy debug) {
        settle();
        RedisRequest command = (RedisRequest) request;
        String name = command.method();
        asking = name.equals("ASKING");
        Set<SessionPart> sets = SessionPart.of(command.command());
        if (!released && (!sets.isEmpty() || TRANSACTION.contains(name))) {
            byte[] words = sets.isEmpty() || sets.contains(SessionPart.OTHER) ? null : kept(command, bytes);
            unanswered.add(new Asked(name, sets, words, (RedisReplyCopy) production, (RedisReplyCopy) debug));
        }
    }

    private byte @Nullable [] kept(RedisRequest command, ByteBuf bytes) {
        int charge = OVERHEAD + bytes.readableBytes();
        if (!command.whole() || held + charge > MOST_HELD || !budget.tryReserve(charge)) {
            return null;
        }
        held += charge;
        return ByteBufUtil.getBytes(bytes);
    }

    /**
     * Only where the next command stands for itself: no earlier one is without its answer that could change its
     * meaning.
     */
    @Override
    public @Nullable Opening opening() {
        settle();
        boolean sure = unanswered.isEmpty() && unsure.isEmpty();
        if (released || !sure || within || watching || asking) {
            return null;
        }
        return new RedisOpening(
                agreed.stream().map(Asked::words).filter(words -> words != null).toList(),
                agreed.stream().map(asked -> asked.debug().isRefusal()).toList());
    }

    /** What production has answered by now counts. */
    private void settle() {
        for (Asked first = unanswered.peek();
                first != null && first.production().complete();
                first = unanswered.peek()) {
            unanswered.remove();
            boolean done =
                    !first.production().isRefusal() && !first.production().isQueued();
            switch (first.name()) {
                case "MULTI" -> within |= done;
                case "WATCH" -> watching |= done;
                case "UNWATCH" -> watching &= !done;
                case "EXEC", "DISCARD" -> {
                    // an EXEC that is refused within a transaction ends it, too
                    boolean over = done || (within && first.name().equals("EXEC"));
                    within &= !over;
                    watching &= !over;
                }
                case "RESET" -> {
                    if (done) {
                        clear();
                    }
                }
                default -> set(first);
            }
        }
    }

    private void set(Asked asked) {
        if (asked.production().isRefusal()) {
            forget(asked);
        } else if (asked.production().isQueued() || asked.words() == null) {
            forget(asked);
            unsure.addAll(asked.sets());
        } else {
            unsure.removeAll(asked.sets());
            place(asked);
        }
    }

    /**
     * Takes the place of the first command that it overrides, so that a later login precedes what needed the earlier
     * one; or comes last, if one in between sets some of the same.
     */
    private void place(Asked asked) {
        int place = agreed.size();
        for (int at = agreed.size() - 1; at >= 0; at--) {
            Asked earlier = agreed.get(at);
            if (asked.sets().containsAll(earlier.sets())) {
                place = at;
            } else if (!Collections.disjoint(asked.sets(), earlier.sets())) {
                break;
            }
        }
        for (int at = agreed.size() - 1; at >= place; at--) {
            if (asked.sets().containsAll(agreed.get(at).sets())) {
                forget(agreed.remove(at));
            }
        }
        agreed.add(place, asked);
    }

    private void clear() {
        agreed.forEach(this::forget);
        agreed.clear();
        unsure.clear();
        within = false;
        watching = false;
    }

    private void forget(Asked asked) {
        byte[] words = asked.words();
        if (words != null) {
            held -= OVERHEAD + words.length;
            budget.release(OVERHEAD + words.length);
            Arrays.fill(words, (byte) 0);
        }
    }

    @Override
    public void release() {
        released = true;
        clear();
        unanswered.forEach(this::forget);
        unanswered.clear();
    }
}
