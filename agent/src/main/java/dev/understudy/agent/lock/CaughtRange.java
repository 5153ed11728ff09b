package dev.understudy.agent.lock;

import net.bytebuddy.jar.asm.Label;

/** Code whose exceptions are caught, as its labels are passed one after the other. For one method. */
final class CaughtRange {
    private final Label start;
    private final Label end;
    private final Label handler;
    private boolean inside;
    private boolean inHandler;

    CaughtRange(Label start, Label end, Label handler) {
        this.start = start;
        this.end = end;
        this.handler = handler;
    }

    @SuppressWarnings("ReferenceEquality") // a label has no other identity
    void passes(Label label) {
        inside = label == start || (inside && label != end);
        inHandler = inside && (inHandler || label == handler);
    }

    /** Whether the code that comes now is both covered and part of what handles its exceptions. */
    boolean isInHandler() {
        return inHandler;
    }
}
