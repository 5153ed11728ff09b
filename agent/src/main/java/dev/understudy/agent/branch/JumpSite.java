package dev.understudy.agent.branch;

/**
 * What a number stands for that is told of the inside of a method: a {@link BranchSite}, {@link BranchValue} or
 * {@link LockPlace}. Immutable.
 */
public abstract class JumpSite {
    private final String className;
    private final String method;
    private final BranchLine line;

    JumpSite(String className, String method, BranchLine line) {
        this.className = className;
        this.method = method;
        this.line = line;
    }

    /** The class's name with dots. */
    public final String className() {
        return className;
    }

    /** The method's name, with its parameters if there are several of that name. */
    public final String method() {
        return method;
    }

    /** The line it stands in; 0 if that isn't known, or where the method begins. */
    public final int line() {
        return line.number;
    }

    /**
     * What the number of the line stands for, such as {@code 7 of Inlined.kt}; empty if it is a line of the class's own
     * source.
     */
    public final String source() {
        return line.source;
    }
}
