package dev.understudy.observatory.store;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the rows of an answer go, in their order. Called by one thread. */
public interface ResultSink {
    /** Called once, before the rows. */
    void columns(List<String> names) throws IOException;

    /**
     * One row.
     *
     * @param values as many as there are columns: a {@code Number}, a {@code Boolean}, a {@code String}, or null
     * @return whether more are wanted
     */
    boolean row(List<@Nullable Object> values) throws IOException;

    /** Called once, after the last row that was wanted. */
    void end() throws IOException;
}
