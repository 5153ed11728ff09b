package dev.understudy.sidecar.frame.postgres;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.tee.Sampling;
import java.util.ArrayList;
import java.util.List;

/**
 * What a client asks at once. Of a batch that isn't whole yet, more becomes known as it comes. Confined to its lane
 * loop.
 */
final class PgRequest implements Request {
    /**
     * Steps that are remembered; what a server answers to further ones is compared as if nobody knew what it answers.
     */
    private static final int MOST_STEPS = 4096;

    private static final int MOST_SHOWN = 400;
    private static final long HELD = 2048;

    private final Kind kind;
    private final List<Step> steps = new ArrayList<>();
    private final StringBuilder shown = new StringBuilder();
    private PgStatement last = PgStatement.UNKNOWN;
    private boolean untold;
    private boolean whole;
    private boolean goesOn;

    /** What it is. */
    enum Kind {
        /** For encryption, answered with a byte. */
        ENCRYPTION("ENCRYPTION"),
        STARTUP("STARTUP"),
        /** A password, or another proof of who the client is. */
        PASSWORD("PASSWORD"),
        /** Statements as text. */
        QUERY("QUERY"),
        /** Messages up to a Sync. */
        BATCH("BATCH"),
        /** What a COPY … FROM STDIN takes. */
        COPY_DATA("COPYDATA"),
        /** A function by its number. */
        FUNCTION("FUNCTION");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    /**
     * What is answered by itself.
     *
     * @param executes whether it is run; else it is described
     * @param formats of the values in its rows, where these are known beforehand
     */
    record Step(boolean executes, PgStatement statement, Formats formats) {
        private static final Step UNKNOWN = new Step(true, PgStatement.UNKNOWN, Formats.TEXT);
    }

    PgRequest(Kind kind) {
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }

    /** Another part of it. */
    void add(Step step) {
        if (steps.size() < MOST_STEPS) {
            steps.add(step);
        }
        about(step.statement());
    }

    /** It has to do with that statement. */
    void about(PgStatement statement) {
        if (statement != last) {
            last = statement;
            about(statement.shown());
        }
    }

    void about(String text) {
        if (shown.length() < MOST_SHOWN && !text.isEmpty()) {
            shown.append(shown.isEmpty() ? "" : "; ").append(text);
        }
    }

    /** The step of that number; one that nobody knows if there is none. */
    Step step(int number) {
        return number < steps.size() ? steps.get(number) : Step.UNKNOWN;
    }

    /** No more of it comes. */
    void end() {
        whole = true;
    }

    /**
     * Whether a server that is ready for a COPY's data is going to be sent it within this request: the same for both
     * servers.
     */
    boolean takesData() {
        goesOn |= !whole;
        return goesOn;
    }

    /** The debug server let the client in without it, and isn't told. */
    void keepBack() {
        untold = true;
    }

    boolean untold() {
        return untold;
    }

    private boolean runs() {
        return (kind == Kind.QUERY || kind == Kind.BATCH) && !shown.isEmpty();
    }

    @Override
    public String method() {
        int blank = shown.indexOf(" ");
        return !runs() ? kind.word : blank < 0 ? shown.toString() : shown.substring(0, blank);
    }

    @Override
    public String target(Masking masking) {
        int blank = shown.indexOf(" ");
        String text = !runs() ? shown.toString() : blank < 0 ? "" : shown.substring(blank + 1);
        return masking.statement(text);
    }

    /**
     * Whatever is said on such a connection may change what later requests mean: transactions, settings, statements.
     */
    @Override
    public Part part() {
        return Part.STATE;
    }

    @Override
    public boolean isIn(Sampling sampling) {
        return true;
    }

    @Override
    public long heldBytes() {
        return HELD;
    }
}
