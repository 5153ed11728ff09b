package dev.understudy.standin.graph;

import dev.understudy.standin.trace.NodeKind;

/**
 * A call that requests of one route make, over all of these requests.
 *
 * @param service who is asked
 * @param kind what that is
 * @param route what for
 * @param requests how many requests make it at least once
 * @param calls how often it is made in all
 * @param probability the share of requests that make it, 0 to 1
 * @param times how often a request makes it that does at all, on average
 * @param position the how many-th of the request's calls it is by its first start, on average; the first is 1
 * @param atOnce how many calls of the request went on at most while it did, with itself; 1 if one after another
 * @param meanMillis how long it takes on average, as its caller sees it
 */
public record ServiceCall(
        String service,
        NodeKind kind,
        String route,
        long requests,
        long calls,
        double probability,
        double times,
        double position,
        int atOnce,
        double meanMillis) {}
