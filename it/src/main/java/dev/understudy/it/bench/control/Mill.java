package dev.understudy.it.bench.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/**
 * Methods written and compiled for the study: on each level four, of which each calls three of the next, so that a
 * method is called three times as often as those above it.
 */
final class Mill {
    /** Its package, which is woven. */
    static final String PACKAGE = "mill";
    /** The class that does a request's work. */
    static final String MAIN = PACKAGE + ".Mill";

    private static final int LEVELS = 10;
    private static final int BESIDE = 4;
    private static final int CALLS = 3;

    private Mill() {}

    /** Leaves the classes in {@code folder}. */
    static void compile(Path folder) throws IOException {
        StringBuilder text = new StringBuilder("package " + PACKAGE + ";\n"
                + "public class Mill implements java.util.function.LongUnaryOperator {\n"
                + "public long applyAsLong(long x) { return m0_0(x); }\n");
        for (int level = 0; level < LEVELS; level++) {
            for (int n = 0; n < (level == 0 ? 1 : BESIDE); n++) {
                text.append(method(level, n));
            }
        }
        Path source = Files.writeString(folder.resolve("Mill.java"), text.append("}\n"));
        String[] arguments = {"-nowarn", "-proc:none", "-d", folder.toString(), source.toString()};
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments) != 0) {
            throw new IOException("not compiled");
        }
    }

    private static String method(int level, int n) {
        StringBuilder text = new StringBuilder(
                "static long m%d_%d(long x) {\nx ^= x << 13;\nx ^= x >>> 7;\nx ^= x << 17;\n".formatted(level, n));
        for (int call = 0; call < CALLS && level < LEVELS - 1; call++) {
            text.append("x = m%d_%d(x);\n".formatted(level + 1, (n + call) % BESIDE));
        }
        return text.append("return x + %d;\n}\n".formatted(n)).toString();
    }
}
