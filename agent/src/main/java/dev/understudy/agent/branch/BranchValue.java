package dev.understudy.agent.branch;

import java.util.Locale;

/** A value of a method at one place, or two that are compared there. Immutable. */
public final class BranchValue extends JumpSite {
    private final At at;
    private final Kind kind;
    private final String name;
    private final String other;

    BranchValue(String className, String method, BranchLine line, At at, Kind kind, String name, String other) {
        super(className, method, line);
        this.at = at;
        this.kind = kind;
        this.name = name;
        this.other = other;
    }

    /** When the method has it: {@code entry}, {@code store} or {@code return}. */
    public String at() {
        return at.name().toLowerCase(Locale.ROOT);
    }

    /** What is told of it: {@code number}, {@code truth}, {@code object} or {@code pair}. */
    public String kind() {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** The name of the argument, variable or field; empty for what is returned. */
    public String name() {
        return name;
    }

    /** Of a pair, what it is compared with; else empty. */
    public String other() {
        return other;
    }

    /** When a method has a value. */
    enum At {
        ENTRY,
        STORE,
        RETURN
    }

    /** What can be told of a value. */
    enum Kind {
        NUMBER,
        TRUTH,
        OBJECT,
        PAIR
    }
}
