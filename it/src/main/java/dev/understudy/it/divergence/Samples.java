package dev.understudy.it.divergence;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The replies that are mutated: real ones of the example's orders service ({@code orders-*}), and ones written in the
 * shape of public APIs.
 */
final class Samples {
    private Samples() {}

    static List<Sample> read() throws IOException {
        List<Sample> samples = new ArrayList<>();
        for (String name : text("names.txt").lines().toList()) {
            samples.add(Sample.of(name, text(name + ".http")));
        }
        return samples;
    }

    private static String text(String name) throws IOException {
        try (InputStream in = Samples.class.getResourceAsStream("samples/" + name)) {
            if (in == null) {
                throw new IOException("samples/" + name + ": not there");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
