package dev.understudy.it.suites;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Where a suite comes from, and how it is run. Nothing of it is kept in this repository. */
sealed interface SuiteSource permits GoModule, PythonPackage {
    /** Its name and version, for the table. */
    String pinned();

    /** Programs that it takes to fetch and run it. */
    List<String> programs();

    /** Brings it into {@code cache}, checked against its checksum, ready to run. */
    void fetch(Path cache) throws IOException, InterruptedException;

    /**
     * Runs all tests once.
     *
     * @param cache as fetched
     * @param side for this run's files
     */
    List<TestResult> run(Path cache, Path side, Map<String, String> environment, List<String> arguments)
            throws IOException, InterruptedException;
}
