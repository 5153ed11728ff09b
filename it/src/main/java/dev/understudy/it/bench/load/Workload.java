package dev.understudy.it.bench.load;

import dev.understudy.it.bench.subject.Subject;
import java.io.IOException;

/** What is asked of a subject, the same of each. */
public interface Workload {
    String name();

    /** What one operation is, for the table. */
    default String unit() {
        return "request";
    }

    /** Runs once, after a warm-up of its own that isn't measured. */
    Sample run(Subject subject) throws IOException, InterruptedException;
}
