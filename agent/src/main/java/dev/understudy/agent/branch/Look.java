package dev.understudy.agent.branch;

import dev.understudy.agent.branch.BranchValue.At;
import dev.understudy.agent.branch.BranchValue.Kind;
import java.util.Objects;

/** A look at one value of a method, at one place of its code. Immutable. */
final class Look {
    /** Of a value that isn't in a slot but on the stack. */
    static final int ON_STACK = -1;

    final int line;
    final At at;
    final Kind kind;
    final String name;
    final String other;
    /** One of the kinds of {@link Slots}. */
    final char type;

    final int slot;
    /** Of a pair, where the other is. */
    final int beside;

    Look(int line, At at, Kind kind, String name, String other, char type, int slot, int beside) {
        this.line = line;
        this.at = at;
        this.kind = kind;
        this.name = name;
        this.other = other;
        this.type = type;
        this.slot = slot;
        this.beside = beside;
    }

    BranchValue value(String className, String method, SourceLines lines) {
        return new BranchValue(className, method, lines.line(line), at, kind, name, other);
    }

    /** The same for the same code. */
    int shape() {
        return Objects.hash(line, at.name(), kind.name(), name, other, slot);
    }
}
