package dev.understudy.observatory.command;

import dev.understudy.observatory.sample.SampleSeries;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Reads the samples that {@code understudy node} left in a folder. */
@FunctionalInterface
interface SampleFolder {
    /**
     * All series of a folder.
     *
     * @throws IOException if it has none, or can't be read; the message names it
     */
    List<SampleSeries> read(Path folder) throws IOException;
}
