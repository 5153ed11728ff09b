package dev.understudy.observatory.sample;

import java.util.List;
import java.util.Map;

/**
 * What was read of a folder of samples, and what couldn't be.
 *
 * @param series by source, then by metric; none is empty
 * @param badLines how many lines were left out: torn, damaged or out of order
 * @param badFiles each file that was left out, with the reason
 * @param firstBadLines a place of such a line for each file that has one
 */
public record SampleSet(
        List<SampleSeries> series, long badLines, Map<String, String> badFiles, List<String> firstBadLines) {
    public SampleSet {
        series = List.copyOf(series);
        badFiles = Map.copyOf(badFiles);
        firstBadLines = List.copyOf(firstBadLines);
    }
}
