package dev.understudy.it.stage;

import java.nio.file.Path;

/** The checkout that is being tested. */
public final class Checkout {
    private Checkout() {}

    /** The folder with {@code understudy} and {@code README.md}; tests run in the folder of their module. */
    public static Path root() {
        return Path.of("..").toAbsolutePath().normalize();
    }
}
