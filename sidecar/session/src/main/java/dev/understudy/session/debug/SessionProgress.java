package dev.understudy.session.debug;

import java.io.PrintWriter;
import java.util.Locale;

/** What a session prints: each step with its time, then a live line that overwrites itself on a terminal. */
public final class SessionProgress {
    private final PrintWriter out;
    private final boolean isTerminal;
    private final long begunNanos = System.nanoTime();
    private SessionStep step = SessionStep.PLANNED;
    private boolean hasLine;
    private String shown = "";

    SessionProgress(PrintWriter out, boolean isTerminal) {
        this.out = out;
        this.isTerminal = isTerminal;
    }

    /** For a further copy on the same stage: its steps and their times begin anew. */
    SessionProgress again() {
        line("");
        SessionProgress next = new SessionProgress(out, isTerminal);
        next.step = SessionStep.REDIRECTED;
        return next;
    }

    /** A step is done. */
    void reached(SessionStep next, String detail) {
        if (next.compareTo(step) <= 0) {
            throw new IllegalStateException(step + " to " + next);
        }
        step = next;
        line(String.format(
                Locale.ROOT,
                "%6.1f s  %s%s",
                (System.nanoTime() - begunNanos) / 1e9,
                next.text(),
                detail.isEmpty() ? "" : ": " + detail));
    }

    /** How far it has come. */
    SessionStep step() {
        return step;
    }

    /** Something that the user should know. */
    public void line(String text) {
        if (hasLine) {
            out.println();
            hasLine = false;
        }
        out.println(text);
        out.flush();
    }

    /** How it fares now; not on a terminal only if that has changed. */
    public void live(String text) {
        if (text.equals(shown)) {
            return;
        }
        shown = text;
        if (isTerminal) {
            out.print("\r\u001b[K" + text);
            hasLine = true;
        } else {
            out.println(text);
        }
        out.flush();
    }
}
