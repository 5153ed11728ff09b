package dev.understudy.agent.reach;

import java.util.Set;

/** What can be reached from some methods. Immutable. */
public final class Reached {
    /** Nothing yet. */
    static final Reached NOTHING = new Reached(Set.of(), 0, 0);

    private final Set<String> methods;
    private final int roots;
    private final int notFollowed;

    Reached(Set<String> methods, int roots, int notFollowed) {
        this.methods = Set.copyOf(methods);
        this.roots = roots;
        this.notFollowed = notFollowed;
    }

    /** Whether the method is among them, which is written as a probe is. */
    public boolean contains(String method) {
        return methods.contains(method);
    }

    /** How many methods there are, those that it began with included. */
    public int size() {
        return methods.size();
    }

    /** With how many it began. */
    public int roots() {
        return roots;
    }

    /** How many more were seen to be called whose own calls weren't looked at, since there were too many. */
    public int notFollowed() {
        return notFollowed;
    }

    boolean sameAs(Reached other) {
        return methods.equals(other.methods) && notFollowed == other.notFollowed;
    }
}
