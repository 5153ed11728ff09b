package dev.understudy.session.clone;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What a copy is started from. Holds all secrets of the process: delete it once the copy runs.
 *
 * @param directory where it is; empty of meaning to anyone but the driver that made it
 * @param suspension how long production stood still for it, measured; zero where it didn't
 * @param bytes its size
 */
public record ServiceSnapshot(Path directory, Duration suspension, long bytes) {}
