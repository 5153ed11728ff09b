package dev.understudy.agent.stack;

import dev.understudy.agent.bootstrap.ExchangeKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Stacks that were taken and aren't told yet, each with its exchange; what doesn't fit is dropped and counted.
 *
 * <p>Guarded by this object.
 */
final class TakenStacks {
    static final int MOST_STACKS = 4096;
    static final int MOST_NAMES = 1 << 14;
    /** Numbers of frames in all stacks together. */
    static final int ROOM = 1 << 17;

    private Map<String, Integer> names = new LinkedHashMap<>();
    private List<Taken> stacks = new ArrayList<>();
    private int room = ROOM;
    private long taken;
    private long missed;
    private long dropped;

    /** Adds a stack, its top first. */
    synchronized void add(ExchangeKey exchange, StackTraceElement[] stack) {
        taken++;
        if (stacks.size() >= MOST_STACKS || stack.length > room || names.size() + stack.length > MOST_NAMES) {
            dropped++;
            return;
        }
        boolean cut = stack.length >= ThreadStacks.DEEPEST;
        int[] frames = new int[stack.length + (cut ? 1 : 0)];
        int at = 0;
        if (cut) {
            frames[at++] = number("(deeper)");
        }
        for (int i = stack.length - 1; i >= 0; i--) {
            frames[at++] = number(name(stack[i]));
        }
        room -= frames.length;
        stacks.add(new Taken(exchange, frames));
    }

    /** A thread had gone on to something else before its stack was there. */
    synchronized void miss() {
        missed++;
    }

    /** All that is there, which is then no longer. */
    synchronized Batch take() {
        Batch batch = new Batch(new ArrayList<>(names.keySet()), stacks);
        names = new LinkedHashMap<>();
        stacks = new ArrayList<>();
        room = ROOM;
        return batch;
    }

    synchronized long taken() {
        return taken;
    }

    synchronized long missed() {
        return missed;
    }

    synchronized long dropped() {
        return dropped;
    }

    private int number(String name) {
        Integer known = names.putIfAbsent(name, names.size());
        return known == null ? names.size() - 1 : known;
    }

    /** Without what makes another name of it in each JVM: the numbers of classes that the JVM makes. */
    static String name(StackTraceElement frame) {
        return stable(frame.getClassName()) + '.' + frame.getMethodName();
    }

    /** The same of a class; a flight recording has a plus or a dot where others have a slash. */
    static String stable(String className) {
        int address = className.indexOf("0x");
        boolean recorded = address > 0 && "+./".indexOf(className.charAt(address - 1)) >= 0;
        int hidden = recorded ? address - 1 : className.indexOf('/');
        String stable = hidden < 0 ? className : className.substring(0, hidden);
        int lambda = stable.indexOf("$$Lambda$");
        if (lambda >= 0) {
            stable = stable.substring(0, lambda + "$$Lambda".length());
        }
        int accessor = stable.indexOf("Accessor");
        if (accessor >= 0 && stable.startsWith("jdk.internal.reflect.Generated")) {
            stable = stable.substring(0, accessor + "Accessor".length());
        }
        return stable;
    }

    /** What was taken since the last time. */
    static final class Batch {
        final List<String> names;
        final List<Taken> stacks;

        Batch(List<String> names, List<Taken> stacks) {
            this.names = names;
            this.stacks = stacks;
        }
    }

    /** One stack: the numbers of its frames' names, the thread's first one first. */
    static final class Taken {
        final ExchangeKey exchange;
        final int[] frames;

        Taken(ExchangeKey exchange, int[] frames) {
            this.exchange = exchange;
            this.frames = frames;
        }
    }
}
