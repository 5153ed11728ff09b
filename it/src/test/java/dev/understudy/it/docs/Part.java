package dev.understudy.it.docs;

import java.io.IOException;
import java.util.List;

/** What stands between the marks of one generated part. */
@FunctionalInterface
interface Part {
    /**
     * Writes it again.
     *
     * @param before what stands there now, from which meanings that people wrote are kept
     */
    List<String> lines(List<String> before) throws IOException;
}
