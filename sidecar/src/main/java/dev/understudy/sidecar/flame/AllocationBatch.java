package dev.understudy.sidecar.flame;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Allocations that an agent's JVM has sampled.
 *
 * @param name the agent's
 * @param perSecond how many samples there may be in a second
 * @param samples how many there were
 * @param bytes for how many bytes they stand
 * @param dropped samples that are in none of the stacks
 * @param allocated how many bytes the JVM allocated meanwhile, sampled or not; -1 if it can't tell
 * @param names of frames, and of what was made
 */
public record AllocationBatch(
        String name,
        int perSecond,
        long samples,
        long bytes,
        long dropped,
        long allocated,
        List<String> names,
        List<Stack> stacks) {
    public AllocationBatch {
        names = List.copyOf(names);
        stacks = List.copyOf(stacks);
    }

    /**
     * One stack.
     *
     * @param key of its exchange, as {@link RecentExchanges#key} makes it; empty if nothing is known of it
     * @param nobodys whether it is known that it is of no exchange
     * @param samples how many it is from
     * @param bytes for how many it stands
     * @param frames the thread's first one first, what was made at the end
     */
    public record Stack(String key, boolean nobodys, long samples, long bytes, int[] frames) {}

    /**
     * Reads what an agent has sent.
     *
     * @throws IllegalArgumentException if it can't be read
     */
    public static AllocationBatch read(JsonNode document) {
        List<String> names = StackBatch.names(document);
        List<Stack> stacks = new ArrayList<>();
        for (JsonNode stack : StackBatch.array(document, "stacks", StackBatch.MOST_STACKS)) {
            stacks.add(new Stack(
                    StackBatch.key(stack),
                    stack.path("exchange").asText().equals("none"),
                    count(stack, "samples"),
                    count(stack, "bytes"),
                    StackBatch.frames(stack, names.size())));
        }
        return new AllocationBatch(
                StackBatch.shortened(document.path("name").asText()),
                (int) Math.min(Integer.MAX_VALUE, count(document, "perSecond")),
                count(document, "samples"),
                count(document, "bytes"),
                count(document, "dropped"),
                document.has("allocated") ? count(document, "allocated") : -1,
                names,
                stacks);
    }

    private static long count(JsonNode document, String name) {
        JsonNode count = document.path(name);
        if (!count.canConvertToLong() || !count.isIntegralNumber() || count.longValue() < 0) {
            throw new IllegalArgumentException(
                    name + ": " + (count.isMissingNode() ? "none" : count.getNodeType()) + " (expected: a count)");
        }
        return count.longValue();
    }
}
