package dev.understudy.divergence.noise.learn;

/**
 * A place at which a kind of noise has been learned.
 *
 * @param route of which requests, as {@link dev.understudy.divergence.content.Folding#route} names them
 * @param path at which place, as {@link dev.understudy.divergence.content.Folding#place} names it
 * @param seen in how many exchanges it had been seen when it was learned, each reported as a divergence unless it was
 *     taken for an identity of its own
 * @param fired in how many it has been overlooked since
 * @param broken in how many something else stood there since, which was reported
 */
public record Learned(String route, String path, NoiseKind kind, long seen, long fired, long broken) {}
